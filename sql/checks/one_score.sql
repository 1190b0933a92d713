-- Models with one score for all items, so that the order of ties decides every list.
--
-- Grain:  one row per such model with a list that is longer than the largest cutoff.
-- When:   source = note
-- Params: $largest_k, the largest cutoff requested.
-- Rule:   all values of {score} are equal, so ties decide the order
-- Do:     Name the column of the score, or pass ties='expected'.
SELECT
  model,
  min(lowest) AS score,
  max(items) AS longest
FROM (
  SELECT
    model,
    min(score) AS lowest,
    max(score) AS highest,
    count(*) AS items
  FROM candidates
  GROUP BY model, query
) AS lists
GROUP BY model
HAVING min(lowest) = max(highest) AND max(items) > $largest_k
