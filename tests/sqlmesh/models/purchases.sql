MODEL (
  name shop.purchases,
  kind SEED (path '../seeds/purchases.csv'),
  columns (day DATE, user_id TEXT, country TEXT, item_id TEXT, relevance DOUBLE)
);
