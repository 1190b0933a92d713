MODEL (
  name shop.recommendations,
  kind SEED (path '../seeds/recommendations.csv'),
  columns (day DATE, user_id TEXT, item_id TEXT, score DOUBLE)
);
