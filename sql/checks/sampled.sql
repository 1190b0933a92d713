-- Models whose lists look sampled: a query's relevant items and a fixed number of others, drawn from many.
--
-- Grain:  one row per such model.
-- When:   command = check; dbt = no
-- Source: Krichene and Rendle, On Sampled Metrics for Item Recommendation, KDD 2020.
-- Edges:  reported only if the run has at least 10 judged queries with relevant items, every such list holds all
--         relevant items and the same number of others, and no list is longer than 20 % of the run's distinct items.
-- Rule:   the lists look sampled: each holds all relevant items of its query and the same number of others, not the
--         best of all items
-- Do:     Rank all items: on sampled items, metrics have other values and may order models differently.
SELECT
  model,
  max(queries_of_model) AS queries,
  max(longest_of_model) AS longest,
  max(others_of_model) AS others,
  count(*) AS distinct_items
FROM (
  SELECT
    model,
    item,
    queries_of_model,
    longest_of_model,
    others_of_model
  FROM candidates
  INNER JOIN (
    SELECT
      model,
      count(*) AS queries_of_model,
      max(listed) AS longest_of_model,
      max(listed - found) AS others_of_model
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
    GROUP BY model
    HAVING
      count(*) >= 10
      AND min(found - wanted) = 0
      AND max(found - wanted) = 0
      AND min(listed - found) = max(listed - found)
      AND min(listed - found) > 0
  ) AS alike_lists USING (model)
  GROUP BY model, item, queries_of_model, longest_of_model, others_of_model
) AS held_items
GROUP BY model
HAVING
  max(queries_of_model) >= 10 -- again, because ClickHouse makes one group of no rows if the model is a constant
  AND 5 * max(longest_of_model) <= count(*)
