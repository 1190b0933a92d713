-- The qrels, from a relation with one row per judged item.
--
-- Grain:  one row per (query, item), as often as the user's relation holds it.
-- Params: none.
SELECT
  query,
  item,
  relevance,
  slice
FROM qrels_source
