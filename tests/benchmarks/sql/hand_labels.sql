-- The means of k10 or k50 by hand in DuckDB, from scores and labels: rank and add up. It checks nothing,
-- and sums in any order.
-- $recall holds the cutoffs of recall. Without a cutoff, $depth is larger than any rank.
WITH top AS (
  SELECT
    query,
    relevance,
    row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank
  FROM read_parquet($run) AS run
  QUALIFY rank <= $depth
),

hits AS (
  SELECT
    query,
    relevance,
    rank,
    row_number() OVER (PARTITION BY query ORDER BY rank) AS hit
  FROM top
  WHERE relevance > 0
),

found AS (
  SELECT
    query,
    count(CASE WHEN rank <= $recall[1] THEN 1 END) AS hits_1,
    count(CASE WHEN rank <= $recall[2] THEN 1 END) AS hits_2,
    count(CASE WHEN rank <= $recall[3] THEN 1 END) AS hits_3,
    count(CASE WHEN rank <= $recall[4] THEN 1 END) AS hits_4,
    sum(CASE WHEN rank <= 10 THEN relevance / log2(rank + 1) END) AS dcg,
    sum(CASE WHEN rank <= 10 THEN hit / rank END) AS precisions,
    1 / min(rank) AS rr
  FROM hits
  GROUP BY query
),

judged AS (
  SELECT
    query,
    count(CASE WHEN relevance > 0 THEN 1 END) AS relevant,
    list_sum(list_transform(max(relevance, 10), LAMBDA gain, n: gain / log2(n + 1))) AS ideal
  FROM read_parquet($run) AS run
  GROUP BY query
)

SELECT
  avg(coalesce(hits_1 / nullif(relevant, 0), 0)) AS recall_1,
  avg(coalesce(hits_2 / nullif(relevant, 0), 0)) AS recall_2,
  avg(coalesce(hits_3 / nullif(relevant, 0), 0)) AS recall_3,
  avg(coalesce(hits_4 / nullif(relevant, 0), 0)) AS recall_4,
  avg(coalesce(dcg / nullif(ideal, 0), 0)) AS ndcg,
  avg(coalesce(precisions / nullif(relevant, 0), 0)) AS ap,
  avg(coalesce(rr, 0)) AS rr
FROM judged
LEFT JOIN found USING (query)
