-- A mistake in the arguments; NULL if there is none.
--
-- Grain:  a single row.
-- Params: the arguments of the macro; $distance, the form of names of distances; $usual_ranks, common names of columns
--         of ranks.
SELECT
  CASE
    WHEN $rank IS NULL AND regexp_matches(lower($score), $distance)
      THEN
        concat(
          'score: ''', $score, ''' is usually a distance, of which the lowest is the best. Rename it in a view, or ',
          'write a macro with this order: recall-duckdb sql RUN --order ascending --form macro --name my_recall'
        )
    WHEN $rank IS NULL AND list_contains($usual_ranks, regexp_replace(lower($score), '[^a-z0-9]', '', 'g'))
      THEN
        concat(
          'score: ''', $score, ''' is usually a rank, of which the lowest is the best. Pass rank := ''', $score, ''''
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
    WHEN typeof($threshold) IN ('BOOLEAN', 'VARCHAR') OR $threshold <= 0 OR NOT isfinite(CAST($threshold AS DOUBLE))
      THEN concat('threshold: a number above 0 is expected, not ', $threshold)
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
