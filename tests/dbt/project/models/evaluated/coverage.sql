{{ recall_duckdb.coverage_at_k(
  run=ref('cosine'), qrels=ref('bought'), k=[1, 4], catalog=ref('products'),
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
