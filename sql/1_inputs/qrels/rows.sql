-- qrels, from a relation with a row per judged item.
--
-- Grain:  one row per (query, item), as often as the user's relation holds it.
-- Params: none.
SELECT
  query AS query,
  item AS item,
  relevance AS relevance,
  slice AS slice
FROM qrels_source
