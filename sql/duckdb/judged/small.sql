-- The rows and columns of judged/ordered, with ranks that are looked up in the lists of retrieved/small.
--
-- Grain:  one row per (model, query, judged item).
-- Params: none.
-- Plan:   for small runs: it joins the qrels with lists, not with every row of the run.
SELECT
  model,
  query,
  item,
  relevance,
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
    item,
    relevance,
    is_relevant,
    gain,
    top_gain,
    ideal_rank,
    relevant,
    rank,
    retrieved,
    sum(CASE WHEN rank >= 1 THEN is_relevant ELSE 0 END) OVER (
      PARTITION BY model, query
      ORDER BY CASE WHEN rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM (
    SELECT
      model,
      query,
      item,
      relevance,
      is_relevant,
      gain,
      top_gain,
      ideal_rank,
      relevant,
      CAST(nullif(list_position(items, item), 0) AS BIGINT) AS rank,
      coalesce(recommended, 0) AS retrieved
    FROM models
    CROSS JOIN ideal
    LEFT JOIN retrieved USING (model, query)
  ) AS placed_items
) AS counted
