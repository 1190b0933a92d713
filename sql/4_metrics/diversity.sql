-- How dissimilar the items in the top k are: one minus the mean cosine similarity of the features, over all pairs of
-- items.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  features, through unit_features.
-- Source: Smyth and McClave, Similarity vs. Diversity, ICCBR 2001; Ziegler et al., WWW 2005 (intra-list similarity).
-- Edges:  an item without features has similarity 0 to any other. Fewer than two items: NULL, and the query is not
--         counted. The cosines of all pairs are computed from the sum of the vectors: its square is the sum of the
--         items' squares plus twice the sum over the pairs. Summed exactly.
SELECT
  model,
  query,
  CASE
    WHEN items > 1 THEN 1 - coalesce(cosines, CAST(0 AS DOUBLE)) / (CAST(items AS DOUBLE) * CAST(items - 1 AS DOUBLE))
  END AS diversity
FROM (
  SELECT
    model,
    query,
    count(*) AS items
  FROM shown
  WHERE in_top(rank, $k)
  GROUP BY model, query
) AS each_list
LEFT JOIN (
  SELECT
    model,
    query,
    exact_sum_of_many(total * total - squares) AS cosines
  FROM (
    SELECT
      model,
      query,
      feature,
      exact_sum_of_many(share) AS total,
      exact_sum_of_many(share * share) AS squares
    FROM shown
    INNER JOIN unit_features USING (item)
    WHERE in_top(rank, $k)
    GROUP BY model, query, feature
  ) AS vectors
  GROUP BY model, query
) AS sums USING (model, query)
