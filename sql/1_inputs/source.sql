-- The columns of a relation of the user that the statement reads.
--
-- Grain:  one row per row of the user's relation.
-- Params: $nulls: 'drop' removes rows with a NULL in any of these columns; other values keep them.
-- Reads:  source; for each identifying column `name`, each numeric column `number`, each other column `extra`.
-- Edges:  only this file contains names of the user. NaN becomes NULL, so later rules deal only with NULL.
SELECT
  name,
  number_of(number, $nulls) AS number,
  extra
FROM source
WHERE
  $nulls <> 'drop'
  OR (name IS NOT NULL AND number IS NOT NULL AND NOT isnan(CAST(number AS DOUBLE)))
