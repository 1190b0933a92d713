-- A mistake in the argument `k`; NULL if there is none.
--
-- Grain:  a single row.
-- Params: $k, the argument; $required, true if it needs one.
SELECT
  CASE
    WHEN len(cutoffs) = 0 THEN 'k: a whole number above 0, or a list of them, is expected, not an empty list'
    WHEN
      NOT regexp_full_match(
        typeof($k), '(U?(TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|"NULL")(\[\d*\])?'
      )
      OR (typeof($k) LIKE '%]' AND list_count(cutoffs) < len(cutoffs))
      OR list_bool_or(list_transform(cutoffs, LAMBDA _x: NOT _x BETWEEN 1 AND 1e9 OR _x <> floor(_x)))
      THEN
        concat(
          'k: a whole number above 0, or a list of them, is expected, not ',
          CASE WHEN typeof($k) = 'VARCHAR' THEN concat('''', given_text, '''') ELSE given_text END,
          CASE WHEN list_max(cutoffs) > 1e9 THEN '. The highest is 1000000000' END
        )
    WHEN $required AND list_count(cutoffs) = 0 THEN 'k: this metric needs a cutoff'
  END AS mistake
FROM (
  SELECT
    CAST($k AS VARCHAR) AS given_text,
    CASE
      WHEN typeof($k) LIKE '%]' THEN TRY_CAST(CAST($k AS VARCHAR) AS DOUBLE[])
      ELSE [TRY_CAST(CAST($k AS VARCHAR) AS DOUBLE)]
    END AS cutoffs
) AS numbers
