-- Rows of exclude that do not say what they are about.
--
-- Grain:  one row per such row of exclude.
-- When:   exclude = given
-- Order:  2
-- Rule:   {query} or {item} is NULL in exclude
-- Do:     Fill the value in, or leave the row out.
SELECT
  query,
  item
FROM "exclude"
WHERE NOT (query IS NOT NULL AND item IS NOT NULL)
