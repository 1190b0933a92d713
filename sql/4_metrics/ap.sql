-- The mean over a query's relevant items of the precision at its rank; 0 for one outside the top k.
-- Its mean is MAP.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Source: trec_eval 10.0, m_map.c; m_map_cut.c with a cutoff.
-- Edges:  nothing relevant: NULL. It divides by R also where k is smaller. Summed exactly, as whole numbers of 2^-80.
SELECT
  model AS model,
  query AS query,
  CAST(
    sum(
      CAST(
        CASE
          WHEN is_relevant = 1 AND rank BETWEEN 1 AND coalesce($k, rank)
            THEN CAST(hits AS DOUBLE) / CAST(rank AS DOUBLE)
          ELSE 0
        END * power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE)) AS DECIMAL(38, 0)
      )
    ) AS DOUBLE
  )
  / power(CAST(2 AS DOUBLE), CAST(80 AS DOUBLE))
  / nullif(CAST(max(relevant) AS DOUBLE), 0) AS ap
FROM judged
GROUP BY model, query
