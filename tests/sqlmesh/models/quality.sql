MODEL (name shop.quality, kind FULL);

@recall_duckdb(
  shop.recommendations,
  shop.purchases,
  ('recall@1,3', 'ndcg@3', 'precision(threshold=2)@2', 'official'),
  query := (user_id, day),
  item := item_id,
  by := country,
  missing := 'skip',
  ties := optimistic,
  threshold := 1.5,
  min_score := 0.2
)
