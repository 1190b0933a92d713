-- A mistake in the arguments; NULL if there is none.
--
-- Grain:  a single row.
-- Params: the arguments of the macro; $distance, the form of names of distances; $usual_ranks, common names of columns
--         of ranks.
SELECT
  CASE
    WHEN $ties IS NULL OR $ties NOT IN ('item_desc', 'item', 'optimistic', 'pessimistic')
      THEN
        concat(
          'ties: item_desc, item, optimistic or pessimistic is expected, not ', coalesce('''' || $ties || '''', 'NULL')
        )
    WHEN $order NOT IN ('descending', 'ascending')
      THEN concat('order: descending or ascending is expected, not ''', $order, '''')
    WHEN $rank IS NOT NULL AND $order IS NOT NULL
      THEN concat('order: ', $order, ' needs a score, but the run has ranks. Leave it out')
    WHEN $order = 'ascending' AND $min_score IS NOT NULL
      THEN
        concat(
          'min_score: it is a lowest score, but with "order" := ''ascending'' low scores are the best. ',
          'Leave it out, and remove the rows with high scores from the run'
        )
    WHEN $rank IS NULL AND $order IS NULL AND regexp_matches(lower($score), $distance)
      THEN
        concat(
          'score: ''', $score, ''' is usually a distance, of which the lowest is the best. ',
          'Pass "order" := ''ascending'' or, if the highest is the best, "order" := ''descending'''
        )
    WHEN
      $rank IS NULL
      AND $order IS NULL
      AND list_contains($usual_ranks, regexp_replace(lower($score), '[^a-z0-9]', '', 'g'))
      THEN
        concat(
          'score: ''', $score, ''' is usually a rank, of which the lowest is the best. Pass rank := ''', $score,
          ''', or "order" := ''ascending'' or, if the highest is the best, "order" := ''descending'''
        )
    WHEN len(list_distinct(run_names)) < len(run_names)
      THEN concat(
        'query, item, ', CASE WHEN $rank IS NULL THEN 'score' ELSE 'rank' END, ', model: two of them name the same ',
        'column of the run, but a column has one meaning. They are ', array_to_string(run_names, ', ')
      )
    WHEN len(list_distinct(qrels_names)) < len(qrels_names)
      THEN concat(
        'qrels_query, qrels_item, relevance: two of them name the same column of the qrels, but a column has one ',
        'meaning. They are ', array_to_string(qrels_names, ', ')
      )
    WHEN $missing IS NULL OR $missing NOT IN ('zero', 'skip')
      THEN concat('missing: zero or skip is expected, not ', coalesce('''' || $missing || '''', 'NULL'))
    WHEN $no_relevant IS NULL OR $no_relevant NOT IN ('zero', 'skip')
      THEN concat('no_relevant: zero or skip is expected, not ', coalesce('''' || $no_relevant || '''', 'NULL'))
    WHEN $nulls IS NULL OR $nulls NOT IN ('error', 'drop', 'last')
      THEN concat('nulls: error, drop or last is expected, not ', coalesce('''' || $nulls || '''', 'NULL'))
    WHEN $duplicates IS NULL OR $duplicates NOT IN ('error', 'best')
      THEN concat('duplicates: error or best is expected, not ', coalesce('''' || $duplicates || '''', 'NULL'))
    WHEN $ranks IS NULL OR $ranks NOT IN ('error', 'given', 'renumber')
      THEN concat('ranks: error, given or renumber is expected, not ', coalesce('''' || $ranks || '''', 'NULL'))
    WHEN $padding IS NULL OR $padding NOT IN ('error', 'keep')
      THEN concat('padding: error or keep is expected, not ', coalesce('''' || $padding || '''', 'NULL'))
    WHEN $rank IS NULL AND $ranks <> 'error'
      THEN concat('ranks: ''', $ranks, ''' needs a rank column. Name it with rank, or leave ranks out')
    WHEN $rank IS NOT NULL AND $ranks <> 'renumber' AND $ties <> 'item_desc'
      THEN concat('ties: ', $ties, ' needs a score, but the run has ranks. Leave it out')
    WHEN $rank IS NOT NULL AND $min_score IS NOT NULL
      THEN 'min_score: needs a score, but the run has ranks. Leave it out'
    WHEN typeof($threshold) = 'BOOLEAN' OR $threshold <= 0 OR NOT isfinite(CAST($threshold AS DOUBLE))
      THEN concat('threshold: a number above 0 is expected, not ', $threshold)
    WHEN typeof($min_score) = 'BOOLEAN' OR NOT isfinite(CAST($min_score AS DOUBLE))
      THEN concat('min_score: a finite number is expected, not ', $min_score)
    WHEN $nulls = 'last' AND current_setting('default_null_order') ILIKE '%first%'
      THEN 'nulls: last needs NULL after other values. Run SET default_null_order = ''nulls_last'' first'
  END AS mistake
FROM (
  SELECT
    list_filter(
      [lower($query), lower($item), lower(coalesce($rank, $score)), lower($model)], LAMBDA _name: _name IS NOT NULL
    ) AS run_names,
    list_filter(
      [lower(coalesce($qrels_query, $query)), lower(coalesce($qrels_item, $item)), lower($relevance)],
      LAMBDA _name: _name IS NOT NULL
    ) AS qrels_names
) AS named
