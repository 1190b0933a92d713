{{ recall_duckdb.recall_at_k(
  run=ref('recommendations'), qrels=ref('purchases'), k=2, model='system',
  filter="day = CAST('2024-03-02' AS DATE)", qrels_filter="day = CAST('2024-03-02' AS DATE) AND country = 'BE'",
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
