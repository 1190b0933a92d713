{{ recall_duckdb.evaluate(
  ['recall@2', 'ap', 'bpref'],
  run=ref('cosine'), qrels=ref('bought'), by='country',
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
