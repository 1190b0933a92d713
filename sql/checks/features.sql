-- Features of items without a sound weight.
--
-- Grain:  one row per such row of the features.
-- When:   features = given
-- Rule:   an item or feature is NULL, or its weight is NULL or infinite
-- Do:     Fill the value in, leave the row out, or leave out the column weight: all features then weigh 1.
SELECT
  item,
  feature,
  weight
FROM features
WHERE NOT (item IS NOT NULL AND feature IS NOT NULL) OR weight IS NULL OR abs(weight) > CAST(1.7e308 AS DOUBLE)
