-- The share of the top k that is judged: how many of its items are in the qrels, divided by min(k, n) for n retrieved
-- items, or by k with over = k.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $over, the denominator.
-- Option: $over = retrieved in {retrieved, k}
-- Depth:  $k
-- Decides: no
-- Range:  0 to 1
-- Source: ir-measures, Judged.
-- Edges:  an item in the qrels is judged, whatever its relevance. With ranks = given, n is the number of items in the
--         list, whatever their ranks. Nothing retrieved: 0.
SELECT
  model,
  query,
  ratio(
    sum(CASE WHEN in_top(rank, $k) THEN 1 ELSE 0 END),
    CASE
      WHEN $over = 'retrieved' AND max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved)
      ELSE coalesce($k, max(retrieved))
    END
  ) AS judged
FROM judged
GROUP BY model, query
