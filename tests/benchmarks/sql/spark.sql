-- The means of k50 by hand in Spark: rank, join, add up. It checks nothing.
WITH top AS (
  SELECT
    query,
    item,
    rank
  FROM (
    SELECT
      query,
      item,
      row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank
    FROM run
  ) AS ranked
  WHERE rank <= 50
),

ideal AS (
  SELECT
    query,
    item,
    relevance,
    row_number() OVER (PARTITION BY query ORDER BY relevance DESC, item DESC) AS ideal_rank
  FROM qrels
  WHERE relevance > 0
),

found AS (
  SELECT
    ideal.query,
    relevance,
    ideal_rank,
    rank,
    sum(CASE WHEN rank IS NULL THEN 0 ELSE 1 END) OVER (PARTITION BY ideal.query ORDER BY rank ASC NULLS LAST) AS hits
  FROM ideal
  LEFT JOIN top ON ideal.query = top.query AND ideal.item = top.item
),

per_query AS (
  SELECT
    query,
    sum(CASE WHEN rank <= 5 THEN 1 ELSE 0 END) / count(*) AS recall_at_5,
    sum(CASE WHEN rank <= 10 THEN 1 ELSE 0 END) / count(*) AS recall_at_10,
    sum(CASE WHEN rank <= 20 THEN 1 ELSE 0 END) / count(*) AS recall_at_20,
    sum(CASE WHEN rank <= 50 THEN 1 ELSE 0 END) / count(*) AS recall_at_50,
    sum(CASE WHEN rank <= 10 THEN relevance / log2(rank + 1) ELSE 0 END)
    / sum(CASE WHEN ideal_rank <= 10 THEN relevance / log2(ideal_rank + 1) END) AS ndcg_at_10,
    sum(CASE WHEN rank <= 10 THEN hits / rank ELSE 0 END) / count(*) AS ap_at_10,
    max(CASE WHEN rank IS NOT NULL AND hits = 1 THEN 1 / rank ELSE 0 END) AS rr_at_50
  FROM found
  GROUP BY query
)

SELECT
  sum(recall_at_5) / any_value(judged) AS recall_at_5,
  sum(recall_at_10) / any_value(judged) AS recall_at_10,
  sum(recall_at_20) / any_value(judged) AS recall_at_20,
  sum(recall_at_50) / any_value(judged) AS recall_at_50,
  sum(ndcg_at_10) / any_value(judged) AS ndcg_at_10,
  sum(ap_at_10) / any_value(judged) AS ap_at_10,
  sum(rr_at_50) / any_value(judged) AS rr_at_50
FROM per_query
CROSS JOIN (SELECT count(DISTINCT query) AS judged FROM qrels) AS judged_queries
