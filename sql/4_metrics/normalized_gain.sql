-- The gain of the list, discounted at each rank by how much more gain a perfect list would have, as a share of all
-- gain.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Trec:   G, binG (gain=binary)
-- Source: trec_eval 10.0, m_G.c and m_binG.c: gain / log2(2 + ideal - own), where own is the gain down to this rank,
--         and ideal that of the ideal order, in which each rank counts at least 1.
-- Edges:  no judged item with a gain: NULL. Linear gains ignore the threshold. Summed exactly. The sum in
--         the logarithm is below 0 only if items are judged twice, which a check reports.
SELECT
  model,
  query,
  exact_sum(
    CASE
      WHEN in_list = 1 AND gain > 0 AND CAST(2 + place AS DOUBLE) + ahead > 0
        THEN scaled(gain, top_gain) * ln(CAST(2 AS DOUBLE)) / ln(CAST(2 + place AS DOUBLE) + ahead)
      ELSE 0
    END
  )
  / nullif(exact_sum(CASE WHEN in_list = 0 AND gain > 0 THEN scaled(gain, top_gain) ELSE 0 END), 0) AS normalized_gain
FROM (
  SELECT
    model,
    query,
    in_list,
    place,
    gain,
    top_gain,
    from_units(
      sum(as_units(gain_ahead)) OVER (
        PARTITION BY model, query
        ORDER BY place ASC NULLS FIRST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      )
    ) AS ahead
  FROM (
    SELECT
      model,
      query,
      in_list,
      CASE WHEN in_list = 1 THEN rank ELSE ideal_rank END AS place,
      gain,
      top_gain,
      CASE
        WHEN in_list = 1 THEN -CAST(gain AS DOUBLE)
        WHEN gain > 1 THEN CAST(gain AS DOUBLE) - 1
        ELSE CAST(0 AS DOUBLE)
      END AS gain_ahead
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
