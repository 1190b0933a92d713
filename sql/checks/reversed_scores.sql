-- Models whose relevant items rank so far below the other items of their lists that their scores may be distances.
--
-- Grain:  one row per such model.
-- When:   command = check; run = scores; qrels = rows, lists, maps
-- Params: $looked_at, how many lists of a model with relevant items to look at, spread over its queries; NULL for all.
-- Edges:  percent_above is the mean, over the relevant items of lists, of the percentage of the other items of the list
--         that have a higher score, with half of those that have the same. In a random order, it is 50. It must be at
--         least 70, and no chance: the sum of the differences from 50 must be 4 times the root of the sum of their
--         squares, summed by query, and also by item, because a model may rank one popular item last for everybody.
--         If the differences of queries have random signs, they reach that once in 3,000 times at most (Hoeffding).
-- Rule:   relevant items rank below most other items of their lists, as if {score} were read in the wrong order
-- Do:     If low values are the best, as those of distances are, pass order='ascending'. If high values are the best,
--         pass order='descending'.
SELECT
  model,
  count(excess) AS relevant,
  CAST(round(50 + 100 * sum(excess) / count(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model,
    excess,
    sum(excess) OVER (PARTITION BY model, query) AS query_excess,
    sum(excess) OVER (PARTITION BY model, item) AS item_excess
  FROM (
    SELECT
      model,
      query,
      item,
      ratio(first_place + last_place - 2, 2 * (length - 1)) - 0.5 AS excess
    FROM (
      SELECT
        model,
        query,
        item,
        rank() OVER (PARTITION BY model, query ORDER BY score DESC) AS first_place,
        count(*) OVER (
          PARTITION BY model, query
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        count(*) OVER (PARTITION BY model, query) AS length
      FROM candidates
      INNER JOIN (
        SELECT
          model,
          query,
          row_number() OVER (PARTITION BY model ORDER BY query ASC NULLS FIRST) AS list_no,
          count(*) OVER (PARTITION BY model) AS total
        FROM candidates
        INNER JOIN graded USING (query, item)
        WHERE is_relevant = 1
        GROUP BY model, query
      ) AS lists USING (model, query)
      WHERE $looked_at IS NULL OR mod(list_no * $looked_at, total) < $looked_at
    ) AS placed
    INNER JOIN graded USING (query, item)
    WHERE is_relevant = 1
  ) AS found
) AS summed
GROUP BY model
HAVING
  sum(excess) >= 0.2 * count(excess)
  AND power(sum(excess), 2) >= 16 * sum(excess * query_excess)
  AND power(sum(excess), 2) >= 16 * sum(excess * item_excess)
