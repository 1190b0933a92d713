-- Models whose lists look sampled: the relevant items of the query among a fixed number of others, drawn from many.
--
-- Grain:  one row per such model.
-- When:   command = check
-- Source: Krichene and Rendle, On Sampled Metrics for Item Recommendation, KDD 2020.
-- Edges:  told from at least ten judged queries of the run with relevant items, of which every list holds them all and
--         the same number of others, and from lists of at most a fifth of the distinct items of the run.
-- Rule:   every list holds all relevant items of its query and the same number of others, as if these were sampled
-- Do:     Rank all items: over sampled ones a metric is another number, which may put models in another order.
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
