-- The columns of judged with ranks and ideal ranks in separate rows, from lists.
--
-- Grain:  one row per (model, query, labelled item of the list), and one per (model, query, place of the ideal order);
--         every model has every judged query.
-- Params: none.
-- Plan:   as judged/apart, if relevance has few values, all whole numbers.
-- Edges:  the columns are those of judged/apart.
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
    retrieved,
    0 AS hits
  FROM judged_lists
  UNION ALL
  SELECT
    model,
    query,
    unnest(found_relevant) AS is_relevant,
    unnest(found_gains) AS gain,
    gains[1] AS top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant,
    unnest(ranks) AS rank,
    retrieved,
    unnest(hits) AS hits
  FROM judged_lists
) AS places
