MODEL (name shop.quality_by_day, kind INCREMENTAL_BY_TIME_RANGE (time_column day));

@recall_duckdb(
  (SELECT * FROM shop.recommendations WHERE day BETWEEN @start_ds AND @end_ds),
  (SELECT * FROM shop.purchases WHERE day BETWEEN @start_ds AND @end_ds),
  ('recall@3', 'ndcg@3', 'rr'),
  query := (user_id, day),
  item := item_id,
  by := day
)
