-- How unlike the items of a list are: one minus the mean cosine of the features of two items in the top k.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  features, through unit_features.
-- Source: Smyth and McClave, Similarity vs. Diversity, ICCBR 2001; Ziegler et al., WWW 2005 (intra-list similarity).
-- Edges:  an item without features is unlike any other. Fewer than two items: NULL, which is not counted. The cosines
--         of all pairs come from the sum of the vectors: its square is that of the items plus twice that of the pairs.
--         Summed exactly, as whole numbers of 2^-70.
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
