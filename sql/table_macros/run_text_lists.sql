-- The check of this name, with lambdas: DuckDB plans what they hold once, and is_list_text would repeat it many times.
--
-- Grain:  one row per such row among the first 1,000 of the run.
-- Params: none.
-- Edges:  as in checks/run_text_lists.sql.
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
WHERE
  CASE
    WHEN has_bracket(CAST(item AS VARCHAR))
      THEN list_transform(
        [CAST(item AS VARCHAR)],
        LAMBDA _text: list_transform(
          [inside_brackets(_text)], LAMBDA _content: is_list_content(_text, _content)
        )[1]
      )[1]
  END
