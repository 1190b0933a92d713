-- What each place of a list holds on average over all orders of equal scores, and the ideal order.
--
-- Grain:  one row per (model, query, place in a group of equal score that holds a relevant item or a gain), and one per
--         (model, query, judged item) for the ideal order; every judged query is here for every model.
-- Params: none.
-- Source: McSherry and Najork, Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
--         Scores, ECIR 2008.
-- Edges:  each column is the expectation of the column of judged/ordered: is_relevant is the share of the group that is
--         relevant, gain its mean gain. With c relevant among t tied items, none of the first j places is relevant with
--         probability (t-c)/t · (t-c-1)/(t-1) · … (j factors), computed as a sum of logarithms, exact in units of
--         2^-80. A place has no single item, so there is no item and no relevance.
SELECT
  model,
  query,
  item_slice_no,
  is_relevant,
  gain,
  top_gain,
  ideal_rank,
  relevant,
  rank,
  retrieved,
  hits,
  relevant_hits,
  found,
  is_first
FROM (
  SELECT
    model,
    query,
    item_slice_no,
    CAST(0 AS DOUBLE) AS is_relevant,
    gain,
    top_gain,
    ideal_rank,
    relevant,
    CAST(NULL AS BIGINT) AS rank,
    coalesce(recommended, 0) AS retrieved,
    CAST(0 AS DOUBLE) AS hits,
    CAST(0 AS DOUBLE) AS relevant_hits,
    CAST(0 AS DOUBLE) AS found,
    CAST(0 AS DOUBLE) AS is_first
  FROM models
  CROSS JOIN ideal
  LEFT JOIN retrieved USING (model, query)
  UNION ALL
  SELECT
    model,
    query,
    item_slice_no,
    CAST(c AS DOUBLE) / CAST(t AS DOUBLE) AS is_relevant,
    gain,
    top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant,
    rank,
    recommended AS retrieved,
    CAST(hits_before AS DOUBLE) + CAST(c * j AS DOUBLE) / CAST(t AS DOUBLE) AS hits,
    CAST(c AS DOUBLE) / CAST(t AS DOUBLE)
    * (
      CAST(hits_before + 1 AS DOUBLE)
      + CASE WHEN t > 1 THEN CAST((j - 1) * (c - 1) AS DOUBLE) / CAST(t - 1 AS DOUBLE) ELSE 0 END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - exp(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0 THEN 0
      WHEN j <= t - c THEN exp(log_none) * CAST(c AS DOUBLE) / CAST(t - j + 1 - c AS DOUBLE)
      WHEN j = t - c + 1 THEN exp(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      model,
      query,
      item_slice_no,
      rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before,
      gain,
      top_gain,
      relevant,
      recommended,
      from_units(
        sum(
          as_units(
            CASE
              WHEN rank - before <= tied - relevant_tied
                THEN
                  ln(
                    CAST(tied - (rank - before) + 1 - relevant_tied AS DOUBLE)
                    / CAST(tied - (rank - before) + 1 AS DOUBLE)
                  )
              ELSE 0
            END
          )
        ) OVER (
          PARTITION BY model, query, item_slice_no, before
          ORDER BY rank ASC NULLS FIRST
          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
      ) AS log_none
    FROM ranked
    INNER JOIN tied_groups USING (model, query, before)
    LEFT JOIN retrieved USING (model, query)
    WHERE is_recommended = 1
  ) AS places
) AS expected
