-- The qrels with the units of their items.
--
-- Grain:  one row per (query, judged item, unit): several items may have one unit, and an item several.
-- Params: $unit and $nulls, as in run/mapped.
-- Edges:  a query without items stays.
SELECT
  query,
  $unit AS item,
  relevance,
  slice
FROM qrels_rows
LEFT JOIN units USING (item)
WHERE $nulls <> 'drop' OR $unit IS NOT NULL OR item IS NULL
