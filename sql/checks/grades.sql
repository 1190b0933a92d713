-- Rows of the qrels whose relevance is above the highest grade that a metric knows.
--
-- Grain:  one row per such row of the qrels.
-- When:   grades = limited
-- Params: $max_grade, the lowest max_grade of the metrics asked for.
-- Rule:   {relevance} is above {max_grade}, the max_grade of a metric asked for
-- Do:     Ask for the metric with the highest grade there is, as in err(max_grade=5).
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance > $max_grade
