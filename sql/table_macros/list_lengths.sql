-- True if lists average at least four times the deepest cutoff. If so, rows below the score cutoff are not ranked.
--
-- Grain:  a single row.
-- Params: $depth, the deepest cutoff, NULL for the whole list.
SELECT
  coalesce(
    $depth <= 1000 AND count(*) >= 4 * $depth * approx_count_distinct(hash(model, query)),
    FALSE
  ) AS are_long
FROM run
WHERE $depth <= 1000
