-- Two runs, models named like relations of the package, and purchases without relevance.
MODEL (name shop.quality_of_runs, kind FULL);

@recall_duckdb(
  (every := shop.recommendations, low := shop.run),
  (WITH ideal AS (SELECT * FROM shop.qrels) SELECT *, 1 AS relevance FROM ideal),
  ('recall@3', 'rr'),
  query := (user_id, day),
  item := item_id
)
