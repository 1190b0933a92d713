-- Items that differ from judged ones only in a number at the end, as the ids of chunks differ from those of documents.
--
-- Grain:  one row per such (model, query, item), with the judged item.
-- When:   explains = no_common_item; texts = may_be_lists; engine = duckdb
-- Edges:  the number follows #, _, -, : or /, as in d1#3, d1_chunk_3 and d1/3; after # anything may follow, as in
--         d1_0#6_3617397938. Read only if no item is judged.
-- Rule:   an item ({item}) differs from a judged one only in a number at the end, as a chunk differs from its
--         document; item_map= maps chunks to documents
-- Do:     If the items are chunks, pass their documents as item_map=, a table of item and unit, or an expression such
--         as "split_part(item, '#', 1)".
SELECT
  model,
  query,
  item,
  min(judged_item) AS judged_item
FROM run
INNER JOIN (
  SELECT
    query,
    item AS judged_item
  FROM qrels
) AS judged_ids USING (query)
WHERE
  item <> judged_item
  AND (without_chunk(item) = CAST(judged_item AS VARCHAR) OR without_chunk(judged_item) = CAST(item AS VARCHAR))
GROUP BY model, query, item
