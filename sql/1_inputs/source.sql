-- A relation of the user's under the canonical names: the one place where the user's names enter.
--
-- Grain:  one row per row of the user's relation.
-- Params: $nulls: 'drop' leaves out a row with a NULL in any of these columns, other values keep it.
-- Reads:  source; for each identifying column `name`, each numeric column `number`, each other column `extra`.
-- Edges:  NaN is no number: it becomes NULL here, so every later rule speaks of NULL alone.
SELECT
  name,
  CASE WHEN isnan(CAST(number AS DOUBLE)) THEN NULL ELSE CAST(number AS DOUBLE) END AS number,
  extra
FROM source
WHERE
  $nulls <> 'drop'
  OR (name IS NOT NULL AND number IS NOT NULL AND NOT isnan(CAST(number AS DOUBLE)))
