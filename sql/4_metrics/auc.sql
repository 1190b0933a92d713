-- The probability that a relevant item in the list scores higher than a non-relevant one; a tie counts as half.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Ties:   expected
-- Range:  0 to 1
-- Source: Mann and Whitney, 1947; Fawcett, An Introduction to ROC Analysis, 2006. Computed from the mean ranks of
--         tied scores, which are multiples of 1/2, so the sum is exact.
-- Edges:  only items in the list count, including those below min_score; unjudged items are not relevant. No relevant
--         item in the list, or no other item: NULL.
SELECT
  model,
  query,
  (
    sum(CASE WHEN is_relevant = 1 THEN mean_rank ELSE 0 END)
    - CAST(sum(is_relevant) * (sum(is_relevant) + 1) AS DOUBLE) / 2
  )
  / nullif(CAST(sum(is_relevant) * (count(*) - sum(is_relevant)) AS DOUBLE), 0) AS auc
FROM (
  SELECT
    model,
    query,
    coalesce(is_relevant, 0) AS is_relevant,
    CAST(rank() OVER (PARTITION BY model, query ORDER BY score ASC NULLS FIRST) AS DOUBLE)
    + CAST(
      count(*) OVER (
        PARTITION BY model, query
        ORDER BY score ASC NULLS FIRST
        RANGE BETWEEN CURRENT ROW AND CURRENT ROW
      ) - 1 AS DOUBLE
    ) / 2 AS mean_rank
  FROM candidates
  LEFT JOIN ideal USING (query, item)
) AS scored
GROUP BY model, query
