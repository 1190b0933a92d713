-- qrels, from a labelled relation of several models, where the label of an item stands once for each model.
--
-- Grain:  one row per (query, item, relevance): an item that two models label differently keeps both, and is refused.
-- Params: none.
SELECT DISTINCT
  query,
  item,
  relevance,
  slice
FROM qrels_source
