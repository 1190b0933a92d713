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
  relevant
FROM (
  SELECT
    model,
    query,
    score,
    tied,
    relevant,
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
      count(*) AS tied,
      CAST(sum(CASE WHEN is_relevant = 1 THEN 1 ELSE 0 END) AS BIGINT) AS relevant
    FROM candidates
    LEFT JOIN ideal USING (query, item)
    WHERE reaches(score, $min_score, $min_score_as_float)
    GROUP BY model, query, score
  ) AS tied_scores
) AS placed
CROSS JOIN (
  SELECT k
  FROM metrics
  GROUP BY k
) AS cutoffs
WHERE before < k AND k < before + tied AND relevant > 0 AND relevant < tied
