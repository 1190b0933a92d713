-- The number of equal scores in a sample of a run that a number of `retrieved/numbers` does not hold exactly.
--
-- Grain:  one row.
-- Params: $score_scale, as in retrieved/numbers.
-- Reads:  source.
-- Plan:   before anything else runs: such scores share a cell, so that their order is open.
SELECT count(*) - count(DISTINCT sampled_score) AS equal_scores
FROM (SELECT CAST(score AS DOUBLE) AS sampled_score FROM source LIMIT 20000) AS sampled
WHERE floor(sampled_score * $score_scale) < ceil(sampled_score * $score_scale)
