-- The columns of judged with ranks and ideal ranks in separate rows, for metrics that never use both in one row.
--
-- Grain:  one row per (model, query, relevant item of the list), and one per (model, query, place of the ideal order);
--         every model has every judged query.
-- Params: none.
-- Plan:   for metrics that are linear in the columns of judged (`Ties: expected`). It needs no window over the qrels.
-- Edges:  the columns are those of judged/ordered, without item and relevance.
SELECT
  model,
  query,
  is_relevant,
  gain,
  top_gain,
  ideal_rank,
  relevant,
  rank,
  retrieved,
  hits,
  is_relevant * hits AS relevant_hits,
  CASE WHEN hits >= 1 THEN 1 ELSE 0 END AS found,
  CASE WHEN is_relevant = 1 AND hits = 1 THEN 1 ELSE 0 END AS is_first
FROM (
  SELECT
    model,
    query,
    0 AS is_relevant,
    unnest(gains) AS gain,
    gains[1] AS top_gain,
    unnest(generate_series(1, len(gains))) AS ideal_rank,
    relevant,
    CAST(NULL AS BIGINT) AS rank,
    coalesce(recommended, 0) AS retrieved,
    0 AS hits
  FROM models
  CROSS JOIN ideal_lists
  LEFT JOIN retrieved USING (model, query)
  UNION ALL
  SELECT
    model,
    query,
    is_relevant,
    gain,
    top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant,
    rank,
    recommended AS retrieved,
    sum(is_relevant) OVER (
      PARTITION BY model, query
      ORDER BY rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM placed
  INNER JOIN (
    SELECT
      query,
      gains[1] AS top_gain,
      relevant
    FROM ideal_lists
  ) AS totals USING (query)
  INNER JOIN retrieved USING (model, query)
) AS places
