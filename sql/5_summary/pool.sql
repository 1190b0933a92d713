-- The unjudged items that a metric reads in the list of any model, for judging.
--
-- Grain:  one row per (query, unjudged item).
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Source: pooling: Sparck Jones and van Rijsbergen, Report on the need for and provision of an "ideal" information
--         retrieval test collection, 1975.
-- Edges:  every query of the run counts, judged or not. best_rank is the best rank of the item in any list, models the
--         number of lists that hold it.
SELECT
  query,
  item,
  min(rank) AS best_rank,
  count(*) AS models
FROM ranked
LEFT JOIN judged_items USING (query, item)
WHERE coalesce(is_judged, 0) = 0 AND is_recommended = 1 AND ($depth IS NULL OR rank <= $depth)
GROUP BY query, item
