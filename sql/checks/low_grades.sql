-- Qrels of three or more grades, of which the lowest counts as relevant too, as one star of five does.
--
-- Grain:  one row per grade.
-- When:   source = note
-- Rule:   every grade of the qrels is relevant for {of_threshold}: pass threshold= if low grades mean not relevant
-- Do:     Pass threshold=, the lowest grade that is relevant.
SELECT relevance
FROM (
  SELECT
    relevance,
    min(relevance) OVER () AS lowest,
    count(*) OVER () AS grades
  FROM (
    SELECT DISTINCT relevance
    FROM qrels
    WHERE relevance IS NOT NULL
  ) AS each_grade
) AS all_grades
WHERE lowest > 0 AND grades >= 3
