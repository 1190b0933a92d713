-- 1 if a query without relevant items retrieves nothing, which is right, and 0 if it retrieves something. The mean is
-- the share of the queries without an answer for which nothing reaches min_score.
--
-- Grain:  one row per (model, query).
-- Params: none.
-- Empty:  skip
-- Ties:   expected
-- Range:  0 to 1
-- Source: the share of questions without an answer that are not answered: Rajpurkar et al., SQuAD 2.0, ACL 2018.
-- Edges:  a query with a relevant item: NULL, and the query is not counted. So compare it only with the recall at the
--         same min_score. With no_relevant = skip, no query counts.
SELECT
  model,
  query,
  CASE
    WHEN relevant_items(is_relevant) = 0 THEN CAST(CASE WHEN max(retrieved) > 0 THEN 0 ELSE 1 END AS DOUBLE)
  END AS abstention
FROM judged
GROUP BY model, query
