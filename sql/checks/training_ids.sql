-- Rows of training that do not say what they are about.
--
-- Grain:  one row per such row of training.
-- When:   training = given
-- Order:  2
-- Rule:   {query} or {item} is NULL in training
-- Do:     Fill the value in, or leave the row out.
SELECT
  query,
  item
FROM training
WHERE NOT (query IS NOT NULL AND item IS NOT NULL)
