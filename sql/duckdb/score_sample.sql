-- How often two scores of a run are equal, among some of its rows.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan: lists of hashes with equal scores are ranked after all.
-- Edges:  equal_pairs counts each pair twice, so that it is of row_count * (row_count - 1).
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
