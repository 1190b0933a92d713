-- The items of a list that are relevant or have a gain, at their ranks.
--
-- Grain:  one row per such (model, query, item).
-- Params: none.
-- Plan:   for judged/apart, if every item of a list has a rank.
SELECT
  model,
  query,
  is_relevant,
  gain,
  rank
FROM ranked
INNER JOIN graded USING (query, item)
WHERE is_recommended = 1 AND (is_relevant = 1 OR gain > 0)
