-- Lists with fewer candidates than the largest cutoff.
--
-- Grain:  one row per such (model, query).
-- When:   short = error
-- Params: $largest_k, the largest cutoff requested.
-- Rule:   a query has fewer candidates than k = {largest_k}
-- Do:     Ask for a smaller k, or choose short='allow'.
SELECT
  model,
  query,
  retrieved AS candidates
FROM per_query
WHERE $largest_k IS NOT NULL AND retrieved > 0 AND retrieved < $largest_k AND item_slice_no < 1
