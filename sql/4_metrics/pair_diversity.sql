-- How dissimilar the items in the top k are: one minus the mean similarity over all pairs of items, as given in
-- `pairs`.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  pairs, through similarities.
-- Source: Smyth and McClave, Similarity vs. Diversity, ICCBR 2001; Ziegler et al., WWW 2005 (intra-list similarity).
-- Edges:  a pair missing from `pairs` has similarity 0. Fewer than two items: NULL, and the query is not counted. It
--         reads k² / 2 pairs per list. Summed exactly.
SELECT
  model,
  query,
  1
  - exact_sum_of_many(coalesce(similarity, 0)) / CAST(count(*) AS DOUBLE) AS pair_diversity
FROM shown
INNER JOIN (
  SELECT
    model,
    query,
    item AS other,
    rank AS other_rank
  FROM shown
) AS others USING (model, query)
LEFT JOIN similarities USING (item, other)
WHERE rank < other_rank AND in_top(other_rank, $k)
GROUP BY model, query
