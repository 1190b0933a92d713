-- The items that could be recommended.
--
-- Grain:  one row per item of the user's relation.
-- Params: none.
SELECT item
FROM catalog
WHERE item IS NOT NULL
GROUP BY item
