-- The candidates, each with one number that orders as its score does, and tells items apart by their hash.
--
-- Grain:  one row per (model, query, item).
-- Params: $score_scale, a power of two by which scores are multiplied; $item_codes, a power of two: how many hashes
--         there are.
-- Plan:   for tops/hashed and placed/hashed.
-- Edges:  number is cell * $item_codes + hash. The cell of a score x is twice x * $score_scale where that is whole, and
--         odd between two such.
SELECT
  model AS model,
  query AS query,
  item AS item,
  CAST(floor(score * $score_scale) + ceil(score * $score_scale) AS BIGINT) * $item_codes
  + CAST(hash(item) & ($item_codes - 1) AS BIGINT) AS number
FROM candidates
