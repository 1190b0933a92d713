-- How far the lists of a model and of the baseline agree, as means over queries.
--
-- Grain:  one row per model, without the baseline.
-- Params: none.
-- Edges:  jaccard and rbo are means over the queries for which both have a list. changed counts the queries with
--         another list, only_model and only_baseline those for which only one of the two has a list.
SELECT
  model,
  exact_sum_of_many(list_jaccard) / nullif(CAST(count(list_jaccard) AS DOUBLE), 0) AS jaccard,
  exact_sum_of_many(list_rbo) / nullif(CAST(count(list_rbo) AS DOUBLE), 0) AS rbo,
  CAST(sum(coalesce(is_changed, 0)) AS BIGINT) AS changed,
  count(list_jaccard) AS queries,
  CAST(sum(CASE WHEN base_length = 0 THEN 1 ELSE 0 END) AS BIGINT) AS only_model,
  CAST(sum(CASE WHEN own_length = 0 THEN 1 ELSE 0 END) AS BIGINT) AS only_baseline
FROM agreed
GROUP BY model
ORDER BY model ASC NULLS FIRST
