-- The judgements, without a relevance that is too large, so that no sum overflows before the fault is found, or whose
-- item is the text of a list.
--
-- Grain:  one row per judgement.
-- Params: $largest_relevance, the bound of relevance for exact sums; $text_items, true if items are text
--         that may hold lists.
-- Plan:   replaces judgements for graded, with judged/one_pass, to which a NULL is a fault.
SELECT
  query,
  item,
  CASE WHEN relevance < $largest_relevance AND NOT ($text_items AND is_list_text(item)) THEN relevance END AS relevance
FROM judgements
