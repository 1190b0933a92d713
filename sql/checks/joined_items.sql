-- Items of the qrels that may be several ids in one text, such as `a b`, next to others that are single ids.
--
-- Grain:  one row per such row of the qrels, if they have one row for each query.
-- When:   command = check; texts = may_be_lists; qrels = rows; engine = duckdb
-- Edges:  as in the check qrels_joined_ids, which finds an error if no item of the qrels is an item of the run. Here, a
--         single id is one, but no text with separators is.
-- Rule:   {qrels_item} may hold several ids in one text in the qrels: no such text is an item of the run, but its parts
--         are
-- Do:     If the texts are several ids, split them at their separator. If each text is one id, such as a title, nothing
--         is wrong.
SELECT
  query,
  item
FROM qrels
CROSS JOIN (
  SELECT
    count(CASE WHEN part = joined_ids THEN 1 END) AS known_rows,
    count(CASE WHEN part = joined_ids AND has_separators(joined_ids) THEN 1 END) AS known_texts,
    count(DISTINCT CASE WHEN part <> joined_ids AND has_separators(joined_ids) THEN joined_ids END) AS split_rows
  FROM (
    SELECT
      CAST(item AS VARCHAR) AS joined_ids,
      unnest(
        list_concat([CAST(item AS VARCHAR)], regexp_split_to_array(trim(CAST(item AS VARCHAR)), '[\s,;|]+'))
      ) AS part
    FROM qrels
    CROSS JOIN (
      SELECT 1 AS is_suspicious
      FROM qrels
      CROSS JOIN (
        SELECT 1 AS is_row_of_query
        FROM qrels
        HAVING count(*) = count(DISTINCT query)
      ) AS rows_of_queries
      HAVING 2 * count(CASE WHEN has_separators(CAST(item AS VARCHAR)) THEN 1 END) >= count(*) AND count(*) > 0
    ) AS suspicion
  ) AS parts
  INNER JOIN (SELECT CAST(item AS VARCHAR) AS part FROM run) AS run_items USING (part)
) AS matches
CROSS JOIN (
  SELECT count(DISTINCT CASE WHEN has_separators(CAST(item AS VARCHAR)) THEN CAST(item AS VARCHAR) END) AS all_rows
  FROM qrels
  CROSS JOIN (
    SELECT 1 AS is_row_of_query
    FROM qrels
    HAVING count(*) = count(DISTINCT query)
  ) AS rows_of_queries
) AS texts
WHERE
  has_separators(CAST(item AS VARCHAR))
  AND known_rows > 0
  AND known_texts = 0
  AND split_rows > 0
  AND 2 * split_rows >= all_rows
