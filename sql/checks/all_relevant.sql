-- Qrels in which every judged item is relevant.
--
-- Grain:  one row if there is no other.
-- When:   source = note
-- Params: $threshold, the lowest relevance that counts as relevant, NULL for anything above 0; $threshold_as_float, for
--         `reaches`.
-- Rule:   every item of the qrels is relevant, so nothing is judged as not relevant for {of_judged} to count
-- Do:     Add the items that were judged as not relevant, with relevance 0.
SELECT count(*) AS found
FROM qrels
WHERE item IS NOT NULL
HAVING
  count(*) > 0
  AND max(CASE WHEN relevance > 0 AND reaches(relevance, $threshold, $threshold_as_float) THEN 0 ELSE 1 END) = 0
