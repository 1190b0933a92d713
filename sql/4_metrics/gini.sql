-- How unequally the top-k recommendations are spread over the catalog: 0 if all items are recommended equally often,
-- near 1 if one item gets all recommendations.
--
-- Grain:  one row per model.
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Better: lower
-- Empty:  skip
-- Reads:  catalog, through catalog_items.
-- Source: Fleder and Hosanagar, Blockbuster Culture's Next Rise or Fall, Management Science 55(5), 2009: the sum of (2
--         i - n - 1) x_i over n times the sum of x_i, x_i in ascending order.
-- Edges:  counts the lists of judged queries, without those that a policy leaves out, and all items of the catalog,
--         recommended or not. Weights have no effect. No recommendation: NULL.
SELECT
  model,
  ratio(sum((2 * place - items - 1) * times), max(items) * sum(times)) AS gini
FROM (
  SELECT
    model,
    coalesce(times, 0) AS times,
    row_number() OVER (PARTITION BY model ORDER BY coalesce(times, 0) ASC NULLS FIRST, item ASC NULLS FIRST) AS place,
    count(*) OVER (PARTITION BY model) AS items
  FROM models
  CROSS JOIN catalog_items
  LEFT JOIN (
    SELECT
      model,
      item,
      count(*) AS times
    FROM shown
    WHERE in_top(rank, $k)
    GROUP BY model, item
  ) AS shown_items USING (model, item)
) AS spread
GROUP BY model
