-- The mean, over the relevant items, of nDCG at the rank of each; for an item that is not retrieved, at the end.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   ndcg_rel
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_ndcg_rel.c. Relevant means a gain above 0.
-- Edges:  no judged item with a gain: NULL. Linear gains ignore the threshold. At a rank below the last relevant item
--         of the ideal order, nDCG divides by the whole ideal DCG. Summed exactly.
SELECT
  model,
  query,
  (
    exact_sum(CASE WHEN in_list = 1 AND gain > 0 THEN own / ideal ELSE 0 END)
    + CAST(sum(CASE WHEN gain > 0 THEN 1 - 2 * in_list ELSE 0 END) AS DOUBLE) * max(own) / nullif(max(ideal), 0)
  ) / nullif(CAST(sum(CASE WHEN gain > 0 THEN 1 - in_list ELSE 0 END) AS DOUBLE), 0) AS ndcg_rel
FROM (
  SELECT
    model,
    query,
    in_list,
    gain,
    from_units(
      sum(as_units(CASE WHEN in_list = 1 THEN worth ELSE CAST(0 AS DOUBLE) END)) OVER (
        PARTITION BY model, query
        ORDER BY place ASC NULLS FIRST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) AS own,
    from_units(
      sum(as_units(CASE WHEN in_list = 0 THEN worth ELSE CAST(0 AS DOUBLE) END)) OVER (
        PARTITION BY model, query
        ORDER BY place ASC NULLS FIRST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) AS ideal
  FROM (
    SELECT
      model,
      query,
      in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain,
      CASE
        WHEN gain > 0 THEN discounted(scaled(gain, top_gain), CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END, 2)
        ELSE CAST(0 AS DOUBLE)
      END AS worth
    FROM judged
    CROSS JOIN (
      SELECT 0 AS in_list
      UNION ALL
      SELECT 1 AS in_list
    ) AS orders
    WHERE in_list = 0 OR rank >= 1
  ) AS places
) AS totals
GROUP BY model, query
