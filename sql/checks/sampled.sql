-- Models whose lists look sampled: a query's relevant items and a fixed number of others, drawn from many.
--
-- Grain:  one row per such model.
-- When:   command = check
-- Source: Krichene and Rendle, On Sampled Metrics for Item Recommendation, KDD 2020.
-- Edges:  reported only if the run has at least 10 judged queries with relevant items, every such list holds all
--         relevant items and the same number of others, and no list is longer than 20 % of the run's distinct items.
-- Rule:   every list holds all relevant items of its query and the same number of other items, as if the others were
--         sampled
-- Do:     Rank all items: on sampled items, metrics have other values and may order models differently.
SELECT
  model,
  count(*) AS queries,
  max(listed) AS longest,
  max(listed - found) AS others,
  max(held) AS distinct_items
FROM (
  SELECT
    model,
    query,
    count(*) AS listed,
    CAST(sum(CASE WHEN is_relevant = 1 THEN 1 ELSE 0 END) AS BIGINT) AS found,
    max(relevant_in_all) AS wanted
  FROM candidates
  LEFT JOIN ideal USING (query, item)
  INNER JOIN (
    SELECT
      query,
      CAST(sum(is_relevant) AS BIGINT) AS relevant_in_all
    FROM ideal
    GROUP BY query
  ) AS judged_queries USING (query)
  WHERE relevant_in_all > 0
  GROUP BY model, query
) AS lists
INNER JOIN (
  SELECT
    model,
    count(*) AS held
  FROM (
    SELECT
      model,
      item
    FROM candidates
    GROUP BY model, item
  ) AS held_items
  GROUP BY model
) AS catalogs USING (model)
GROUP BY model
HAVING
  count(*) >= 10
  AND min(found - wanted) = 0
  AND max(found - wanted) = 0
  AND min(listed - found) = max(listed - found)
  AND min(listed - found) > 0
  AND 5 * max(listed) <= max(held)
