-- The run, with ids of the types that hold those of both sides.
--
-- Grain:  one row per row of the relation.
-- Params: none.
-- Edges:  a call with ids of two types is refused by a message (key_types), so that DuckDB must plan it first.
SELECT *
FROM (
  SELECT
    model,
    query,
    item,
    score
  FROM run_source
  UNION ALL
  SELECT
    NULL AS model,
    query,
    item,
    NULL AS score
  FROM qrels_source
  WHERE FALSE
) AS typed
