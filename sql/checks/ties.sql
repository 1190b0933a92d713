-- Cutoffs within a group of equal scores, where the order of tied items decides the number of hits.
--
-- Grain:  one row per such (model, query, k).
-- When:   command = check; run = scores; dbt = no
-- Params: $min_score, the score below which an item is a candidate but not recommended, NULL for none;
--         $min_score_as_float, for `reaches`.
-- Reads:  metrics: k, a row per metric asked for.
-- Edges:  of the tied items in a group, `places` are within k and `relevant` are relevant. Between max(0, relevant -
--         (tied - places)) and min(relevant, places) of them may be hits. These two are equal only if none or all of
--         the group are relevant.
-- Rule:   equal values of {score} straddle a cutoff, and their order decides how many relevant items are within it
-- Do:     Use scores with more digits, or pass ties='expected' to report the mean over all orders.
SELECT
  model,
  query,
  k,
  score,
  tied,
  k - before AS places,
  count(*) AS relevant
FROM (
  SELECT
    model,
    query,
    score,
    tied,
    CAST(
      sum(tied) OVER (
        PARTITION BY model, query
        ORDER BY score DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS BIGINT
    ) - tied AS before
  FROM (
    SELECT
      model,
      query,
      score,
      count(*) AS tied
    FROM candidates
    INNER JOIN (
      SELECT
        model,
        query
      FROM (
        SELECT
          model,
          query
        FROM candidates
        GROUP BY model, query, score
        HAVING count(*) > 1
      ) AS equal_scores
      GROUP BY model, query
    ) AS tied_lists USING (model, query)
    WHERE reaches(score, $min_score, $min_score_as_float)
    GROUP BY model, query, score
  ) AS tied_scores
) AS placed
CROSS JOIN (
  SELECT k
  FROM metrics
  GROUP BY k
) AS cutoffs
INNER JOIN candidates USING (model, query, score)
INNER JOIN (
  SELECT
    query,
    item
  FROM graded
  WHERE is_relevant = 1
) AS relevant_items USING (query, item)
WHERE before < k AND k < before + tied
GROUP BY model, query, k, score, tied, before
HAVING count(*) < tied
