{{ recall_duckdb.recall_at_k(
  run=ref('cosine'), qrels=ref('bought'), k=[2, 4],
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
