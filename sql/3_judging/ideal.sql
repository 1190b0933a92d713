-- The qrels in ideal order, as a perfect system would return them.
--
-- Grain:  one row per (query, judged item), and with item slices one per (query, item slice, judged item).
-- Params: none.
-- Edges:  equal gains have any order, which changes no metric. top_gain and relevant are equal in all rows of a
--         query.
SELECT
  query,
  item_slice_no,
  item,
  relevance,
  is_relevant,
  gain,
  max(gain) OVER (PARTITION BY query, item_slice_no) AS top_gain,
  row_number() OVER (PARTITION BY query, item_slice_no ORDER BY gain DESC) AS ideal_rank,
  CAST(sum(is_relevant) OVER (PARTITION BY query, item_slice_no) AS BIGINT) AS relevant
FROM sliced
