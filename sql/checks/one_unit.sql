-- A single unit of all items of the run, so that every list is this unit.
--
-- Grain:  one row if five or more items of the run have one unit, and no item has another.
-- When:   source = note
-- Rule:   item_map makes one unit of all items
-- Do:     Check what item_map makes of an item: it may have lost what tells items apart.
SELECT
  unit,
  items
FROM (
  SELECT
    min(item) AS unit,
    max(item) AS last_unit
  FROM run
) AS of_units
CROSS JOIN (SELECT count(DISTINCT item) AS items FROM run_rows) AS of_items
WHERE unit = last_unit AND items > 4
