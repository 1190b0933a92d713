-- Judged queries without a relevant item.
--
-- Grain:  one row per such (model, query).
-- When:   no_relevant = error; qrels = rows, lists, maps
-- Seen:   lists, one_pass
-- Rule:   a query has no relevant item
-- Do:     Remove the query, or choose no_relevant='zero' to count it as 0, or no_relevant='skip' to leave it out.
SELECT
  model,
  query
FROM per_query
WHERE NOT (relevant <> 0) AND item_slice_no < 1
