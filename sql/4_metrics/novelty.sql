-- How unfamiliar the items in the top k are: the mean of -log2 of their popularity in the training data.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  training, through held_items and training_size.
-- Source: Zhou et al., PNAS 107(10), 2010 (mean self-information); Vargas and Castells, RecSys 2011.
-- Edges:  an item missing from the training data counts as held by one query. A query without a list is not counted.
--         Summed exactly.
SELECT
  model,
  query,
  exact_sum(
    ln(CAST(training_queries AS DOUBLE) / CAST(CASE WHEN holders > 0 THEN holders ELSE 1 END AS DOUBLE))
    / ln(CAST(2 AS DOUBLE))

  )
  / CAST(count(*) AS DOUBLE) AS novelty
FROM shown
CROSS JOIN training_size
LEFT JOIN held_items USING (item)
WHERE in_top(rank, $k)
GROUP BY model, query
