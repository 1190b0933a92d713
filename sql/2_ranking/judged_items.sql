-- The judged items of every query.
--
-- Grain:  one row per (query, judged item).
-- Params: none.
-- Source: trec_eval 10.0, -J: relevance below 0 means pooled but not judged.
SELECT
  query,
  item,
  1 AS is_judged
FROM judgements
WHERE relevance >= 0
GROUP BY query, item
