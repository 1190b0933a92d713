-- Every judged item with its rank in the run and in the ideal order, and the first item of every list.
--
-- Grain:  one row per (model, query, item) that is judged, first in its list, or faulty.
-- Params: none.
-- Plan:   over connections: ranked is read once. judged/ordered, retrieved and models read it four times.
-- Reads:  named_models: model, a row per run or score column that the user names, or per value of the model column.
-- Edges:  the rows with is_judged = 1 and their columns are those of judged/ordered. candidates counts the items in the
--         top. is_sound is 0 for a fault: a NULL, or an item that is judged or retrieved twice.
SELECT
  model,
  query,
  item,
  relevance,
  is_relevant,
  gain,
  top_gain,
  ideal_rank,
  relevant,
  rank,
  retrieved,
  hits,
  is_relevant * hits AS relevant_hits,
  CASE WHEN hits >= 1 THEN 1 ELSE 0 END AS found,
  CASE WHEN is_relevant = 1 AND hits = 1 THEN 1 ELSE 0 END AS is_first,
  is_judged,
  candidates,
  is_sound
FROM (
  SELECT
    model,
    query,
    item,
    relevance,
    is_relevant,
    gain,
    top_gain,
    ideal_rank,
    relevant,
    hit_rank AS rank,
    recommended AS retrieved,
    is_judged,
    candidates,
    is_sound,
    sum(CASE WHEN hit_rank >= 1 THEN is_relevant ELSE 0 END) OVER (
      PARTITION BY model, query
      ORDER BY CASE WHEN hit_rank IS NULL THEN 1 ELSE 0 END ASC NULLS FIRST, hit_rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM (
    SELECT
      model,
      query,
      item,
      relevance,
      is_relevant,
      gain,
      top_gain,
      ideal_rank,
      relevant,
      hit_rank,
      recommended,
      CASE WHEN times_judged > 0 THEN 1 ELSE 0 END AS is_judged,
      candidates,
      is_top,
      CASE
        WHEN NOT (model IS NOT NULL AND query IS NOT NULL AND item IS NOT NULL) THEN 0
        WHEN times_retrieved > 1 OR times_judged > 1 THEN 0
        WHEN times_judged = 1 AND relevance IS NULL THEN 0
        ELSE 1
      END AS is_sound
    FROM (
      SELECT
        model,
        query,
        item,
        max(relevance) AS relevance,
        max(is_relevant) AS is_relevant,
        max(gain) AS gain,
        max(top_gain) AS top_gain,
        max(ideal_rank) AS ideal_rank,
        max(relevant) AS relevant,
        max(CASE WHEN is_recommended = 1 THEN rank END) AS hit_rank,
        max(recommended) AS recommended,
        max(candidates) AS candidates,
        max(CASE WHEN rank = 1 THEN 1 ELSE 0 END) AS is_top,
        sum(is_retrieved) AS times_retrieved,
        sum(is_judged) AS times_judged
      FROM (
        SELECT
          model,
          query,
          item,
          relevance,
          is_relevant,
          gain,
          top_gain,
          ideal_rank,
          relevant,
          rank,
          is_recommended,
          is_retrieved,
          is_judged,
          sum(is_retrieved) OVER (PARTITION BY model, query) AS candidates,
          sum(is_recommended) OVER (PARTITION BY model, query) AS recommended
        FROM (
          SELECT
            model,
            query,
            item,
            CAST(NULL AS DOUBLE) AS relevance,
            0 AS is_relevant,
            CAST(NULL AS DOUBLE) AS gain,
            CAST(NULL AS DOUBLE) AS top_gain,
            CAST(NULL AS BIGINT) AS ideal_rank,
            CAST(NULL AS BIGINT) AS relevant,
            CAST(rank AS BIGINT) AS rank,
            is_recommended,
            1 AS is_retrieved,
            0 AS is_judged
          FROM ranked
          UNION ALL
          SELECT
            model,
            query,
            item,
            relevance,
            is_relevant,
            gain,
            top_gain,
            CAST(ideal_rank AS BIGINT) AS ideal_rank,
            relevant,
            CAST(NULL AS BIGINT) AS rank,
            0 AS is_recommended,
            0 AS is_retrieved,
            1 AS is_judged
          FROM named_models
          CROSS JOIN ideal
        ) AS both_sides
      ) AS of_lists
      GROUP BY model, query, item
    ) AS items
  ) AS joined
  WHERE is_judged = 1 OR is_top = 1 OR is_sound = 0
) AS counted
