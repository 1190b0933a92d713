-- The qrels with the units of their items.
--
-- Grain:  one row per (query, judged item, unit): several items may have one unit, and an item several.
-- Params: $unit, as in run/mapped.
SELECT
  query,
  $unit AS item,
  relevance,
  slice
FROM qrels_rows
LEFT JOIN units USING (item)
