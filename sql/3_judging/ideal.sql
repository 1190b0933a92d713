-- The qrels in their ideal order: what a perfect system would return.
--
-- Grain:  one row per (query, judged item).
-- Params: $threshold, the relevance from which an item is relevant, NULL for anything above 0.
-- Source: trec_eval 10.0: relevance below 0 means pooled but not judged; gains do not know the threshold.
-- Edges:  equal relevance is ordered by item, which changes no metric; top_gain and relevant are the same on all
--         rows of a query.
SELECT
  query AS query,
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  max(gain) OVER (PARTITION BY query) AS top_gain,
  row_number() OVER (PARTITION BY query ORDER BY gain DESC, item DESC) AS ideal_rank,
  CAST(sum(is_relevant) OVER (PARTITION BY query) AS BIGINT) AS relevant
FROM (
  SELECT
    query AS query,
    item AS item,
    relevance AS relevance,
    CASE WHEN relevance > 0 AND ($threshold IS NULL OR relevance >= $threshold) THEN 1 ELSE 0 END AS is_relevant,
    CASE WHEN relevance > 0 THEN CAST(relevance AS DOUBLE) ELSE CAST(0 AS DOUBLE) END AS gain
  FROM qrels
) AS graded
