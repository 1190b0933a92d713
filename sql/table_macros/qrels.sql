-- The qrels, with ids of the types that hold those of both sides.
--
-- Grain:  one row per row of the relation.
-- Params: none.
-- Edges:  as in run.
SELECT *
FROM (
  SELECT
    query,
    item,
    TRY_CAST(relevance AS DOUBLE) AS relevance,
    slice
  FROM qrels_source
  UNION ALL
  SELECT
    query,
    item,
    NULL AS relevance,
    NULL AS slice
  FROM run_source
  WHERE FALSE
) AS typed
