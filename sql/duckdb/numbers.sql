-- The candidates, each with one number that orders by score, then by item.
--
-- Grain:  one row per (model, query, item).
-- Params: $score_scale, a power of two by which scores are multiplied; $item_codes, a power of two above the code of an
--         item: its hash or, unless $by_hash, its distance from $item_low or, if $ties is item, from $item_high, so
--         that equal scores are in order.
-- Plan:   for tops/scores and tops/hashed.
-- Edges:  number is cell * $item_codes + the code of the item. The cell of a score x is 2 * x * $score_scale if that is
--         whole, and an odd number between two such. A score that is NULL, NaN or too large has no number. The product
--         is computed as a double, which is exact, because a cell may be too large for a product of integers.
SELECT
  model,
  query,
  item,
  TRY_CAST(
    (floor(score * $score_scale) + ceil(score * $score_scale)) * CAST($item_codes AS DOUBLE) AS BIGINT
  )
  + CASE
    WHEN $by_hash THEN CAST(hash(item) & ($item_codes - 1) AS BIGINT)
    WHEN $ties = 'item' THEN $item_high - CAST(item AS BIGINT)
    ELSE CAST(item AS BIGINT) - $item_low
  END AS number
FROM candidates
