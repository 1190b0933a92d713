-- Lists with a duplicate item, down to the deepest rank that a metric reads.
--
-- Grain:  one row per such (model, query), with one such item.
-- When:   command = evaluate
-- Seen:   lists, one_pass
-- Rule:   the run holds an item ({item}) more than once in a query's list
-- Do:     Remove the duplicates. If the lists are of several models, pass their column as model=. If an item may
--         repeat, you can pass duplicates='best' instead, to keep its best place. If ranks only give the order, you
--         can pass duplicates='best' with ranks='renumber' instead.
SELECT
  model,
  query,
  repeated_item AS item
FROM per_query
WHERE repeated_item IS NOT NULL AND item_slice_no < 1
