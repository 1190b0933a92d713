{{ recall_duckdb.ndcg_at_k(
  run=ref('recommendations'), qrels=ref('purchases'), k=[2, 4], model='system',
  query=['user_id', 'day'], item='item_id', qrels_query=['buyer', 'day'], qrels_item='product_id', relevance='quantity'
) }}
