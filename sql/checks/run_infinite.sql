-- Rows of the run whose score is infinite: any two of them are a tie.
--
-- Grain:  one row per such row of the run.
-- When:   command = check; run = scores
-- Rule:   {score} is infinite
-- Do:     Find what divided by zero or overflowed; for semantics='trec_eval_9' divide the scores by a constant.
SELECT
  model,
  query,
  item,
  score
FROM run
WHERE abs(score) > CAST('1.7976931348623157e308' AS DOUBLE)
