MODEL (name shop.run, kind VIEW);

SELECT
  user_id,
  day,
  item_id,
  score
FROM shop.recommendations
WHERE
  score < 0.9
