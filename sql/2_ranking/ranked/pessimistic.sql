-- The top of every query's list by score, highest first.
-- Of equal scores the least relevant item comes first; the worst number any order could give.
--
-- Grain:  one row per (model, query, item) among the first $depth of its query.
-- Params: $depth, how far down any metric looks, NULL for the whole list; $nulls: 'last' ranks a NULL score last;
--         $min_score, the score below which an item is a candidate but not recommended, NULL for none.
-- Edges:  recommended items are always the first of their list, so they keep their ranks.
SELECT
  model,
  query,
  item,
  CASE WHEN $min_score IS NULL OR score >= $min_score THEN 1 ELSE 0 END AS is_recommended,
  row_number() OVER (
    PARTITION BY model, query
    ORDER BY
      CASE WHEN $nulls = 'last' AND score IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST,
      score DESC NULLS LAST,
      CASE WHEN relevance > 0 THEN relevance ELSE 0 END ASC NULLS FIRST,
      item DESC NULLS LAST
  ) AS rank
FROM candidates
LEFT JOIN qrels USING (query, item)
QUALIFY $depth IS NULL OR rank <= $depth
