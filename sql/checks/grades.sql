-- Rows of the qrels whose relevance is above the max_grade of a metric.
--
-- Grain:  one row per such row of the qrels.
-- When:   grades = limited
-- Seen:   lists, one_pass
-- Params: $max_grade, the lowest max_grade of the requested metrics.
-- Edges:  a FLOAT column holds 4.3 as 4.3000002, which is not above 4.3.
-- Rule:   {relevance} is above {max_grade}, the max_grade of a requested metric
-- Do:     Set max_grade to the highest possible grade, as in err(max_grade=5).
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance > $max_grade * CAST(1.0000001 AS DOUBLE)
