{{ recall_duckdb.evaluate(
  ['recall@2', 'precision@2', 'ap'],
  run=ref('cosine'), qrels=ref('bought'), no_relevant='skip', missing='skip', threshold=2,
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
