MODEL (name shop.quality_by_user, kind FULL);

@recall_duckdb(
  shop.recommendations,
  shop.purchases,
  ('recall@1,3', 'ndcg@3', 'ap', 'num_ret'),
  query := (user_id, day),
  item := item_id,
  per_query := true
)
