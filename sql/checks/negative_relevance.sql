-- Judgements with a relevance below 0.
--
-- Grain:  one row per such (query, item).
-- When:   source = note
-- Source: trec_eval 10.0: relevance below 0 means pooled but not judged.
-- Rule:   relevance below 0 means pooled but not judged: neither relevant nor judged as not relevant
-- Do:     Write 0 for what is not relevant, such as a dislike.
SELECT
  query,
  item,
  relevance
FROM qrels
WHERE relevance < 0
