-- The rows of a labelled run, each with one number that orders by score, then by item, and holds the label.
--
-- Grain:  one row per (model, query, item).
-- Params: $score_scale, $item_codes, $ties, $item_low and $item_high as in numbers; $label_codes, a power of two above
--         the highest label: the relevance, or 0 if that is negative.
-- Plan:   for tops/labelled.
-- Edges:  number is (cell * $item_codes + the code of the item) * $label_codes + the label, NULL if the score has no
--         cell. code holds the item and the label. It is NULL for label 0, and -1 if the row has no item, or if its
--         relevance is not a whole number below $label_codes.
SELECT
  model,
  query,
  CASE
    WHEN label IS NULL OR item IS NULL THEN -1
    WHEN label > 0 THEN (CAST(item AS BIGINT) - $item_low) * $label_codes + label
  END AS code,
  TRY_CAST(
    (floor(score * $score_scale) + ceil(score * $score_scale)) * (CAST($item_codes AS DOUBLE) * $label_codes) AS BIGINT
  )
  + CASE WHEN $ties = 'item' THEN $item_high - CAST(item AS BIGINT) ELSE CAST(item AS BIGINT) - $item_low END
  * $label_codes
  + label AS number
FROM (
  SELECT
    model,
    query,
    item,
    score,
    CASE
      WHEN relevance <= 0 THEN 0
      WHEN relevance < $label_codes AND relevance = floor(relevance) THEN CAST(relevance AS BIGINT)
    END AS label
  FROM run_source
) AS labelled_rows
