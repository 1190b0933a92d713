-- Rows of the run that exclude holds only in another spelling.
--
-- Grain:  one row per such (model, query, item), with the pair of exclude.
-- When:   command = check; exclude = given; engine = duckdb
-- Params: $looked_at, the number of queries to look at, the first ones of exclude; NULL for all.
-- Edges:  a row that exclude removes is not near another pair.
-- Rule:   a pair of exclude differs from a row of the run only in case, blanks, leading zeros, a final .0 or its
--         Unicode form
-- Do:     Write ids in the same way in run and exclude, unless they are different ids.
SELECT
  model,
  min(query) AS query,
  min(item) AS item,
  min(excluded_query) AS excluded_query,
  min(excluded_item) AS excluded_item
FROM (
  SELECT
    model,
    query,
    item,
    plain_query,
    plain_id(item) AS plain_item
  FROM run
  INNER JOIN (
    SELECT
      query,
      plain_query
    FROM (
      SELECT
        query,
        plain_id(query) AS plain_query
      FROM run
      GROUP BY query
    ) AS queries_of_run
    INNER JOIN (
      SELECT plain_id(query) AS plain_query
      FROM (
        SELECT query
        FROM "exclude"
        GROUP BY query
        ORDER BY query ASC NULLS FIRST
        LIMIT $looked_at
      ) AS first_queries
      GROUP BY plain_id(query)
    ) AS queries_to_look_at USING (plain_query)
  ) AS queries_held USING (query)
) AS rows_of_run
INNER JOIN (
  SELECT
    query AS excluded_query,
    item AS excluded_item,
    plain_id(query) AS plain_query,
    plain_id(item) AS plain_item
  FROM "exclude"
) AS excluded_pairs USING (plain_query, plain_item)
LEFT JOIN (
  SELECT
    query,
    item,
    1 AS is_excluded
  FROM "exclude"
  GROUP BY query, item
) AS excluded_as_they_are USING (query, item)
GROUP BY model, plain_query, plain_item
HAVING max(coalesce(is_excluded, 0)) = 0
