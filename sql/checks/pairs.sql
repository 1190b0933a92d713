-- Rows of pairs without two items and a valid similarity.
--
-- Grain:  one row per such row of pairs.
-- When:   pairs = given
-- Rule:   an item or similarity is NULL in pairs, or a similarity is not between -1 and 1
-- Do:     Fill in the values, and scale the similarities so that 1 means the same and 0 means unrelated.
SELECT
  item,
  other,
  similarity
FROM pairs
WHERE NOT (item IS NOT NULL AND other IS NOT NULL) OR similarity IS NULL OR NOT (similarity BETWEEN -1 AND 1)
