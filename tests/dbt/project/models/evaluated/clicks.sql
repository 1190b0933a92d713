{{ recall_duckdb.evaluate(
  ['recall@2', 'ndcg@4', 'auc'],
  run=ref('impressions'), query='user_id', item='item_id', relevance='clicked'
) }}
