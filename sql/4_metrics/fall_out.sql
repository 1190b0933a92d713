-- The share of a list's non-relevant items that are in its top k: (min(k, n) - h_k) / (n - h_n).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $of, which non-relevant items are counted: all in the list
--         (retrieved), or all that the qrels judge non-relevant, retrieved or not (judged).
-- Option: $of = retrieved in {retrieved, judged}
-- Better: lower
-- Ties:   expected, but of = judged
-- Range:  0 to 1
-- Source: van Rijsbergen, Information Retrieval (1979), ch. 7; torchmetrics, RetrievalFallOut.
-- Edges:  no non-relevant item: NULL. Relevance below 0 means not judged.
SELECT
  model,
  query,
  CASE
    WHEN $of = 'judged'
      THEN
        ratio(
          sum(CASE WHEN is_relevant = 0 AND relevance >= 0 AND in_top(rank, $k) THEN 1 ELSE 0 END),
          sum(CASE WHEN is_relevant = 0 AND relevance >= 0 THEN 1 ELSE 0 END)
        )
    ELSE
      ratio(
        CASE
          WHEN max(retrieved) < coalesce($k, max(retrieved)) THEN max(retrieved) ELSE coalesce($k, max(retrieved))
        END
        - hits_in_top(is_relevant, rank, $k),
        max(retrieved) - hits_in_list(is_relevant, rank)
      )
  END AS fall_out
FROM judged
GROUP BY model, query
