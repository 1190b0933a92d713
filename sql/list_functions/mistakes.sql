-- The mistakes in the arguments of a function of lists in other dialects, each with its message.
--
-- Grain:  a single row.
-- Params: as in `fault`, without $threshold, which is written into the function, and $gain, which decides $too_large.
-- Edges:  of the recommended items, only the first k are checked. A query that is not judged has no mistake in its
--         lists. The messages are constants, because ClickHouse raises no others.
SELECT
  CASE
    WHEN $k < 1 OR $k <> floor($k) THEN 'k: a whole number above 0 is expected, or NULL for the whole list'
    WHEN $needs_k AND $k IS NULL THEN 'k: this metric needs a cutoff'
    WHEN $relevant IS NULL THEN NULL
    WHEN has_repeated(top_items($recommended, CASE WHEN NOT $whole THEN $k END))
      THEN 'recommended: an item occurs twice, or is NULL'
    WHEN has_repeated($relevant)
      THEN 'relevant: an item occurs twice, or is NULL'
    WHEN
      is_given($grades)
      AND list_sum(
        list_transform(numbers_in($grades), LAMBDA grade: CASE WHEN is_finite(grade) THEN 1 ELSE 0 END)
      ) <> list_length($relevant)
      THEN 'grades: one number is expected for each relevant item'
    WHEN
      $max_grade IS NOT NULL
      AND list_sum(
        list_transform(
          numbers_in($grades),
          LAMBDA grade: CASE WHEN grade > $max_grade * CAST(1.0000001 AS DOUBLE) THEN 1 ELSE 0 END
        )
      ) > 0
      THEN 'grades: a grade is above max_grade. Set it to the highest grade'
    WHEN
      list_sum(
        list_transform(
          numbers_in($grades),
          LAMBDA grade: CASE WHEN grade >= $too_large THEN 1 ELSE 0 END
        )
      ) > 0
      THEN 'grades: a grade is too large: 1e12 or more, or 40 or more with exponential gain'
  END AS mistake
