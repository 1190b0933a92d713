-- The groups of equal score, also of one item, with a relevant item or a gain.
--
-- Grain:  one row per such (model, query, group); the number of items before a group identifies it.
-- Params: none.
-- Edges:  relevant_tied is the number of relevant items in the group, hits_before that in the groups before it. gain is
--         the mean gain of its items, summed exactly in units of 2^-80 of the query's top gain.
SELECT
  model,
  query,
  item_slice_no,
  before,
  relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant,
  sum(relevant_tied) OVER (
    PARTITION BY model, query, item_slice_no
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    model,
    query,
    item_slice_no,
    before,
    CAST(sum(is_relevant) AS BIGINT) AS relevant_tied,
    unscaled(exact_sum(scaled(gain, top_gain)), max(top_gain)) / CAST(max(tied) AS DOUBLE) AS mean_gain,
    max(top_gain) AS highest_gain,
    relevant
  FROM ranked
  INNER JOIN ideal USING (query, item)
  GROUP BY model, query, item_slice_no, before, relevant
  HAVING sum(is_relevant) > 0 OR max(gain) > 0
) AS found_groups
