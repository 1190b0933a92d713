-- The qrels as if every unjudged item that a metric reads were relevant, with the highest relevance of the qrels.
--
-- Grain:  one row per (query, judged item), and one per (judged query, unjudged item in the list of any model).
-- Params: none.
-- Source: bounds under missing judgements: Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval
--         Effectiveness, TOIS 27(1), 2008.
-- Edges:  a query that is not judged stays so. Relevance below 0 means not judged.
SELECT
  query,
  item,
  relevance
FROM (
  SELECT
    query,
    item,
    relevance
  FROM judgements
  WHERE relevance >= 0 OR item IS NULL
  UNION ALL
  SELECT
    query,
    item,
    highest AS relevance
  FROM pool
  INNER JOIN (
    SELECT
      query,
      1 AS is_judged
    FROM judgements
    GROUP BY query
  ) AS judged_queries USING (query)
  CROSS JOIN (
    SELECT max(relevance) AS highest
    FROM judgements
  ) AS of_qrels
) AS judged_or_relevant
