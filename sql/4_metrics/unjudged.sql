-- The share of the top k that is not judged: the number of unjudged items in it, divided by k.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Better: lower
-- Decides: no
-- Trec:   unj_$k
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_unjudged.c.
-- Edges:  relevance below 0 means not judged. A list with fewer than k items is divided by k too. The
--         unjudged items are min(k, n) minus the judged ones; with ranks = given, n is the number of items in the list,
--         whatever their ranks. Nothing retrieved: 0.
SELECT
  model,
  query,
  ratio(
    CASE WHEN max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved) ELSE coalesce($k, max(retrieved)) END
    - sum(CASE WHEN in_top(rank, $k) AND relevance >= 0 THEN 1 ELSE 0 END),
    coalesce($k, max(retrieved))
  ) AS unjudged
FROM judged
GROUP BY model, query
