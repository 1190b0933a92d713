-- Units that are items of another unit, so that the ids of items and units are mixed up.
--
-- Grain:  one row per such unit, with the unit that it would have.
-- When:   units = given
-- Params: $unit, the unit of an item, as in run/mapped.
-- Edges:  run and qrels are mapped alike, so that a unit must be its own unit, or have none.
-- Rule:   item_map gives a unit ({item}) that is itself an item of another unit
-- Do:     Write ids of items and units differently in the data and in item_map, as in 'chunk 2' and 'document 2'.
SELECT
  item,
  min($unit) AS other_unit
FROM (
  SELECT $unit AS item
  FROM run_rows
  LEFT JOIN units USING (item)
  UNION
  SELECT $unit AS item
  FROM qrels_rows
  LEFT JOIN units USING (item)
) AS units_of_both
LEFT JOIN units USING (item)
WHERE item IS NOT NULL
GROUP BY item
HAVING max(CASE WHEN $unit = item THEN 1 ELSE 0 END) = 0
