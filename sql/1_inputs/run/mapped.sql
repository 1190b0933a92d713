-- The run with the units of its items.
--
-- Grain:  one row per (model, query, item, unit): several items may have one unit, and an item several.
-- Params: $unit, the unit of an item: of `units`, the item itself if it has none there; or an expression of the user.
SELECT
  model,
  query,
  $unit AS item,
  score
FROM run_rows
LEFT JOIN units USING (item)
