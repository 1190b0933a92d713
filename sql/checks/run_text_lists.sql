-- Items of a run that are the text of a list, and would match no item.
--
-- Grain:  one row per such row among the first 1,000 of the run, because a look at all rows would cost a scan.
-- When:   texts = may_be_lists
-- Seen:   lists, one_pass
-- Order:  2
-- Rule:   {item} holds the text of a list in the run, which would be one id
-- Do:     Make a list of each text, or one row for each item. json.loads reads JSON, and ast.literal_eval reads quoted
--         values with commas between them. If ids hold only letters, digits, dots, hyphens and _, this reads the
--         others: in pandas column.str.findall(r'[\w.-]+'), in DuckDB regexp_extract_all(column, '[\w.-]+'). Or store
--         lists as parquet instead of CSV.
SELECT
  model,
  query,
  item
FROM (
  SELECT
    model,
    query,
    item
  FROM run
  LIMIT 1000
) AS first_rows
WHERE is_list_text(CAST(item AS VARCHAR))
