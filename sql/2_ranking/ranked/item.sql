-- Each query's candidates by score, highest first.
-- Equal scores are ordered by item, ascending (text by its bytes).
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
      item ASC NULLS FIRST
  ) AS rank
FROM candidates
QUALIFY $depth IS NULL OR rank <= $depth
