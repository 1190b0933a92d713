-- The message for the first mistake in the arguments of a function of lists; NULL if there is none.
--
-- Grain:  a single row.
-- Params: $recommended, the ranked items; $relevant, the judged items; $grades, the relevance of each of these; $k, the
--         cutoff; $threshold; $gain; $needs_k, true if NULL is no cutoff; $whole, true if the metric reads the whole
--         list whatever its cutoff; $max_grade, the highest grade, NULL for any.
-- Edges:  of the recommended items, only the first k are checked. A query that is not judged has no mistake in its
--         lists.
SELECT
  CASE
    WHEN NOT coalesce(is_cutoff(TRY_CAST(CAST($k AS VARCHAR) AS DOUBLE)), $k IS NULL)
      THEN
        concat(
          'k: a whole number above 0 is expected, or NULL for the whole list, not ', CAST($k AS VARCHAR),
          '. The highest is 1000000000'
        )
    WHEN $needs_k AND $k IS NULL THEN 'k: this metric needs a cutoff'
    WHEN NOT coalesce(is_threshold(TRY_CAST(CAST($threshold AS VARCHAR) AS DOUBLE)), $threshold IS NULL)
      THEN concat('threshold: a number above 0 is expected, not ', CAST($threshold AS VARCHAR))
    WHEN $relevant IS NULL THEN NULL
    WHEN type_of_ids($recommended) <> type_of_ids($relevant) AND len($recommended) > 0 AND len($relevant) > 0
      THEN
        concat(
          'recommended and relevant differ in type: ', typeof($recommended), ' and ', typeof($relevant),
          '. Cast one of them. As text, 7 and ''007'' are different ids'
        )
    WHEN
      list_unique(first_items($recommended, CASE WHEN NOT $whole THEN $k END))
      < len(first_items($recommended, CASE WHEN NOT $whole THEN $k END))
      THEN
        concat(
          'recommended: an item occurs twice', CASE WHEN $k IS NOT NULL AND NOT $whole THEN ' among the first k' END,
          ', or is NULL: ', substring(CAST($recommended AS VARCHAR), 1, 200)
        )
    WHEN list_unique($relevant) < len($relevant)
      THEN
        concat(
          'relevant: an item occurs twice, or is NULL. Make the list with list(DISTINCT item) FILTER ',
          '(item IS NOT NULL): ', substring(CAST($relevant AS VARCHAR), 1, 200)
        )
    WHEN $grades IS NOT NULL AND len(finite_numbers($grades)) <> len($relevant)
      THEN
        concat(
          'grades: one number is expected for each relevant item, not ', substring(CAST($grades AS VARCHAR), 1, 200),
          ' for ', substring(CAST($relevant AS VARCHAR), 1, 200)
        )
    WHEN list_max(finite_numbers($grades)) > $max_grade * CAST(1.0000001 AS DOUBLE)
      THEN
        concat(
          'grades: ', CAST(list_max($grades) AS VARCHAR), ' is above max_grade. Set it to the highest grade'
        )
    WHEN list_max(finite_numbers($grades)) >= CASE WHEN $gain = 'exponential' THEN 40 ELSE CAST(1e12 AS DOUBLE) END
      THEN
        concat(
          'grades: ', CAST(list_max($grades) AS VARCHAR),
          ' is too large: 1e12 or more, or 40 or more with exponential gain'
        )
  END AS fault
