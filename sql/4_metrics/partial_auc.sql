-- The area under the ROC curve up to the first k items that are not relevant.
--
-- Grain:  one row per (model, query).
-- Params: $k, the number of items that are not relevant. $over, the divisor: k times R, the number of relevant items
--         (relevant), or k times min(k, R), with only the first k relevant items counted (capped).
-- Cutoff: required
-- Option: $over = relevant in {relevant, capped}
-- Source: RecTools 0.19, PartialAUC and PAP (capped); Shi et al., pAp@k, AAAI 2020.
-- Edges:  no relevant item: NULL. Unjudged items are not relevant. A relevant item that is not retrieved counts as
--         ranked last. Lists with fewer than k other items are not extended.
SELECT
  model,
  query,
  CAST(
    sum(
      CASE
        WHEN is_relevant = 1 AND rank - hits < $k AND ($over = 'relevant' OR hits <= $k) THEN $k - (rank - hits) ELSE 0
      END
    ) AS DOUBLE
  )
  / nullif(
    CAST(
      CASE
        WHEN $over = 'capped' AND relevant_items(is_relevant) > $k THEN $k ELSE relevant_items(is_relevant)
      END AS DOUBLE
    )
    * CAST($k AS DOUBLE), 0
  ) AS partial_auc
FROM judged
GROUP BY model, query
