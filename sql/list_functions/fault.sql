-- NULL, or an error for the first mistake in the arguments of a function of lists.
--
-- Grain:  a single row.
-- Params: $recommended, the ranked items; $relevant, the judged items; $grades, the relevance of each of these; $k, the
--         cutoff; $needs_k, true if NULL is no cutoff; $whole, true if the metric reads the whole list whatever its
--         cutoff; $max_grade, the highest grade, NULL for any.
-- Edges:  of the recommended items, only the first k are checked.
SELECT
  CASE
    WHEN $k < 1 OR TRY_CAST($k AS BIGINT) <> $k
      THEN error(concat('k: a whole number above 0 is expected, or NULL for the whole list, not ', CAST($k AS VARCHAR)))
    WHEN $needs_k AND $k IS NULL THEN error('k: a cutoff is expected, not NULL')
    WHEN
      list_unique(list_slice($recommended, 1, CASE WHEN $whole OR $k IS NULL THEN len($recommended) ELSE $k END))
      < len(list_slice($recommended, 1, CASE WHEN $whole OR $k IS NULL THEN len($recommended) ELSE $k END))
      THEN
        error(
          concat(
            'recommended: each of the first k items may be there once, and none may be NULL. Remove the others: ',
            CAST($recommended AS VARCHAR)
          )
        )
    WHEN list_unique($relevant) < len($relevant)
      THEN
        error(
          concat(
            'relevant: each item may be there once, and none may be NULL. Without grades, list_distinct(…) does it: ',
            CAST($relevant AS VARCHAR)
          )
        )
    WHEN $grades IS NOT NULL AND len(finite_numbers($grades)) <> coalesce(len($relevant), 0)
      THEN
        error(
          concat(
            'grades: one number is expected for each relevant item, not ', CAST($grades AS VARCHAR), ' for ',
            CAST($relevant AS VARCHAR)
          )
        )
    WHEN list_max($grades) > $max_grade * CAST(1.0000001 AS DOUBLE)
      THEN
        error(
          concat('grades: ', CAST(list_max($grades) AS VARCHAR), ' is above max_grade. Set it to the highest grade')
        )
  END AS fault
