-- A name and a value in the example of a fault, such as query='q1', as an expression.
--
-- Grain:  a single row.
-- Params: $name, the user's name of the column; $ours, our column; $value, the value of the user.
SELECT
  concat(
    $name,
    '=',
    CASE
      WHEN $ours IS NULL THEN 'NULL'
      WHEN typeof($ours) = 'VARCHAR' THEN concat('''', CAST($value AS VARCHAR), '''')
      ELSE CAST($value AS VARCHAR)
    END
  ) AS pair
