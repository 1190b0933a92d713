MODEL (name shop.qrels, kind VIEW);

SELECT
  user_id,
  day,
  item_id
FROM shop.purchases
WHERE
  relevance > 0
