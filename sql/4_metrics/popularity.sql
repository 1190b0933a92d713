-- The mean popularity of the items in the top k. An item's popularity is the share of the training data's queries
-- that hold it.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Better: lower
-- Empty:  skip
-- Reads:  training, through held_items and training_size.
-- Range:  0 to 1
-- Source: Abdollahpouri et al., Managing Popularity Bias in Recommender Systems with Personalized Re-ranking, FLAIRS
--         2019 (ARP), as a share of the queries.
-- Edges:  an item missing from the training data has popularity 0. A query without a list is not counted.
SELECT
  model,
  query,
  ratio(sum(coalesce(holders, 0)), count(*) * max(training_queries)) AS popularity
FROM shown
CROSS JOIN training_size
LEFT JOIN held_items USING (item)
WHERE in_top(rank, $k)
GROUP BY model, query
