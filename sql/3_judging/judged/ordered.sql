-- Every judged item, with its rank in the run if it is there.
--
-- Grain:  one row per (model, query, judged item); every model has every judged query, retrieved or not.
-- Params: none.
-- Edges:  rank is NULL for an item that is not retrieved or not recommended. hits counts the relevant items up to and
--         including this rank, and is 0 without one; found is 1 from the first of them on; relevant_hits is hits if the
--         item is relevant; is_first is 1 for the first relevant item. retrieved (the number of recommended items),
--         relevant (the number of relevant items) and top_gain are equal in all rows of a query. Retrieved items that
--         are not judged have no row.
SELECT
  model,
  query,
  item_slice_no,
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
  CASE WHEN is_relevant = 1 AND hits = 1 THEN 1 ELSE 0 END AS is_first
FROM (
  SELECT
    model,
    query,
    item_slice_no,
    item,
    relevance,
    is_relevant,
    gain,
    top_gain,
    ideal_rank,
    relevant,
    hit_rank AS rank,
    list_length AS retrieved,
    sum(CASE WHEN hit_rank >= 1 THEN is_relevant ELSE 0 END) OVER (
      PARTITION BY model, query, item_slice_no
      ORDER BY hit_rank ASC NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
  FROM (
    SELECT
      model,
      query,
      item_slice_no,
      item,
      relevance,
      is_relevant,
      gain,
      top_gain,
      ideal_rank,
      relevant,
      CASE WHEN is_recommended = 1 THEN rank END AS hit_rank,
      coalesce(recommended, 0) AS list_length
    FROM models
    CROSS JOIN ideal
    LEFT JOIN ranked USING (model, query, item)
    LEFT JOIN retrieved USING (model, query)
  ) AS met
) AS counted
