-- The mean of nDCG at several cutoffs: where the gain falls in the ideal order, and the end of the list.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   Rndcg
-- Range:  0 to 1
-- Source: trec_eval 10.0, m_Rndcg.c. With 5 items of relevance 3 and 3 of relevance 1, the cutoffs are 5, 8 and the
--         length of the list.
-- Edges:  no judged item with a gain: NULL. As in trec_eval, the end of the list counts only if the list is at least
--         two items longer than the number of items with a gain. Linear gains ignore the threshold. Summed exactly.
SELECT
  model,
  query,
  (
    exact_sum(CASE WHEN is_cutoff = 1 THEN own / ideal ELSE 0 END)
    + CASE WHEN max(retrieved) > max(last_gain) + 1 THEN max(own) / nullif(max(ideal), 0) ELSE 0 END
  )
  / nullif(
    CAST(sum(is_cutoff) + CASE WHEN max(retrieved) > max(last_gain) + 1 THEN 1 ELSE 0 END AS DOUBLE)
    * CASE WHEN max(last_gain) > 0 THEN 1 ELSE 0 END, 0
  ) AS ndcg_r
FROM (
  SELECT
    model,
    query,
    retrieved,
    CASE WHEN in_list = 0 AND gain > 0 THEN place ELSE 0 END AS last_gain,
    CASE
      WHEN
        in_list = 0 AND gain > 0
        AND gain > coalesce(
          lead(CAST(gain AS DOUBLE)) OVER (PARTITION BY model, query, in_list ORDER BY place ASC NULLS FIRST), 0
        ) THEN 1
      ELSE 0
    END AS is_cutoff,
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
      retrieved,
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
