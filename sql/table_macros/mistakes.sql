-- A mistake in the arguments; NULL if there is none.
--
-- Grain:  a single row.
-- Params: the arguments of the macro.
SELECT
  CASE
    WHEN typeof($run) <> 'VARCHAR' OR typeof($qrels) <> 'VARCHAR'
      THEN 'run, qrels: the name of a table, view or file, or a glob, is expected. Use a glob for several files'
    WHEN $ties IS NULL OR $ties NOT IN ('item_desc', 'item', 'optimistic', 'pessimistic')
      THEN
        concat(
          'ties: item_desc, item, optimistic or pessimistic is expected, not ', coalesce('''' || $ties || '''', 'NULL')
        )
    WHEN $missing IS NULL OR $missing NOT IN ('zero', 'skip')
      THEN concat('missing: zero or skip is expected, not ', coalesce('''' || $missing || '''', 'NULL'))
    WHEN $no_relevant IS NULL OR $no_relevant NOT IN ('zero', 'skip')
      THEN concat('no_relevant: zero or skip is expected, not ', coalesce('''' || $no_relevant || '''', 'NULL'))
    WHEN $nulls IS NULL OR $nulls NOT IN ('error', 'drop', 'last')
      THEN concat('nulls: error, drop or last is expected, not ', coalesce('''' || $nulls || '''', 'NULL'))
    WHEN $duplicates IS NULL OR $duplicates NOT IN ('error', 'best')
      THEN concat('duplicates: error or best is expected, not ', coalesce('''' || $duplicates || '''', 'NULL'))
    WHEN $rank IS NOT NULL AND $duplicates = 'best'
      THEN 'duplicates: best keeps the highest score, but the run has ranks'
    WHEN $rank IS NOT NULL AND $ties <> 'item_desc'
      THEN concat('ties: ', $ties, ' needs a score, but the run has ranks')
    WHEN $rank IS NOT NULL AND $min_score IS NOT NULL THEN 'min_score: needs a score, but the run has ranks'
    WHEN $threshold <= 0 OR NOT isfinite(CAST($threshold AS DOUBLE))
      THEN concat('threshold: a number above 0 is expected, not ', $threshold)
    WHEN NOT isfinite(CAST($min_score AS DOUBLE))
      THEN concat('min_score: a finite number is expected, not ', $min_score)
    WHEN $nulls = 'last' AND current_setting('default_null_order') ILIKE '%first%'
      THEN 'nulls: last needs NULL after other values. Run SET default_null_order = ''nulls_last'' first'
  END AS mistake
