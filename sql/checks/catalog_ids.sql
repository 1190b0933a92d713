-- Rows of catalog that do not say what they are about.
--
-- Grain:  one row per such row of catalog.
-- When:   catalog = given
-- Order:  2
-- Rule:   {item} is NULL in catalog
-- Do:     Fill the value in, or leave the row out.
SELECT item
FROM catalog
WHERE NOT (item IS NOT NULL)
