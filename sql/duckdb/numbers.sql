-- The candidates, each with one number that orders as its score does, and then tells items apart.
--
-- Grain:  one row per (model, query, item).
-- Params: $score_scale, a power of two by which scores are multiplied; $item_codes, a power of two: a number below it
--         stands for the item, its hash or, unless $by_hash, how far it is from $item_low or, where $ties is item, from
--         $item_high, so that equal scores are in their order.
-- Plan:   for tops/scores and tops/hashed.
-- Edges:  number is cell * $item_codes + what stands for the item. The cell of a score x is twice x * $score_scale
--         where that is whole, and odd between two such. A score that is NULL, NaN or too large has no number.
SELECT
  model,
  query,
  item,
  TRY_CAST(floor(score * $score_scale) + ceil(score * $score_scale) AS BIGINT) * $item_codes
  + CASE
    WHEN $by_hash THEN CAST(hash(item) & ($item_codes - 1) AS BIGINT)
    WHEN $ties = 'item' THEN $item_high - CAST(item AS BIGINT)
    ELSE CAST(item AS BIGINT) - $item_low
  END AS number
FROM candidates
