{{ recall_duckdb.evaluate(
  ['recall@2', 'ndcg@2'], run=ref('recommendations'), qrels=ref('purchases'), model='system', ties='expected',
  query=['user_id', 'day'], item='item_id', qrels_query=['buyer', 'day'], qrels_item='product_id', relevance='quantity'
) }}
