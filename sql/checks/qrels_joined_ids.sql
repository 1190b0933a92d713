-- Items of the qrels that are several ids in one text, such as `a b`.
--
-- Grain:  one row per such row of the qrels, if they have one row for each query.
-- When:   texts = may_be_lists; qrels = rows; engine = duckdb
-- Seen:   lists, one_pass
-- Order:  2
-- Edges:  titles have blanks too. The texts are single ids if an item of the qrels is an item of the run, or if fewer
--         than half of them have a part that is one. The run is read only if at least half of the texts have
--         separators. Other engines have no common way to split text into rows. The check joined_items finds texts next
--         to single ids.
-- Rule:   {qrels_item} holds several ids in one text in the qrels: no item of the qrels is an item of the run, but
--         parts of such texts are
-- Do:     Split the texts at their separator. If ids hold no blanks, commas, semicolons or bars: in pandas with
--         column.str.strip().str.split('[ ,;|]+'), in DuckDB with string_split_regex(trim(column), '[ ,;|]+'). If each
--         text is one id, make it a list of one item, in pandas with column.map(lambda text: [text]), in DuckDB with
--         [column], and pass relevance=None.
SELECT
  query,
  item
FROM qrels
CROSS JOIN (
  SELECT
    count(CASE WHEN part = joined_ids THEN 1 END) AS known_rows,
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
WHERE has_separators(CAST(item AS VARCHAR)) AND known_rows = 0 AND split_rows > 0 AND 2 * split_rows >= all_rows
