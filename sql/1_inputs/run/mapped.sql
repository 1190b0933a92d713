-- The run with the units of its items.
--
-- Grain:  one row per (model, query, item, unit): several items may have one unit, and an item several.
-- Params: $unit, the unit of an item: of `units`, the item itself if it has none there; or an expression of the user.
--         $nulls: drop leaves out an item whose expression has no value.
SELECT
  model,
  query,
  $unit AS item,
  score
FROM run_rows
LEFT JOIN units USING (item)
WHERE $nulls <> 'drop' OR $unit IS NOT NULL
