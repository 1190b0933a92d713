-- The judged items of every query as lists, and the first fault of its rows.
--
-- Grain:  one row per query of the qrels.
-- Params: $gain and $max_grade, what the metric takes; $by, $qrels_query, $query, $qrels_item and $item, the arguments.
-- Edges:  relevant and grades are in the same, arbitrary order. is_joined is true if one text may hold several ids.
SELECT
  query,
  relevant,
  grades,
  slice,
  fault,
  CASE
    WHEN fault IS NOT NULL
      THEN concat_ws(
        ', ',
        shown_pair(coalesce($qrels_query, $query), query),
        CASE
          WHEN fault IN ('qrels_duplicates', 'qrels_text_lists')
            THEN shown_pair(coalesce($qrels_item, $item), odd_item)
        END
      )
  END AS example,
  len(relevant) = 1 AND regexp_matches(CAST(list_extract(relevant, 1) AS VARCHAR), '[\s,;|]') AS is_joined
FROM (
  SELECT
    query,
    relevant,
    grades,
    slice,
    odd_item,
    CASE
      WHEN null_ids > 0 THEN 'qrels_ids'
      WHEN null_grades > 0 THEN 'qrels_relevance'
      WHEN odd_item IS NOT NULL AND all_differ(relevant) THEN 'qrels_text_lists'
      WHEN odd_item IS NOT NULL THEN 'qrels_duplicates'
      WHEN list_max(grades) >= 1e12 THEN 'qrels_range'
      WHEN $gain = 'exponential' AND list_max(grades) >= 40 THEN 'gains'
      WHEN list_max(grades) > $max_grade * CAST(1.0000001 AS DOUBLE) THEN 'grades'
      WHEN NOT (slice = last_slice) THEN 'slices_of_qrels'
      WHEN $by IS NOT NULL AND slice IS NULL THEN 'slice_nulls'
    END AS fault
  FROM (
    SELECT
      *,
      CASE WHEN all_differ(relevant) THEN first_list_text(relevant) ELSE repeated_in(relevant) END AS odd_item
    FROM (
      SELECT
        query,
        list(item) AS relevant,
        list(relevance) AS grades,
        min(slice) AS slice,
        max(slice) AS last_slice,
        CASE WHEN query IS NULL THEN count(*) ELSE count(*) - count(item) END AS null_ids,
        count(*) - count(number_of(relevance, 'error')) AS null_grades
      FROM qrels
      GROUP BY query
    ) AS lists
  ) AS odd
) AS found
