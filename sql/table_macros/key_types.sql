-- A message if the types of columns do not fit: ids that do not compare, or scores that are no numbers.
--
-- Grain:  a single row, or none if a relation is empty.
-- Params: the arguments of the macro.
-- Edges:  whole numbers of any size compare, but UHUGEINT only with itself: DuckDB compares it with others as DOUBLE.
--         Text under a collation such as NOCASE would make different ids equal.
SELECT
  CASE
    WHEN len(other_types) > 0
      THEN
        concat(
          'query, item: single values are expected, and text instead of ENUM or JSON, which have an order of their ',
          'own, not ',
          other_types[1]
        )
    WHEN are_collated
      THEN
        concat(
          'query, item: text has a collation, under which different ids may be equal. ',
          'Read it with COLLATE "binary" in a view'
        )
    WHEN regexp_replace(run_query_type, whole_numbers, '') <> regexp_replace(qrels_query_type, whole_numbers, '')
      THEN concat(
        'run and qrels differ in type: column ''', $query, ''' of run is ', run_query_type, ', column ''',
        coalesce($qrels_query, $query), ''' of qrels is ', qrels_query_type,
        '. Cast one of them in a view. As text, 7 and ''007'' are different ids'
      )
    WHEN regexp_replace(run_item_type, whole_numbers, '') <> regexp_replace(qrels_item_type, whole_numbers, '')
      THEN concat(
        'run and qrels differ in type: column ''', $item, ''' of run is ', run_item_type, ', column ''',
        coalesce($qrels_item, $item), ''' of qrels is ', qrels_item_type,
        '. Cast one of them in a view. As text, 7 and ''007'' are different ids'
      )
    WHEN NOT regexp_full_match(score_type, numbers)
      THEN concat(
        CASE WHEN $rank IS NULL THEN 'score' ELSE 'rank' END,
        ': the column ''', coalesce($rank, $score), ''' is of type ', score_type, ', but it must hold numbers'
      )
    WHEN NOT (regexp_full_match(relevance_type, numbers) OR relevance_type = 'BOOLEAN')
      THEN concat(
        'relevance: the column ''', $relevance, ''' is of type ', relevance_type, ', but it must hold numbers'
      )
  END AS mistake
FROM (
  SELECT
    score_type,
    relevance_type,
    run_collated OR qrels_collated AS are_collated,
    '(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL[(][^]]*|"NULL")' AS numbers,
    '^(HUGE|U?(TINY|SMALL|BIG)?)INT(EGER)?$' AS whole_numbers,
    run_query_type,
    run_item_type,
    qrels_query_type,
    qrels_item_type,
    list_filter(
      [run_query_type, run_item_type, qrels_query_type, qrels_item_type],
      LAMBDA _type: regexp_matches(_type, '\]$|^JSON$|^(ENUM|STRUCT|MAP|UNION)\(')
    ) AS other_types
  FROM (
    SELECT
      typeof(score) AS score_type,
      typeof(query) AS run_query_type,
      typeof(item) AS run_item_type,
      concat_ws('', query, item, 'A') = concat_ws('', query, item, 'a')
      OR concat_ws('', query, item, 'é') = concat_ws('', query, item, 'e')
        AS run_collated
    FROM run_source
    LIMIT 1
  ) AS of_run
  CROSS JOIN (
    SELECT
      typeof(relevance) AS relevance_type,
      typeof(query) AS qrels_query_type,
      typeof(item) AS qrels_item_type,
      concat_ws('', query, item, 'A') = concat_ws('', query, item, 'a')
      OR concat_ws('', query, item, 'é') = concat_ws('', query, item, 'e')
        AS qrels_collated
    FROM qrels_source
    LIMIT 1
  ) AS of_qrels
) AS types
