-- Each query's candidates by score, highest first, in groups of equal score without an order.
--
-- Grain:  one row per (model, query, item) in a group that begins within the first $depth of its query.
-- Params: $depth, the deepest cutoff, NULL for the whole list; $nulls: 'last' ranks a NULL score last; $min_score, the
--         lowest score that is recommended, NULL for none; $min_score_as_float, for `reaches`.
-- Edges:  before is the number of items before the group, tied the number in it. rank numbers the places of the group;
--         its order within the group (by item, descending) is not used.
SELECT
  model,
  query,
  item,
  CASE WHEN reaches(score, $min_score, $min_score_as_float) THEN 1 ELSE 0 END AS is_recommended,
  row_number() OVER (
    PARTITION BY model, query
    ORDER BY
      CASE WHEN $nulls = 'last' AND score IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST,
      score DESC NULLS LAST,
      item DESC NULLS LAST
  ) AS rank,
  rank() OVER (
    PARTITION BY model, query
    ORDER BY
      CASE WHEN $nulls = 'last' AND score IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST,
      score DESC NULLS LAST
  ) - 1 AS before,
  count(*) OVER (
    PARTITION BY model, query
    ORDER BY
      CASE WHEN $nulls = 'last' AND score IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST,
      score DESC NULLS LAST
    RANGE BETWEEN CURRENT ROW AND CURRENT ROW
  ) AS tied
FROM candidates
QUALIFY $depth IS NULL OR before < $depth
