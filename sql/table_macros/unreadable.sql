-- A message if an argument names what a macro cannot read; NULL if not.
--
-- Grain:  a single row.
-- Params: the arguments of the macro; $sides, a list for each of run and qrels: its name, the argument, three columns
--         of ids, models or slices, and the column of numbers.
-- Edges:  DuckDB guesses the types of CSV and JSON files from their first rows: 0.4 may become 0, and '1.10' the number
--         1.1. A table whose name ends like such a file is refused too.
SELECT
  CASE
    WHEN typeof($run) <> 'VARCHAR' OR typeof($qrels) <> 'VARCHAR'
      THEN 'run, qrels: the name of a table, view or parquet file, or a glob, is expected. Use a glob for several files'
    WHEN typeof(row($query, $item, $model, $by, $qrels_query, $qrels_item)) LIKE '%]%'
      THEN 'query, item, model, by: the name of one column is expected, not a list. Join several columns in a view'
    ELSE
      list_transform(
        list_filter(
          $sides,
          LAMBDA _s: regexp_matches(_s[2], '(?i)[.](csv|tsv|(geo|nd)?json|jsonl)([.](gz|zst))?"?([?].*)?$')
        ),
        LAMBDA _s: format(
          concat(
            '{0}: DuckDB would guess the types in {1} from its first rows. Pass the name of a view with types, such ',
            'as CREATE VIEW {0} AS FROM read_{2} = {{{3}}}, hive_partitioning = false)'
          ),
          _s[1], _s[2],
          format(
            CASE
              WHEN regexp_matches(_s[2], '(?i)json') THEN 'json(''{}'', columns'
              ELSE 'csv(''{}'', quote = ''"'', comment = '''', types'
            END,
            replace(trim(_s[2], '"'), '''', '''''')
          ),
          concat(
            array_to_string(
              list_transform(_s[3:5], LAMBDA _c: '''' || replace(_c, '''', '''''') || ''': ''VARCHAR'''), ', '
            ),
            ', ''' || replace(_s[6], '''', '''''') || ''': ''DOUBLE'''
          )
        )
      )[1]
  END AS mistake
