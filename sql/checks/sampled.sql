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
  count(DISTINCT item) AS distinct_items
FROM candidates
INNER JOIN (
  SELECT
    model,
    max(queries_of_lists) AS queries_of_model,
    max(longest_of_lists) AS longest_of_model,
    max(others_of_lists) AS others_of_model
  FROM candidates
  INNER JOIN (
    SELECT
      query,
      item
    FROM graded
    WHERE is_relevant = 1
  ) AS relevant_items USING (query, item)
  INNER JOIN (
    SELECT
      model,
      count(*) AS queries_of_lists,
      max(listed) AS longest_of_lists,
      max(listed - wanted) AS others_of_lists,
      sum(wanted) AS wanted_of_lists
    FROM (
      SELECT
        model,
        query,
        count(*) AS listed
      FROM candidates
      GROUP BY model, query
    ) AS lists
    INNER JOIN (
      SELECT
        query,
        CAST(sum(is_relevant) AS BIGINT) AS wanted
      FROM graded
      GROUP BY query
      HAVING sum(is_relevant) > 0
    ) AS judged_queries USING (query)
    GROUP BY model
    HAVING count(*) >= 10 AND min(listed - wanted) = max(listed - wanted) AND min(listed - wanted) > 0
  ) AS alike_lists USING (model)
  GROUP BY model
  HAVING count(*) = max(wanted_of_lists)
) AS whole_lists USING (model)
GROUP BY model
HAVING
  max(queries_of_model) >= 10 -- again, because ClickHouse makes one group of no rows if the model is a constant
  AND 5 * max(longest_of_model) <= count(DISTINCT item)
