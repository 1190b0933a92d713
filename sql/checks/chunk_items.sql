-- Items that differ from judged ones only in a number at the end, as the ids of chunks differ from those of documents.
--
-- Grain:  one row per such (model, query, item), with the judged item.
-- When:   explains = no_common_item; texts = may_be_lists; engine = duckdb
-- Edges:  the number follows #, _, -, : or /, as in d1#3, d1_chunk_3 and d1/3. Read only if no item is judged.
-- Rule:   an item ({item}) differs from a judged one only in a number at the end, as a chunk differs from its document
-- Do:     If the items are chunks, write the id of the document into its own column, and judge that.
SELECT
  model,
  query,
  item,
  min(judged_item) AS judged_item
FROM (
  SELECT
    model,
    query,
    item,
    without_chunk(item) AS stem
  FROM run
) AS retrieved_ids
INNER JOIN (
  SELECT
    query,
    item AS judged_item,
    without_chunk(item) AS stem
  FROM qrels
) AS judged_ids USING (query, stem)
WHERE item <> judged_item AND (CAST(item AS VARCHAR) = stem OR CAST(judged_item AS VARCHAR) = stem)
GROUP BY model, query, item
