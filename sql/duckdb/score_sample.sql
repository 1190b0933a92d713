-- The number of equal pairs of scores in a sample of a run.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan: hashed lists with equal scores must be ranked anyway.
-- Edges:  equal_pairs counts each pair twice, so its maximum is row_count * (row_count - 1).
SELECT
  CAST(sum(copies) AS BIGINT) AS row_count,
  CAST(sum(copies * (copies - 1)) AS BIGINT) AS equal_pairs
FROM (
  SELECT
    sampled_score,
    count(*) AS copies
  FROM (
    SELECT score AS sampled_score
    FROM source
    LIMIT 100000
  ) AS sampled
  GROUP BY sampled_score
) AS counted
