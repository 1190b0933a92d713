{{ recall_duckdb.evaluate(
  ['recall@2,4', 'ndcg(gain=exponential)@4', 'ndcg@4', 'precision@2', 'ap', 'rr@4', 'bpref', 'err(max_grade=5)@4', 'auc', 'num_q'],
  run=ref('cosine'), qrels=ref('bought'),
  query='user_id', item='item_id', qrels_query='buyer', qrels_item='product_id', relevance='quantity'
) }}
