-- Lists with unjudged items in the top k, which count as not relevant.
--
-- Grain:  one row per such (model, judged query), the largest share first.
-- When:   command = check; dbt = no
-- Params: $largest_k, the largest cutoff requested; NULL for the whole list.
-- Edges:  runs only if the qrels judge some items as not relevant. If they hold only relevant items, such as clicks
--         or purchases, every other item is unjudged, and every list would be reported.
-- Rule:   some items of a list that metrics read are not judged, so they count as not relevant
-- Do:     Judge them, or report judged@k and a metric that handles unjudged items, such as bpref.
SELECT
  model,
  query,
  CAST(sum(CASE WHEN coalesce(is_judged, 0) = 0 THEN 1 ELSE 0 END) AS DOUBLE) / CAST(count(*) AS DOUBLE) AS share,
  CAST(sum(CASE WHEN coalesce(is_judged, 0) = 0 THEN 1 ELSE 0 END) AS BIGINT) AS unjudged
FROM shown
LEFT JOIN (
  SELECT
    query,
    item,
    1 AS is_judged
  FROM judgements
  WHERE relevance >= 0
) AS judged_items USING (query, item)
CROSS JOIN (
  SELECT max(CASE WHEN is_relevant = 0 AND relevance >= 0 AND item IS NOT NULL THEN 1 ELSE 0 END) AS has_not_relevant
  FROM ideal
) AS qrels_in_all
WHERE has_not_relevant = 1 AND ($largest_k IS NULL OR rank <= $largest_k)
GROUP BY model, query
HAVING sum(CASE WHEN coalesce(is_judged, 0) = 0 THEN 1 ELSE 0 END) > 0
ORDER BY share DESC
