-- What the messages about run and qrels name, as an expression.
--
-- Grain:  a single row.
-- Params: the arguments of the macro.
-- Edges:  a list for each side: its name, the argument, three columns of ids, models or slices, and the column of
--         numbers. As text, a list in place of a name does not stop DuckDB before our message.
SELECT
  [
    [
      'run', CAST($run AS VARCHAR), CAST($model AS VARCHAR), CAST($query AS VARCHAR), CAST($item AS VARCHAR),
      coalesce($rank, $score)
    ],
    [
      'qrels', CAST($qrels AS VARCHAR), CAST($by AS VARCHAR), CAST(coalesce($qrels_query, $query) AS VARCHAR),
      CAST(coalesce($qrels_item, $item) AS VARCHAR), $relevance
    ]
  ] AS sides
