-- NULL items in nested lists under nulls=drop, which leaves out rows but not items of a list.
--
-- Grain:  one row per such item of the run.
-- When:   run = lists; nulls = drop
-- Rule:   a list in {item} holds a NULL in the run
-- Do:     Remove the NULL from the list. nulls='drop' leaves out whole rows, because the ranks of the other items
--         would be unclear.
SELECT
  model,
  query,
  item
FROM run
WHERE item IS NULL
