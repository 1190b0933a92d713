-- Lists that hold an item more than once, as far down as any metric looks.
--
-- Grain:  one row per such (model, query), with one such item.
-- When:   command = evaluate
-- Rule:   the run holds an item ({item}) more than once in a query's list, a duplicate
-- Do:     Remove the duplicates or, where the run has scores, pass duplicates='best': an item's highest score counts.
SELECT
  model,
  query,
  repeated_item AS item
FROM per_query
WHERE repeated_item IS NOT NULL
