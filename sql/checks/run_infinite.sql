-- Rows of the run with an infinite score: any two of them are tied.
--
-- Grain:  one row per such row of the run.
-- When:   command = check; run = scores
-- Rule:   {score} is infinite
-- Do:     Find the division by zero or the overflow. With semantics='trec_eval_9', divide the scores by a constant.
SELECT
  model,
  query,
  item,
  score
FROM run
WHERE score > CAST('1.7976931348623157e308' AS DOUBLE) OR score < CAST('-1.7976931348623157e308' AS DOUBLE)
