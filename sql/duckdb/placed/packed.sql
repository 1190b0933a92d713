-- The items of a list that are relevant or have a gain, at their ranks.
--
-- Grain:  one row per such (model, query, item).
-- Params: $item_low, $item_high, the range of the run's items.
-- Plan:   for judged/apart, from packed lists. No other item is read.
SELECT
  model,
  query,
  is_relevant,
  gain,
  rank
FROM (
  SELECT
    model,
    query,
    is_relevant,
    gain,
    CASE
      WHEN item BETWEEN $item_low AND $item_high
        THEN list_position(items, CAST(CAST(item AS BIGINT) - $item_low AS INTEGER))
    END AS rank
  FROM graded
  INNER JOIN packed USING (query)
  WHERE is_relevant = 1 OR gain > 0
) AS looked_up
WHERE rank >= 1
