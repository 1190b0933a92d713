-- The candidates that can be in the top of their query's list, whatever the order of equal scores.
--
-- Grain:  one row per (model, query, item): of long lists, only those whose score reaches the score cutoff.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
-- Edges:  ranking these gives the same top as ranking the run, and takes half the time if lists are long. DuckDB leaves
--         out what the depth rules out, because the conditions on it stand outside.
SELECT
  model,
  query,
  item,
  score
FROM (
  SELECT
    model,
    query,
    item,
    score
  FROM run
  WHERE coalesce($depth, 1001) > 1000
  UNION ALL
  SELECT
    model,
    query,
    item,
    score
  FROM (
    SELECT
      model,
      query,
      item,
      score
    FROM run
    WHERE
      NOT (
        SELECT are_long
        FROM list_lengths
      )
    UNION ALL
    SELECT
      model,
      query,
      item,
      score
    FROM run
    INNER JOIN score_cutoffs USING (model, query)
    WHERE score_cutoff IS NULL OR score >= score_cutoff
  ) AS either
  WHERE $depth <= 1000
) AS contenders
