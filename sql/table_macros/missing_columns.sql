-- A message for the first column that an argument names and a relation does not have; NULL if there is none.
--
-- Grain:  a single row.
-- Params: the arguments of the macro; $statement and $qrels_statement, which read the run and the qrels.
-- Edges:  without this message, a column that is not there would be NULL in run_source and qrels_source.
SELECT coalesce(min(CASE WHEN side = 'run' THEN mistake END), min(mistake)) AS mistake
FROM (
  SELECT
    side,
    list_transform(
      list_filter(
        asked, LAMBDA _pair: NOT list_contains(list_transform(names, LAMBDA _name: lower(_name)), lower(_pair[2]))
      ),
      LAMBDA _pair: concat(
        _pair[1], ': ', side, ' has no column ''', _pair[2], '''. Its columns: ', array_to_string(names, ', '),
        '. Name the right one with ', _pair[1], ' := ''…''',
        CASE WHEN _pair[1] = 'relevance' THEN ', or pass relevance := NULL if each row is relevant' END
      )
    )[1] AS mistake
  FROM (
    SELECT
      'run' AS side,
      names,
      [
        ['query', $query],
        ['item', $item],
        [CASE WHEN $rank IS NULL THEN 'score' ELSE 'rank' END, coalesce($rank, $score)],
        ['model', coalesce($model, $query)]
      ] AS asked
    FROM query(concat('SELECT list(column_name) AS _names FROM (DESCRIBE SELECT * ', $statement, ')')) AS of_run (names)
    UNION ALL
    SELECT
      'qrels' AS side,
      names,
      [
        ['query', coalesce($qrels_query, $query)],
        ['item', coalesce($qrels_item, $item)],
        ['relevance', coalesce($relevance, $qrels_item, $item)],
        [
          'by',
          coalesce(CASE WHEN lower($by) = lower($query) THEN $qrels_query END, $by, $qrels_item, $item)
        ]
      ] AS asked
    FROM query(concat('SELECT list(column_name) AS _names FROM (DESCRIBE SELECT * ', $qrels_statement, ')'))
      AS of_qrels (names)
  ) AS sides
) AS mistakes
