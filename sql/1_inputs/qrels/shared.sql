-- The qrels, from a labelled relation of several models, which repeats the label of an item for each model.
--
-- Grain:  one row per (query, item, relevance). An item that two models label differently has two rows and is refused.
-- Params: none.
SELECT DISTINCT
  query,
  item,
  relevance,
  slice
FROM qrels_source
