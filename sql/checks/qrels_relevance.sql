-- Rows of the qrels that have no relevance.
--
-- Grain:  one row per such row of the qrels.
-- When:   nulls = error
-- Rule:   {relevance} is NULL or NaN
-- Do:     Fill the relevance in (0 is not relevant), or pass nulls='last' to keep the item as one that is not
--         judged, or nulls='drop' to leave such rows out.
SELECT
  query,
  item
FROM qrels
WHERE relevance IS NULL
