-- Pairs of items without a sound similarity.
--
-- Grain:  one row per such pair.
-- When:   pairs = given
-- Rule:   an item is NULL, or a similarity is NULL, or not between -1 and 1
-- Do:     Bring the similarities to a scale on which 1 is the same and 0 is unlike.
SELECT
  item,
  other,
  similarity
FROM pairs
WHERE NOT (item IS NOT NULL AND other IS NOT NULL) OR similarity IS NULL OR NOT (similarity BETWEEN -1 AND 1)
