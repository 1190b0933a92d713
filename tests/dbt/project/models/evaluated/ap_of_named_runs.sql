{{ recall_duckdb.ap_at_k(
  run={'cosine': ref('cosine'), "it's popular": ref('popular')}, qrels=ref('bought'), k=none,
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
