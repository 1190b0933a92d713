-- A message if parquet files would be read as something else than they hold; NULL if not.
--
-- Grain:  a single row.
-- Params: $sides, a list for each of run and qrels: its name, the argument, and the columns that the macro reads.
-- Edges:  other relations cannot be misread, nor can one file whose path has no directory such as day=1. Fields inside
--         a column have names too; it is enough that they are the same in each file.
SELECT min(mistake) AS mistake
FROM (
  SELECT
    CASE
      WHEN max(directory) <> ''
        THEN format(
          concat(
            '{}: the column ''{}'' of the file has the name of the directory ''{}'' in its path, whose value DuckDB ',
            'would read instead. Rename the directory, or the column in the file'
          ),
          side, name, max(directory)
        )
      WHEN count(DISTINCT file) < max(files)
        THEN format(
          '{}: some files do not hold the column ''{}'' as {}. Write all files with the same types', side, name, kind
        )
    END AS mistake
  FROM (
    SELECT
      side,
      file,
      name,
      kind,
      regexp_extract(file, concat('(?i)(^|[/\\])(', regexp_escape(name), '=[^/\\]*)[/\\]'), 2) AS directory,
      count(DISTINCT file) OVER (PARTITION BY side) AS files
    FROM query(concat(
      'SELECT '''' AS _side, '''' AS _file, '''' AS _name, '''' AS _kind',
      array_to_string(
        list_transform(
          list_filter($sides, LAMBDA _s: regexp_matches(_s[2], '(?i)[=*?[].*[.]parquet"?([?].*)?$')),
          LAMBDA _s: format(
            concat(
              ' UNION ALL SELECT ''{}'', file_name, name, duckdb_type ',
              'FROM parquet_schema(''{}'') WHERE lower(name) IN ({})'
            ),
            _s[1], replace(trim(_s[2], '"'), '''', ''''''),
            lower(array_to_string(list_transform(_s[3:6], LAMBDA _c: '''' || replace(_c, '''', '''''') || ''''), ', '))
          )
        ),
        ''
      )
    )) AS given
  ) AS fields
  GROUP BY side, name, kind
) AS mistakes
