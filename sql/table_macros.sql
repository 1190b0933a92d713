-- noqa: disable=all
-- The table macros of DuckDB but those of single metrics, as a template of recall_duckdb.sql. `python -m
-- recall_duckdb.macros` puts values in place of $names, such as a number for each check, in the order in which evaluate
-- reports faults.
--
-- An argument replaces each unqualified name that equals it, so our columns begin with _, and our relations with _rd_.
-- DuckDB 1.4 confuses a MATERIALIZED relation with the user's table of that name. So $rd$lists and $rd$groups have names
-- that are refused for tables.
-- DuckDB binds each expression at every call of a macro, which takes longer than 1,000 rows do. So there are few: the
-- statements that read run and qrels are texts, and what they do only for some arguments is written in them.

-- recall_duckdb: ranking metrics as table macros. Written by `python -m recall_duckdb.macros`.
-- Version $version. Any DuckDB client can load this file: DuckDB 1.4.3 or later.
-- In a database with the name of the schema, DuckDB could not tell them apart: check before creating it.
SET VARIABLE recall_duckdb_refused = (
  SELECT CASE WHEN count(*) > 0 THEN error(
    'a database is called recall_duckdb, like the schema of the macros. Attach it under another name, call '
    'recall_duckdb.install from Python, or load what follows CREATE SCHEMA in this file'
  ) END
  FROM duckdb_databases()
  WHERE lower(database_name) = 'recall_duckdb'
);
RESET VARIABLE recall_duckdb_refused;
CREATE SCHEMA IF NOT EXISTS recall_duckdb;

-- The names of the macros in this file, and its version.
CREATE OR REPLACE MACRO recall_duckdb.recall_duckdb_macros() AS $macros;
CREATE OR REPLACE MACRO recall_duckdb.recall_duckdb_version() AS '$version';

-- The names of checks, and their rules, '<do>' and what to do.
CREATE OR REPLACE MACRO recall_duckdb._checks() AS $checks;
CREATE OR REPLACE MACRO recall_duckdb._texts() AS $texts;

-- Judged items with is_relevant and gain, as in 3_judging.
CREATE OR REPLACE MACRO recall_duckdb._judged_rows(judged, threshold, as_float, gain_kind) AS
$judged_rows;

-- A number as a FLOAT column holds it; NULL if it is out of its range or has more than 7 digits.
CREATE OR REPLACE MACRO recall_duckdb._as_float(_number) AS CASE
  WHEN
    CAST(printf('%.7g', CAST(_number AS DOUBLE)) AS DOUBLE) = CAST(_number AS DOUBLE)
    AND abs(CAST(_number AS DOUBLE)) >= CAST('1e-37' AS DOUBLE)
    THEN CAST(TRY_CAST(CAST(_number AS DOUBLE) AS FLOAT) AS DOUBLE)
END;

-- The first k items of a list, the type of ids, which is the same for all whole numbers but UHUGEINT, finite numbers as
-- doubles, and what a message shows of a list.
CREATE OR REPLACE MACRO recall_duckdb._first(_items, _k) AS
list_slice(_items, 1, coalesce(TRY_CAST(CAST(_k AS VARCHAR) AS BIGINT), len(_items)));
CREATE OR REPLACE MACRO recall_duckdb._type_of(_items) AS regexp_replace(
  regexp_replace(typeof(_items), '\[\d*\]$', ''), '^(HUGE|U?(TINY|SMALL|BIG)?)INT(EGER)?$', 'INTEGER'
);
CREATE OR REPLACE MACRO recall_duckdb._finite(_numbers) AS
list_filter(CAST(_numbers AS DOUBLE[]), LAMBDA _number: isfinite(_number));
CREATE OR REPLACE MACRO recall_duckdb._start(_items) AS substring(CAST(_items AS VARCHAR), 1, 200);

-- What a function of lists passes to that of judged items, after its arguments were checked: the judged items in the order
-- of their ranks, the number of recommended items and the cutoff. An item that is not recommended has no rank, and comes
-- last. An empty list counts as one irrelevant item. Only the first k recommended items are checked, if the metric reads
-- no others, and no lists of a query that is not judged. Arguments may be aggregates, which a lambda cannot hold.
CREATE OR REPLACE MACRO recall_duckdb._of_lists(
  recommended, relevant, grades, threshold, k, _whole := FALSE, _required := FALSE, _gain := 'linear', _max_grade := NULL,
  _mistake := NULL
) AS list_transform(
  [{
    'recommended': recommended, 'relevant': relevant, 'grades': grades, 'threshold': threshold, 'k': k, 'mistake': _mistake,
    'cutoff': TRY_CAST(CAST(k AS VARCHAR) AS DOUBLE), 'above': TRY_CAST(CAST(threshold AS VARCHAR) AS DOUBLE)
  }],
  LAMBDA _q: coalesce(error(coalesce(_q.mistake, CASE
    WHEN NOT coalesce(_q.cutoff BETWEEN 1 AND 1e9 AND _q.cutoff = floor(_q.cutoff), _q.k IS NULL)
      THEN concat(
        'k: a whole number above 0 is expected, or NULL for the whole list, not ', CAST(_q.k AS VARCHAR),
        '. The highest is 1000000000'
      )
    WHEN _required AND _q.k IS NULL THEN 'k: this metric needs a cutoff'
    WHEN NOT coalesce(_q.above > 0 AND isfinite(_q.above), _q.threshold IS NULL)
      THEN concat('threshold: a number above 0 is expected, not ', CAST(_q.threshold AS VARCHAR))
    WHEN _q.relevant IS NULL THEN NULL
    WHEN
      recall_duckdb._type_of(_q.recommended) <> recall_duckdb._type_of(_q.relevant)
      AND len(_q.recommended) > 0 AND len(_q.relevant) > 0
      THEN concat(
        'recommended and relevant differ in type: ', typeof(_q.recommended), ' and ', typeof(_q.relevant),
        '. Cast one of them. As text, 7 and ''007'' are different ids'
      )
    WHEN
      list_unique(recall_duckdb._first(_q.recommended, CASE WHEN NOT _whole THEN _q.k END))
      < len(recall_duckdb._first(_q.recommended, CASE WHEN NOT _whole THEN _q.k END))
      THEN concat(
        'recommended: an item occurs twice', CASE WHEN _q.k IS NOT NULL AND NOT _whole THEN ' among the first k' END,
        ', or is NULL: ', recall_duckdb._start(_q.recommended)
      )
    WHEN list_unique(_q.relevant) < len(_q.relevant)
      THEN concat(
        'relevant: an item occurs twice, or is NULL. Make the list with list(DISTINCT item) FILTER (item IS NOT NULL): ',
        recall_duckdb._start(_q.relevant)
      )
    WHEN _q.grades IS NOT NULL AND len(recall_duckdb._finite(_q.grades)) <> len(_q.relevant)
      THEN concat(
        'grades: one number is expected for each relevant item, not ', recall_duckdb._start(_q.grades), ' for ',
        recall_duckdb._start(_q.relevant)
      )
    WHEN list_max(recall_duckdb._finite(_q.grades)) > _max_grade * CAST(1.0000001 AS DOUBLE)
      THEN concat('grades: ', CAST(list_max(_q.grades) AS VARCHAR), ' is above max_grade. Set it to the highest grade')
    WHEN
      list_max(recall_duckdb._finite(_q.grades)) >= CASE WHEN _gain = 'exponential' THEN 40 ELSE CAST(1e12 AS DOUBLE) END
      THEN concat(
        'grades: ', CAST(list_max(_q.grades) AS VARCHAR),
        ' is too large: 1e12 or more, or 40 or more with exponential gain'
      )
  END)), {
    'judged': recall_duckdb._judged_rows(
      CASE
        WHEN len(_q.relevant) = 0 THEN [{ 'rank': NULL, 'relevance': CAST(0 AS DOUBLE) }]
        ELSE system.main.list_sort(list_transform(_q.relevant, LAMBDA _item, _place: {
          'rank': list_position(_q.recommended, _item),
          'relevance': CASE WHEN _q.grades IS NULL THEN CAST(1 AS DOUBLE) ELSE CAST(list_extract(_q.grades, _place) AS DOUBLE) END
        }), 'ASC', 'NULLS LAST')
      END,
      CAST(_q.threshold AS DOUBLE), recall_duckdb._as_float(_q.threshold), _gain
    ),
    'retrieved': len(_q.recommended),
    'k': TRY_CAST(CAST(_q.k AS VARCHAR) AS BIGINT)
  })
)[1];

-- The message for an option that has no allowed value; NULL if it has one.
CREATE OR REPLACE MACRO recall_duckdb._wrong(_is_allowed, _option, _expected) AS
CASE WHEN NOT coalesce(_is_allowed, FALSE)
  THEN concat(_expected, ' is expected, not ', coalesce(CAST(_option AS VARCHAR), 'NULL')) END;

-- As all_differ and first_list_text in functions.sql, and an item that a list holds twice.
CREATE OR REPLACE MACRO recall_duckdb._all_differ(_items) AS CASE
  WHEN len(_items) > 256 THEN list_unique(_items) = len(_items)
  ELSE coalesce(list_sum(list_transform(_items, LAMBDA _item: list_position(_items, _item))), 0)
    = len(_items) * (len(_items) + 1) // 2
END;
CREATE OR REPLACE MACRO recall_duckdb._repeated_in(_items) AS
list_extract(list_filter(_items, LAMBDA _item, _place: list_position(_items, _item) < _place), 1);
CREATE OR REPLACE MACRO recall_duckdb._is_list(_id) AS regexp_full_match(
  CASE WHEN typeof(_id) = 'VARCHAR' THEN CAST(_id AS VARCHAR) END,
  '(?s)\[\s*(["''].*["''],?|[\d., ]*|[^\[\]]+,[^\[\]]*)\s*\]'
  '|\{\s*(["''].*["''],?|["''].*:.*|[\d., ]*|[^{}]+,[^{}]*)\s*\}|\(\s*(["''].*["''],?|[\d., ]+,[\d., ]*)\s*\)'
);

-- The column that an argument names; several ones are a column of structs.
CREATE OR REPLACE MACRO recall_duckdb._column(_given, _several) AS
CASE WHEN typeof(_given) LIKE '%]' THEN _several ELSE CAST(_given AS VARCHAR) END;

-- A column of structs, in the text of a SELECT. It is NULL if a field is.
CREATE OR REPLACE MACRO recall_duckdb._struct(_given, _name) AS CASE WHEN typeof(_given) LIKE '%]' THEN concat(
  ', CASE WHEN NOT (',
  regexp_replace(
    replace(array_to_string(TRY_CAST(_given AS VARCHAR[]), chr(31)), '"', '""'), '([^\x1f]+)\x1f?', '"\1" IS NULL OR ', 'g'
  ),
  'FALSE) THEN {',
  regexp_replace(
    replace(array_to_string(TRY_CAST(_given AS VARCHAR[]), chr(31)), '"', '""'), '([^\x1f]+)\x1f?', '"\1": "\1", ', 'g'
  ),
  '} END AS "', _name, '"'
) END;

-- Texts of statements for arguments that cannot be read, where \1 to \4 are the names of columns, \5 the relation, \6
-- the side, and \7 the argument of numbers. An error in a text of `query` comes before anything is read.
CREATE OR REPLACE MACRO recall_duckdb._guessed() AS $text$FROM query(error(format(
  '{0}: DuckDB would guess the types in {1} from its first rows. Pass the name of a view with types, such as '
  'CREATE VIEW {0} AS FROM read_{2}(''{3}'', {4} = {{{5}}}, hive_partitioning = false)',
  '\6', replace(trim($rd$\5$rd$, '"'), '"."', '.'),
  CASE WHEN regexp_matches($rd$\5$rd$, '(?i)json') THEN 'json' ELSE 'csv' END,
  replace(replace(trim($rd$\5$rd$, '"'), '"."', '.'), chr(39), repeat(chr(39), 2)),
  CASE WHEN regexp_matches($rd$\5$rd$, '(?i)json') THEN 'columns' ELSE 'quote = ''"'', comment = '''', types' END,
  array_to_string(
    list_transform(
      list_filter([$rd$\4$rd$, $rd$\1$rd$, $rd$\2$rd$, $rd$\3$rd$], LAMBDA _x: NOT contains(_x, '\\recall_duckdb_')),
      LAMBDA _x: format(
        '''{}'': ''{}''', replace(replace(_x, chr(39), repeat(chr(39), 2)), '""', '"'),
        CASE WHEN _x = $rd$\3$rd$ THEN 'DOUBLE' ELSE 'VARCHAR' END
      )
    ), ', '
  )
)))$text$;
CREATE OR REPLACE MACRO recall_duckdb._no_name() AS $text$FROM query(error(
  '\6: the name of a table, view or parquet file, or a glob, is expected. Use a glob for several files'
))$text$;
CREATE OR REPLACE MACRO recall_duckdb._wrong_names(query, item, score, rank, relevance, model, qrels_query, qrels_item) AS CASE
  WHEN typeof(row(item, score, rank, relevance, model, qrels_item)) LIKE '%]%'
    THEN $text$FROM query(error('item, score, rank, relevance, model: the name of one column is expected, not a list'))$text$
  WHEN '[]' IN (CAST(query AS VARCHAR), CAST(qrels_query AS VARCHAR))
    THEN $text$FROM query(error('query, qrels_query: name a column, or a list of columns'))$text$
  WHEN rank IS NULL AND regexp_matches(CAST(score AS VARCHAR), $distance)
    THEN $text$FROM query(error($rd$score: '\3' is usually a distance, of which the lowest is the best. Rename it in a view, or write a macro with this order: recall-duckdb sql RUN --order ascending --form macro --name my_recall$rd$))$text$
  WHEN rank IS NULL AND regexp_full_match(regexp_replace(lower(CAST(score AS VARCHAR)), '[^a-z0-9]', '', 'g'), $usual_ranks)
    THEN $text$FROM query(error($rd$score: '\3' is usually a rank, of which the lowest is the best. Pass rank := '\3'$rd$))$text$
  WHEN
    list_unique(string_split(lower(concat_ws(chr(31), query, item, coalesce(rank, score), model)), chr(31)))
    < CASE WHEN model IS NULL THEN 3 ELSE 4 END
    THEN $text$FROM query(error('query, item, \7, model: two of them name the same column of the run, perhaps by = instead of :='))$text$
  WHEN
    list_unique(
      string_split(lower(concat_ws(chr(31), coalesce(qrels_query, query), coalesce(qrels_item, item), relevance)), chr(31))
    ) < CASE WHEN relevance IS NULL THEN 2 ELSE 3 END
    THEN $text$FROM query(error('qrels_query, qrels_item, relevance: two of them name the same column of the qrels, perhaps by = instead of :='))$text$
END;

-- The names and values of columns with usual names of models, as a part of such a text.
CREATE OR REPLACE MACRO recall_duckdb._unnamed() AS $text$, nullif(CAST(struct_pack(*COLUMNS(
  LAMBDA _c: _c = '\\recall_duckdb_none' OR (
    regexp_full_match(regexp_replace(lower(_c), '[^a-z0-9]', '', 'g'), $usual_models)
    AND NOT list_contains([lower($rd$\1$rd$), lower($rd$\2$rd$), lower($rd$\3$rd$)], lower(_c))
  )
)) AS VARCHAR), '{''\\\\recall_duckdb_none'': NULL}') AS _other$text$;

-- A condition on parquet files: none is read as something else than it holds. Fields inside a column have names too; it
-- is enough that they are the same in each file.
CREATE OR REPLACE MACRO recall_duckdb._whole_files() AS $text$ WHERE (
SELECT error(min(_mistake)) IS NULL
FROM (
  SELECT CASE
    WHEN max(_directory) <> '' THEN format(
      '\6: the column ''{}'' of the file has the name of the directory ''{}'' in its path, whose value DuckDB would read '
      'instead. Rename the directory, or the column in the file', name, max(_directory)
    )
    WHEN count(DISTINCT file_name) < max(_files) THEN format(
      '\6: some files do not hold the column ''{}'' as {}. Write all files with the same types', name, duckdb_type
    )
  END AS _mistake
  FROM (
    SELECT
      *, count(DISTINCT file_name) OVER () AS _files,
      regexp_extract(file_name, concat('(?i)(^|[/\\\\])(', regexp_escape(name), '=[^/\\\\]*)[/\\\\]'), 2) AS _directory
    FROM parquet_schema(replace(replace(trim($rd$\5$rd$, '"'), '"."', '.'), '""', '"'))
    WHERE lower(name) IN (lower($rd$\1$rd$), lower($rd$\2$rd$), lower($rd$\3$rd$), lower($rd$\4$rd$))
  )
  GROUP BY name, duckdb_type
))$text$;

-- True if a column may be the name of a directory of parquet files. DuckDB 1.4 fails if it combines the statistics of such
-- a column, which greatest() does not pass on.
CREATE OR REPLACE MACRO recall_duckdb._in_directories(_given) AS
regexp_matches(CAST(_given AS VARCHAR), '(?i)[=*?[].*[.]parquet"?([?].*)?$');

-- The statement that reads run or qrels: its columns as _group (model or slice), _query, _item and _number (score, rank
-- or relevance). An argument that names no column is '\recall_duckdb_one', which is 1, or '\recall_duckdb_none'.
--
-- A column that is not there is found outside the LATERAL, where it is an error with the names of columns. DuckDB
-- guesses the types of CSV and JSON files from their first rows: 0.4 may become 0, and '1.10' the number 1.1. In parquet
-- files, it reads a directory day=1 instead of a column, and casts columns to the types of the first file.
CREATE OR REPLACE MACRO recall_duckdb._statement(
  _side, _given, _query, _item, _number, _group, _argument, _group_argument, _structs, _more, _score, _other, _wrong
) AS regexp_replace(
  concat_ws(
    chr(30),
    replace(concat_ws(chr(30), _query, _item, _number, _group), '"', '""'),
    CASE
      WHEN regexp_full_match(CAST(_given AS VARCHAR), '("([^"]|"")+"|[^".]+)([.]("([^"]|"")+"|[^".]+)){0,2}')
        THEN regexp_replace(CAST(_given AS VARCHAR), '"(([^"]|"")+)"|([^".]+)', '"\1\3"', 'g')
      ELSE concat('"', replace(CAST(_given AS VARCHAR), '"', '""'), '"')
    END,
    concat_ws(chr(30), _side, _argument, _group_argument), coalesce(_structs, '')
  ),
  '(?s)^(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*?)\x1e(.*)$',
  CASE
    WHEN typeof(_given) <> 'VARCHAR' THEN recall_duckdb._no_name()
    WHEN regexp_matches(CAST(row(_given, _query, _item, _number, _group) AS VARCHAR), '[$]rd[$]|[\x1e\x1f]')
      THEN $text$FROM query(error('a name holds ' || '$' || 'rd$ or a control character. Rename it in a view'))$text$
    WHEN regexp_matches(CAST(_given AS VARCHAR), '(?i)[.](csv|tsv|(geo|nd)?json|jsonl)([.](gz|zst))?"?([?].*)?$')
      THEN recall_duckdb._guessed()
    WHEN _wrong IS NOT NULL THEN _wrong
    ELSE regexp_replace(concat(
      $text$SELECT _rd_read.*$text$, _score, $text$ FROM (
        SELECT
          error(concat($rd$query: \6 has no column '\1'$rd$, _own, $rd$query := '…'$rd$)) AS "\1",
          error(concat($rd$item: \6 has no column '\2'$rd$, _own, $rd$item := '…'$rd$)) AS "\2",
          error(concat($rd$\7: \6 has no column '\3'$rd$, _own, $rd$\7 := '…'$text$, _more, $text$$rd$)) AS "\3",
          error(concat($rd$\8: \6 has no column '\4'$rd$, _own, $rd$\8 := '…'$rd$)) AS "\4"
        FROM (
          SELECT concat('. Its columns: ', string_agg(column_name, ', '), '. Name the right one with ') AS _own
          FROM (DESCRIBE FROM \5)
        )
      ) AS _rd_given, LATERAL (
        SELECT
          _rd_given."\4" AS _group, _rd_given."\1" AS _query, _rd_given."\2" AS _item,
          _rd_given."\3" AS _number$text$, _other, $text$
        FROM (SELECT *, 1 AS "\\recall_duckdb_one", NULL AS "\\recall_duckdb_none"\9 FROM \5) AS _rd_given
      ) AS _rd_read$text$,
      CASE WHEN recall_duckdb._in_directories(_given) THEN recall_duckdb._whole_files() END
    ), CASE WHEN recall_duckdb._in_directories(_given) THEN '_rd_given[.]".."' ELSE '^$' END, 'greatest(\0)', 'g')
  END
);

-- The types of ids and numbers, and whether text has a collation, as lines.
CREATE OR REPLACE MACRO recall_duckdb._types(_query, _item, _number, _given) AS concat_ws(
  chr(10), CASE WHEN typeof(_given) LIKE '%]' THEN substring(typeof(_query), 7) ELSE typeof(_query) END, typeof(_item),
  typeof(_number),
  concat_ws('', CASE WHEN FALSE THEN _query END, CASE WHEN FALSE THEN _item END, 'Aé') IN ('aé', 'Ae')
);

-- An item. DuckDB would fail to cast the items of the other side to lists.
CREATE OR REPLACE MACRO recall_duckdb._single(_item, query, item) AS CASE WHEN typeof(_item) LIKE '%]' THEN error(format(
  'item: a list is in one row. Pass a view with a row for each item: SELECT {0}, unnest({1}) AS {1}, '
  'generate_subscripts({1}, 1) AS rank FROM run, and rank := ''rank''', CAST(query AS VARCHAR), item
)) ELSE _item END;

-- The argument `k` as a list of cutoffs; NULL is the whole list. `_judged` refuses what cannot be a cutoff.
CREATE OR REPLACE MACRO recall_duckdb._cutoffs(_given) AS coalesce(
  nullif(list_distinct(TRY_CAST('[' || trim(CAST(_given AS VARCHAR), '[]') || ']' AS BIGINT[])), []),
  [CAST(NULL AS BIGINT)]
);

-- The statement that reads "$rd$groups": the judged items of every query, each with its rank in the list of a model, and
-- the first fault of each side. `_judged` is NULL if the query is not judged.
CREATE OR REPLACE MACRO recall_duckdb._listed(rank, model, "by") AS concat(
  $text$SELECT *, CASE
    WHEN (_rows > 0 AND (_model IS NULL OR _query IS NULL)) OR _items < _rows THEN $run_ids
    $text$, CASE WHEN rank IS NULL THEN $text$WHEN _numbers < _rows OR isnan(list_extract(_top_numbers, 1)) THEN $run_scores $text$
      ELSE $text$WHEN _numbers < _rows THEN $run_ranks $text$
    END, $text$
    WHEN recall_duckdb._is_list(list_extract(_recommended, 1)) THEN $run_text_lists
    WHEN (_relevant IS NOT NULL OR _depth IS NULL) AND NOT recall_duckdb._all_differ(_recommended) THEN $run_duplicates
    $text$, CASE WHEN rank IS NOT NULL THEN $text$
    WHEN list_extract(_top_numbers, 1) <> -1 OR list_unique(_top_numbers) < len(_top_numbers) THEN $ranks
    WHEN list_slice(_top_numbers, 1, _retrieved) <> range(-1, -1 - _retrieved, -1) THEN $ranks_gap $text$ END, $text$
  END AS _run_fault,
  CASE
    WHEN _relevant IS NULL THEN NULL
    WHEN _query IS NULL OR list_count(_relevant) < len(_relevant) THEN $qrels_ids
    WHEN list_count(_grades) < len(_grades) OR isnan(list_max(_grades)) THEN $qrels_relevance
    WHEN len(list_filter(_relevant, LAMBDA _item: recall_duckdb._is_list(_item))) > 0 THEN $qrels_text_lists
    WHEN NOT recall_duckdb._all_differ(_relevant) THEN $qrels_duplicates
    WHEN list_max(_grades) >= 1e12 THEN $qrels_range
    WHEN _gain = 'exponential' AND list_max(_grades) >= 40 THEN $gains
    WHEN list_max(_grades) > _max_grade * CAST(1.0000001 AS DOUBLE) THEN $grades
    $text$, CASE WHEN "by" IS NOT NULL THEN $text$
    WHEN _slice <> _last_slice THEN $slices_of_qrels WHEN _slice IS NULL THEN $slice_nulls $text$ END, $text$
  END AS _qrels_fault
FROM (
  SELECT
    *,
    struct_extract(list_extract(_judged, 1), 'rank') IS NULL AS _is_lost,
    list_contains(list_transform(_judged, LAMBDA _row: struct_extract(_row, 'is_relevant')), 1) AS _has_relevant
  FROM (
    SELECT
      *,
      coalesce(len(_recommended), 0) AS _retrieved,
      recall_duckdb._judged_rows(
        list_sort(
          list_transform(
            _relevant,
            LAMBDA _item, _place: {
              'rank': list_position(_recommended, _item), 'relevance': list_extract(_grades, _place)
            }
          ), 'ASC', 'NULLS LAST'
        ), _threshold, _as_float, _gain
      ) AS _judged
    FROM (
      SELECT
        *,
        list_transform(
          $text$, CASE WHEN rank IS NULL THEN '_top' ELSE 'list_slice(_top, 1, coalesce(_depth, len(_top)))' END, $text$,
          LAMBDA _row: struct_extract(_row, 'item')
        ) AS _recommended,
        list_transform(
          $text$, CASE WHEN rank IS NULL THEN 'list_slice(_top, 1, 1)' ELSE '_top' END, $text$,
          LAMBDA _row: TRY_CAST(struct_extract(_row, 'number') AS DOUBLE)
        ) AS _top_numbers
      FROM $text$, CASE WHEN model IS NULL THEN '"$rd$groups"' ELSE $text$(
        SELECT *
        FROM (SELECT DISTINCT _model FROM "$rd$groups" WHERE _rows > 0) AS _rd_models
        CROSS JOIN (
          SELECT _query, _relevant, _grades, _slice, _last_slice, _qrels_types, _fillers FROM "$rd$groups" WHERE _relevant IS NOT NULL
        ) AS _rd_judged
      ) AS _rd_judgements
      FULL JOIN (
        SELECT * EXCLUDE (_relevant, _grades, _slice, _last_slice, _qrels_types, _fillers) FROM "$rd$groups" WHERE _rows > 0
      ) AS _rd_own USING (_model, _query)$text$ END, $text$
      CROSS JOIN _rd_given
    ) AS _rd_listed
  ) AS _rd_ranked
) AS _rd_found$text$);

-- A row for each model and query of either side: their lists and facts. `_judged` is NULL if the query is not judged. When
-- DuckDB creates a macro, it plans those that it calls. With the statement of this one, which follows at the end, DuckDB
-- 1.4 would take ten times as long.
CREATE OR REPLACE MACRO recall_duckdb._lists(run, qrels, $columns, depth, gain, max_grade) AS TABLE FROM query(run);

-- The model, the query and a repeated item of a row with a fault.
CREATE OR REPLACE MACRO recall_duckdb._example(_fault, _row, query, item, qrels_query, qrels_item, model) AS concat_ws(
  ', ',
  CASE WHEN model IS NOT NULL THEN format('{}=''{}''', model, _row._model) END,
  format('{}=''{}''', CAST(CASE WHEN _row._is_run THEN query ELSE coalesce(qrels_query, query) END AS VARCHAR), _row._query),
  CASE
    WHEN _fault IN ($run_duplicates, $qrels_duplicates)
      THEN format(
        '{}=''{}''', CASE WHEN _row._is_run THEN item ELSE coalesce(qrels_item, item) END,
        recall_duckdb._repeated_in(_row._items)
      )
  END
);

-- The rule of a fault, '<do>' and what to do, with the names of columns. Faults of types and names follow the checks.
CREATE OR REPLACE MACRO recall_duckdb._told(_fault, _types, _nested, _other, $columns, max_grade) AS format(
  CASE
    WHEN _fault < $nested THEN list_extract(recall_duckdb._texts(), _fault)
    ELSE regexp_replace(
      regexp_replace(_types, '[{}]', '\0\0', 'g'), '^(.*)\n(.*)\n(.*)\n.*\n(.*)\n(.*)\n(.*)\n.*$', list_extract([
        'query, item: single values are expected, and text instead of ENUM or JSON, which have an order of their own, not {11}',
        'query, item: text has a collation, under which different ids may be equal. Read it with COLLATE "binary" in a view',
        'run and qrels differ in type: columns ''{0}'' and ''{1}'' of run are \1 and \2, columns ''{2}'' and ''{3}'' of qrels are \4 and \5. Cast one of them in a view. As text, 7 and ''007'' are different ids',
        '{13}: the column ''{4}'' is of type \3, but it must hold numbers',
        'relevance: the column ''{6}'' is of type \6, but it must hold numbers',
        'run: no argument names column {12}. If they are models, pass the column as model. If all rows of a query are one list, pass a view without the column'
      ], _fault - $nested + 1)
    )
  END,
  CAST(query AS VARCHAR), item, CAST(coalesce(qrels_query, query) AS VARCHAR), coalesce(qrels_item, item),
  coalesce(rank, score), concat(rank), coalesce(relevance, 'relevance'), concat("by"), concat(max_grade),
  CASE WHEN threshold IS NULL THEN 'above 0' ELSE concat('at or above the threshold ', threshold) END,
  'For such an argument, write a macro: recall-duckdb sql --form macro.', concat(_nested),
  concat(regexp_replace(_other, '(?s)^.''?([^:'']+)''?: (.*?)(, [^,]*)?.$', '''\1'', but its name is usual for models, and it holds several values, for example ''\2''')),
  CASE WHEN rank IS NULL THEN 'score' ELSE 'rank' END
);

-- What the checks of whole relations read: a single row. `_row` is the row with the first fault, and `_lost` a query or a
-- model that the other side lacks. An item that fills up short lists is no fault if it is relevant for a query, or if
-- other items look like it. Texts of several ids are looked for in the lists that metrics read: if none holds a part,
-- no metric would find one in the split texts. DuckDB compares UHUGEINT with other whole numbers as DOUBLE.
CREATE OR REPLACE MACRO recall_duckdb._summary(model) AS concat(
  $text$SELECT *, CASE
    WHEN _nested <> '' THEN $nested
    WHEN regexp_matches(_types, '^([^\n]*\n){3}(true|([^\n]*\n){4}true)') THEN $nested + 1
    WHEN
      split_part(_comparable, chr(10), 1) <> split_part(_comparable, chr(10), 5)
      OR split_part(_comparable, chr(10), 2) <> split_part(_comparable, chr(10), 6)
      THEN $nested + 2
    WHEN NOT regexp_matches(
      _types, '^([^\n]*\n){2}(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL[(][^]\n]*|"NULL")\n'
    ) THEN $nested + 3
    WHEN NOT regexp_matches(
      _types, '^([^\n]*\n){6}(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|BOOLEAN|DECIMAL[(][^]\n]*|"NULL")\n'
    ) THEN $nested + 4
    WHEN _other <> _last_other THEN $nested + 5
    WHEN _rows = 0 THEN $empty_run
    WHEN _judged = 0 THEN $empty_qrels
  END AS _first_fault,
  CASE
    WHEN _found = 0 $text$, CASE WHEN model IS NOT NULL THEN 'OR len(_found_models) < len(_models) ' END, $text$THEN $no_common_query
    WHEN NOT _has_relevant THEN $nothing_relevant
    WHEN _is_lost AND _longest = 1 AND 2 * _joined >= _judged AND _has_parts THEN $qrels_joined_ids
    WHEN
      _fillers = 0
      AND CASE
        WHEN typeof(_lowest) = 'VARCHAR' THEN CAST(_lowest AS VARCHAR) = '-1' AND CAST(_highest AS VARCHAR) < ':'
        WHEN split_part(_types, chr(10), 2) LIKE 'U%' THEN CAST(_highest AS VARCHAR) IN ('4294967295', '18446744073709551615')
        ELSE CAST(_lowest AS VARCHAR) IN ('-1', '-1.0')
      END
      THEN $padding
  END AS _last_fault,
  $text$, CASE WHEN model IS NULL THEN '_judged_query' ELSE
    'list_extract(list_filter(_models, LAMBDA _m: NOT list_contains(_found_models, _m)), 1)' END, $text$ AS _lost
FROM (
  SELECT
    *,
    regexp_extract(
      _types, '^(([^\n]*\n){0,1}|([^\n]*\n){4,5})([^\n]*(\]|\bJSON\b|\b(ENUM|STRUCT|MAP|UNION)\()[^\n]*)', 4
    ) AS _nested,
    regexp_replace(_types, '\b(HUGE|U?(TINY|SMALL|BIG)?)INT(EGER)?\b', 'INTEGER', 'g') AS _comparable
  FROM (
    SELECT
      min(least(_run_fault, _qrels_fault)) AS _fault,
      arg_min(
        {
          '_is_run': coalesce(_run_fault <= _qrels_fault, _run_fault IS NOT NULL), '_model': _model, '_query': _query,
          '_items': CASE WHEN coalesce(_run_fault <= _qrels_fault, _run_fault IS NOT NULL) THEN _recommended ELSE _relevant END
        },
        least(_run_fault, _qrels_fault)
      ) AS _row,
      coalesce(sum(_rows), 0) AS _rows,
      count(_relevant) AS _judged,
      min(CASE WHEN _relevant IS NOT NULL THEN _query END) AS _judged_query,
      count(CASE WHEN _relevant IS NOT NULL AND _retrieved > 0 THEN 1 END) AS _found,
      $text$, CASE WHEN model IS NOT NULL THEN $text$
      list(DISTINCT _model) AS _models,
      coalesce(list(DISTINCT _model) FILTER (_relevant IS NOT NULL AND _retrieved > 0), []) AS _found_models,
      $text$ END, $text$
      bool_or(_has_relevant) AS _has_relevant,
      bool_and(_is_lost) AS _is_lost,
      max(len(_relevant)) AS _longest,
      count(CASE WHEN regexp_matches(CAST(list_extract(_relevant, 1) AS VARCHAR), '[\s,;|]') THEN 1 END) AS _joined,
      bool_or(
        list_has_any(
          regexp_split_to_array(CAST(list_extract(_relevant, 1) AS VARCHAR), '[\s,;|]+'), CAST(_recommended AS VARCHAR[])
        )
      ) AS _has_parts,
      sum(_fillers) AS _fillers,
      min(_lowest) AS _lowest,
      max(_highest) AS _highest,
      min(_other) AS _other,
      max(_last_other) AS _last_other,
      max(_run_types) || chr(10) || max(_qrels_types) AS _types
    FROM "$rd$lists"
  ) AS _rd_counted
) AS _rd_typed$text$);

-- What every macro reads: the judged items of every query for each cutoff, NULL for the whole list, after all checks.
-- `_otherwise` is the value of a query without one: 0, or NULL if no_relevant leaves it out.
CREATE OR REPLACE MACRO recall_duckdb._judged(
  run, qrels, k, $given, _whole := FALSE, _required := FALSE, _gain := 'linear', _max_grade := NULL, _mistake := NULL
) AS TABLE
WITH "$rd$lists" AS MATERIALIZED (
  SELECT *
  FROM recall_duckdb._lists(
    run, qrels, $columns,
    CASE WHEN NOT _whole THEN list_max(TRY_CAST('[' || trim(CAST(k AS VARCHAR), '[]') || ']' AS BIGINT[])) END,
    _gain, _max_grade
  )
)
SELECT
  _model, _query, _slice,
  unnest(recall_duckdb._cutoffs(k)) AS _k,
  _judged,
  _retrieved,
  NOT ((missing = 'skip' AND _retrieved = 0) OR (no_relevant = 'skip' AND NOT _has_relevant)) AS _is_counted,
  CASE WHEN no_relevant = 'zero' OR _retrieved = 0 THEN CAST(0 AS DOUBLE) END AS _otherwise
FROM "$rd$lists"
WHERE
  _judged IS NOT NULL
  AND (
    SELECT
      error(coalesce(
        CASE
          WHEN missing IS NULL OR missing NOT IN ('zero', 'skip')
            THEN concat('missing: zero or skip is expected, not ', coalesce('''' || missing || '''', 'NULL'))
          WHEN no_relevant IS NULL OR no_relevant NOT IN ('zero', 'skip')
            THEN concat('no_relevant: zero or skip is expected, not ', coalesce('''' || no_relevant || '''', 'NULL'))
          WHEN typeof(threshold) IN ('BOOLEAN', 'VARCHAR') OR NOT (threshold > 0 AND isfinite(CAST(threshold AS DOUBLE)))
            THEN concat('threshold: a number above 0 is expected, not ', threshold)
          WHEN
            NOT regexp_full_match(
              concat(typeof(k), ' ', CAST(k AS VARCHAR)),
              '(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|"NULL")(\[\d*\])?'
              ' (\[?((0*[1-9]\d{0,8}|1000000000)(\.0+)?(, |\]?$))+)?'
            )
            THEN concat(
              'k: a whole number above 0, or a list of them, is expected, not ',
              CASE WHEN typeof(k) = 'VARCHAR' THEN concat('''', CAST(k AS VARCHAR), '''') ELSE CAST(k AS VARCHAR) END,
              '. The highest is 1000000000'
            )
          WHEN _required AND CAST(k AS VARCHAR) IS NULL THEN 'k: this metric needs a cutoff'
        END,
        _mistake,
        CASE
          WHEN _no >= $nested THEN _rule
          ELSE upper(substring(_rule, 1, 1))
            || substring(replace(_rule, '<do>', concat(', for example ' || nullif(_example, ''), '. ')), 2)
        END
      )) IS NULL
    FROM (
      SELECT
        *,
        recall_duckdb._told(_no, _types, _nested, _other, $columns, _max_grade) AS _rule,
        CASE
          WHEN _first_fault IS NOT NULL THEN NULL
          WHEN _fault IS NOT NULL THEN recall_duckdb._example(_fault, _row, query, item, qrels_query, qrels_item, model)
          WHEN _no = $no_common_query THEN format('{}=''{}''', coalesce(model, CAST(query AS VARCHAR)), _lost)
        END AS _example
      FROM (
        SELECT *, coalesce(_first_fault, _fault, _last_fault) AS _no FROM query(recall_duckdb._summary(model))
      ) AS _rd_numbered
    ) AS _rd_checked
  );

-- The statement of an answer without columns that have no values.
CREATE OR REPLACE MACRO recall_duckdb._shown(model, "by") AS concat(
  'SELECT * EXCLUDE (_no', CASE WHEN model IS NULL THEN ', model' END, CASE WHEN "by" IS NULL THEN ', slice' END,
  ') FROM (SELECT *, 0 AS _no FROM _rd_answer) AS _rd_all'
);

-- The means of metrics, of all queries and of each slice. An argument may be an expression: `_values` reads columns of
-- `_judged`, and has the value of each of `_names`.
CREATE OR REPLACE MACRO recall_duckdb._means(
  run, qrels, k, $given, _names, _values, _sums := FALSE, _whole := FALSE, _required := FALSE, _gain := 'linear',
  _max_grade := NULL, _mistake := NULL
) AS TABLE
WITH _rd_answer AS (
  SELECT
    _model AS model,
    _slice AS slice,
    _metric AS metric,
    _k AS k,
    CASE WHEN _sums THEN fsum(_value) ELSE favg(_value) END AS value,
    count(_value) AS queries
  FROM (
    SELECT
      _model,
      unnest(CASE WHEN "by" IS NULL THEN [NULL] ELSE [NULL, _slice] END) AS _slice,
      _k,
      _metric,
      CASE WHEN _is_counted THEN _value END AS _value
    FROM (
      SELECT _model, _slice, _k, _is_counted, unnest(_names) AS _metric, unnest(_values) AS _value
      FROM recall_duckdb._judged(
        run, qrels, k, $given, _whole := _whole, _required := _required, _gain := _gain, _max_grade := _max_grade,
        _mistake := _mistake
      )
    ) AS _rd_values
  ) AS _rd_slices
  GROUP BY _model, _slice, _k, _metric
  ORDER BY _model ASC NULLS FIRST, _slice ASC NULLS FIRST, _k ASC NULLS FIRST, list_position(_names, _metric) ASC
)
FROM query(recall_duckdb._shown(model, "by"));

-- The faults of run and qrels: check, rule, faults, do and an example.
CREATE OR REPLACE MACRO recall_duckdb.ranking_check(run, qrels, $common) AS TABLE
WITH "$rd$lists" AS MATERIALIZED (
  FROM recall_duckdb._lists(run, qrels, $columns, NULL, 'linear', NULL)
), _rd_summary AS MATERIALIZED (
  FROM query(recall_duckdb._summary(model))
)
SELECT
  list_extract(recall_duckdb._checks(), _fault) AS "check",
  split_part(_told, '<do>', 1) AS rule,
  _faults AS faults,
  split_part(_told, '<do>', 2) AS "do",
  _example AS example
FROM (
  SELECT
    *,
    recall_duckdb._told(_fault, _types, _nested, _other, $columns, NULL) AS _told
  FROM (
    SELECT
      _fault,
      count(DISTINCT _example) + count(*) FILTER (_example IS NULL) AS _faults,
      min(_example) AS _example
    FROM (
      SELECT
        _fault,
        recall_duckdb._example(_fault, _row, query, item, qrels_query, qrels_item, model) AS _example
      FROM (
        SELECT
          unnest([
            _run_fault, _qrels_fault,
            CASE
              WHEN _relevant IS NULL THEN NULL
              WHEN _retrieved = 0 THEN $missing
              WHEN NOT _has_relevant THEN $no_relevant
            END
          ]) AS _fault,
          unnest([
            { '_is_run': TRUE, '_model': _model, '_query': _query, '_items': _recommended },
            { '_is_run': FALSE, '_model': NULL, '_query': _query, '_items': _relevant },
            { '_is_run': TRUE, '_model': _model, '_query': _query, '_items': NULL }
          ]) AS _row
        FROM "$rd$lists"
      ) AS _rd_faults
      UNION ALL
      SELECT
        coalesce(_first_fault, _last_fault, CASE WHEN _is_lost THEN $no_common_item END) AS _fault,
        CASE
          WHEN coalesce(_first_fault, _last_fault) = $no_common_query
            THEN format('{}=''{}''', coalesce(model, CAST(query AS VARCHAR)), _lost)
        END AS _example
      FROM _rd_summary
    ) AS _rd_examples
    WHERE _fault IS NOT NULL
    GROUP BY _fault
  ) AS _rd_counted
  CROSS JOIN (SELECT _types, _nested, _other FROM _rd_summary) AS _rd_typed
) AS _rd_answer
WHERE _fault < $nested OR error(_told) IS NULL
ORDER BY _fault;

-- The values of each query: query, k and a column for each metric.
CREATE OR REPLACE MACRO recall_duckdb.ranking_metrics_per_query(run, qrels, $options) AS TABLE
WITH _rd_answer AS (
  SELECT
    _model AS model, _query AS query, _slice AS slice, _k AS k,
    $columns_of_names
  FROM recall_duckdb._judged(run, qrels, k, $given$more)
  ORDER BY _model ASC NULLS FIRST, _query ASC NULLS FIRST, _k ASC NULLS FIRST
)
FROM query(recall_duckdb._shown(model, "by"));

-- The means of several metrics: metric, k, value, queries.
CREATE OR REPLACE MACRO recall_duckdb.ranking_metrics(run, qrels, $options) AS TABLE
FROM recall_duckdb._means(run, qrels, k, $given, $names, [$of_names]$more);

-- Each metric: the function of judged items, the table macro and the function of lists.
-- $metric
CREATE OR REPLACE MACRO recall_duckdb._$metric($parameters) AS
$value;
-- $about
CREATE OR REPLACE MACRO recall_duckdb.$public(run, qrels, $defaults$common) AS TABLE
FROM recall_duckdb._means(run, qrels, $k, $given, ['$metric'], [$of_query]$sums$more);
CREATE OR REPLACE MACRO recall_duckdb.$public(recommended, relevant, $of_lists) AS
list_transform([{ 'q': recall_duckdb._of_lists(recommended, relevant, grades, threshold, $k$more)$own }], LAMBDA _q:
CASE WHEN _q.q.judged IS NOT NULL THEN $of_list END)[1];
-- $metric

-- The statement of _lists. Without models, a row holds both sides of a query. max(row, k) keeps k rows a list, but a sort
-- is faster for more than 100; ranks have one more for ranks_gap.
CREATE OR REPLACE MACRO recall_duckdb._lists(run, qrels, $columns, depth, gain, max_grade) AS TABLE
WITH _rd_rows AS (
  SELECT
    _group AS _model, _query, recall_duckdb._single(_item, query, item) AS _item, _score, _other,
    recall_duckdb._types(_query, _item, _number, query) AS _run_types, NULL AS _relevance, NULL AS _slice, NULL AS _qrels_types
  FROM query(recall_duckdb._statement(
    'run', run, recall_duckdb._column(query, '\recall_duckdb_query'), item, coalesce(rank, score),
    coalesce(model, '\recall_duckdb_one'), CASE WHEN rank IS NULL THEN 'score' ELSE 'rank' END, 'model',
    recall_duckdb._struct(query, '\recall_duckdb_query'), NULL,
    CASE
      WHEN rank IS NULL THEN ', _number AS _score'
      ELSE ', TRY_CAST(_number AS DOUBLE) AS _whole, CASE WHEN _whole = floor(_whole) AND abs(_whole) <= 9007199254740992 '
        'THEN -_whole END AS _score'
    END,
    CASE WHEN model IS NULL THEN recall_duckdb._unnamed() ELSE ', CAST(NULL AS VARCHAR) AS _other' END,
    recall_duckdb._wrong_names(query, item, score, rank, relevance, model, qrels_query, qrels_item)
  )) AS _given
  UNION ALL
  SELECT CASE WHEN model IS NULL THEN 1 END, _query, recall_duckdb._single(_item, query, item), NULL, NULL, NULL, _number, _group, recall_duckdb._types(_query, _item, _number, query)
  FROM query(recall_duckdb._statement(
    'qrels', qrels, recall_duckdb._column(coalesce(qrels_query, query), '\recall_duckdb_query'),
    coalesce(qrels_item, item), coalesce(relevance, '\recall_duckdb_one'),
    CASE
      WHEN lower(CAST("by" AS VARCHAR)) = lower(CAST(query AS VARCHAR))
        THEN recall_duckdb._column(coalesce(qrels_query, query), '\recall_duckdb_query')
      ELSE coalesce(recall_duckdb._column("by", '\recall_duckdb_slice'), '\recall_duckdb_none')
    END,
    'relevance', 'by',
    concat(
      recall_duckdb._struct(coalesce(qrels_query, query), '\recall_duckdb_query'),
      recall_duckdb._struct("by", '\recall_duckdb_slice')
    ),
    $rd$, or pass relevance := NULL if each row is relevant$rd$, '', '', NULL
  )) AS _given
), "$rd$groups" AS MATERIALIZED (
  SELECT
    _model, _query,
    CASE
      WHEN depth <= 100 THEN max(
        { 'number': _score, 'item': _item }, greatest(least(depth, 100), 1) + CAST(rank IS NOT NULL AS INT)
      ) FILTER (_run_types IS NOT NULL)
      ELSE list_slice(
        list({ 'number': _score, 'item': _item } ORDER BY _score DESC NULLS FIRST, _item DESC)
          FILTER (_run_types IS NOT NULL), 1, coalesce(depth + CAST(rank IS NOT NULL AS INT), count(*))
      )
    END AS _top,
    count(_run_types) AS _rows,
    count(_item) FILTER (_run_types IS NOT NULL) AS _items,
    count(_score) AS _numbers,
    min(_item) FILTER (_run_types IS NOT NULL) AS _lowest,
    max(_item) FILTER (_run_types IS NOT NULL) AS _highest,
    min(_other) AS _other,
    max(_other) AS _last_other,
    any_value(_run_types) AS _run_types,
    list(_item) FILTER (_run_types IS NULL) AS _relevant,
    list(TRY_CAST(_relevance AS DOUBLE)) FILTER (_run_types IS NULL) AS _grades,
    min(_slice) AS _slice,
    max(_slice) AS _last_slice,
    any_value(_qrels_types) AS _qrels_types,
    count(
      CASE
        WHEN
          TRY_CAST(_relevance AS DOUBLE) > 0
          AND CAST(_item AS VARCHAR) IN ('-1', '-1.0', '4294967295', '18446744073709551615')
          THEN 1
      END
    ) AS _fillers
  FROM _rd_rows
  GROUP BY _model, _query
), _rd_given AS (
  SELECT depth AS _depth, gain AS _gain, max_grade AS _max_grade, CAST(threshold AS DOUBLE) AS _threshold,
    recall_duckdb._as_float(threshold) AS _as_float
)
FROM query(recall_duckdb._listed(rank, model, "by"));
