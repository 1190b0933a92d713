-- Items of exclude that are the text of a list, and would exclude nothing.
--
-- Grain:  one row per such row of exclude.
-- When:   exclude = given; texts = may_be_lists
-- Order:  2
-- Rule:   {item} holds the text of a list in exclude, which would be one id
-- Do:     Make one row for each item: first, a list of each text. json.loads reads JSON, and ast.literal_eval reads
--         quoted values with commas between them. If ids hold only letters, digits, dots, hyphens and _, this reads the
--         others: in pandas column.str.findall(r'[\w.-]+'), in DuckDB regexp_extract_all(column, '[\w.-]+'). Then call
--         explode or unnest.
SELECT
  query,
  item
FROM "exclude"
WHERE is_list_text(CAST(item AS VARCHAR))
