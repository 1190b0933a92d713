-- The check of this name, with lambdas: DuckDB plans what they hold once, and is_list_text would repeat it many times.
--
-- Grain:  one row per such row of the qrels.
-- Params: none.
-- Edges:  as in checks/qrels_text_lists.sql.
SELECT
  query,
  item
FROM qrels
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
