{{ recall_duckdb.evaluate(
  ['recall@2,4', 'ndcg@4', 'ap', 'bpref', 'err@4'],
  run=ref('cosine'), qrels=ref('bought'), per_query=true, by='country',
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
