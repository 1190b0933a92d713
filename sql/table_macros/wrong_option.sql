-- The message for an option that is out of range, as an expression; NULL if it is not.
--
-- Grain:  a single row.
-- Params: $is_allowed, NULL if the option is NULL; $before, the beginning of the message; $value, the option.
SELECT
  CASE
    WHEN NOT coalesce($is_allowed, FALSE) THEN concat($before, coalesce(CAST($value AS VARCHAR), 'NULL'))
  END AS mistake
