-- The means of k10 or k50 by hand in DuckDB, from ranks: join and add up. It checks nothing, and sums in any order.
-- $recall holds the cutoffs of recall. Without a cutoff, $depth is larger than any rank.
WITH hits AS (
  SELECT
    query,
    relevance,
    rank,
    row_number() OVER (PARTITION BY query ORDER BY rank) AS hit
  FROM read_parquet($run) AS run
  INNER JOIN read_parquet($qrels) AS qrels USING (query, item)
  WHERE rank <= $depth
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
    count(*) AS relevant,
    list_sum(list_transform(max(relevance, 10), LAMBDA gain, n: gain / log2(n + 1))) AS ideal
  FROM read_parquet($qrels) AS qrels
  GROUP BY query
)

SELECT
  avg(coalesce(hits_1, 0) / relevant) AS recall_1,
  avg(coalesce(hits_2, 0) / relevant) AS recall_2,
  avg(coalesce(hits_3, 0) / relevant) AS recall_3,
  avg(coalesce(hits_4, 0) / relevant) AS recall_4,
  avg(coalesce(dcg, 0) / ideal) AS ndcg,
  avg(coalesce(precisions, 0) / relevant) AS ap,
  avg(coalesce(rr, 0)) AS rr
FROM judged
LEFT JOIN found USING (query)
