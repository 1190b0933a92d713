-- The share of the top k that is not obvious: that a baseline, for example, does not recommend.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  obvious, through obvious_items.
-- Range:  0 to 1
-- Source: Adamopoulos and Tuzhilin, On Unexpectedness in Recommender Systems, TIST 5(4), 2014; RePlay 0.22,
--         Unexpectedness, which divides by k.
-- Edges:  every pair of the relation counts, so cut a baseline's lists at k first. Fewer than k items: divided by the
--         number of items. A query without a list is not counted.
SELECT
  model,
  query,
  ratio(sum(CASE WHEN is_obvious = 1 THEN 0 ELSE 1 END), count(*)) AS unexpectedness
FROM shown
LEFT JOIN obvious_items USING (query, item)
WHERE in_top(rank, $k)
GROUP BY model, query
