-- A number as a FLOAT column holds it, as an expression; NULL if it is out of its range or has more than 7 digits.
--
-- Grain:  a single row.
-- Params: $number.
SELECT
  CASE
    WHEN
      CAST(printf('%.7g', CAST($number AS DOUBLE)) AS DOUBLE) = CAST($number AS DOUBLE)
      AND abs(CAST($number AS DOUBLE)) >= CAST('1e-37' AS DOUBLE)
      THEN CAST(TRY_CAST(CAST($number AS DOUBLE) AS FLOAT) AS DOUBLE)
  END AS as_float
