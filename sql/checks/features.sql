-- Rows of features without an item, a feature or a valid weight.
--
-- Grain:  one row per such row of the features.
-- When:   features = given
-- Rule:   an item, feature or weight is NULL in features, or a weight is infinite
-- Do:     Fill in the value, remove the row, or leave out the column weight: every feature then has weight 1.
SELECT
  item,
  feature,
  weight
FROM features
WHERE NOT (item IS NOT NULL AND feature IS NOT NULL) OR weight IS NULL OR abs(weight) > CAST(1.7e308 AS DOUBLE)
