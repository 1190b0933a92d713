-- Each query's candidates by score, highest first.
-- Of equal scores the most relevant item comes first, which gives the best possible number.
--
-- Grain:  one row per (model, query, item) among the first $depth of its query.
-- Params: $depth, the deepest cutoff, NULL for the whole list; $nulls: 'last' ranks a NULL score last;
--         $min_score, the lowest score that is recommended, NULL for none; $min_score_as_float, for `reaches`.
-- Edges:  recommended items come first in their list, so they keep their ranks.
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
      CASE WHEN relevance > 0 THEN relevance ELSE 0 END DESC NULLS LAST,
      item DESC NULLS LAST
  ) AS rank
FROM candidates
LEFT JOIN qrels USING (query, item)
QUALIFY $depth IS NULL OR rank <= $depth
