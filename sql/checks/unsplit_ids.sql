-- Text that may be several ids, in a run that holds only queries and items.
--
-- Grain:  one row per such text.
-- Reads:  ids, a column of items.
-- When:   source = without_scores
-- Rule:   the run has no scores, and the texts of column {column} may be lists in rank order
-- Do:     If they are lists, make a list of each text. json.loads reads JSON, and ast.literal_eval reads quoted values
--         with commas between them. If ids hold only letters, digits, dots, hyphens and _, this reads the others: in
--         pandas column.str.findall(r'[\w.-]+'), in DuckDB regexp_extract_all(column, '[\w.-]+'). If each is one id,
--         add a column of scores or ranks.
SELECT id
FROM ids
WHERE is_list_text(id) OR has_separators(id)
