-- The absolute score that all but a thousandth of a sample of a run have at most.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, so that numbers tell scores apart, whatever the largest score is.
-- Edges:  NULL if the sample has no score that is finite.
SELECT quantile_disc(sampled_score, CAST(0.999 AS DOUBLE)) AS typical
FROM (
  SELECT abs(CAST(score AS DOUBLE)) AS sampled_score
  FROM source
  LIMIT 20000
) AS sampled
WHERE sampled_score <= CAST('1.7976931348623157e308' AS DOUBLE)
