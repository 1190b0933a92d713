-- How relevant and unexpected the items in the top k are: the mean, over the items, of how much higher a relevant item
-- is ranked than its popularity would rank it, as a share of the catalog.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Reads:  training, through held_items; catalog, through catalog_items.
-- Source: RecTools 0.19, Serendipity: the mean of rel(i) max(p(i) - pu(i), 0), where p(i) = (n + 1 - i) / n for rank i
--         and pu(i) is the same for the popularity rank.
-- Edges:  items held by equally many queries share a popularity rank, and ranks have no gaps. An item missing from the
--         training data has pu = 0. Fewer than k items: divided by the number of items. A query without a list is not
--         counted.
SELECT
  model,
  query,
  ratio(
    sum(
      CASE
        WHEN is_relevant = 1 AND coalesce(popularity_rank, catalog_size + 1) > rank
          THEN coalesce(popularity_rank, catalog_size + 1) - rank
        ELSE 0
      END
    ),
    count(*) * max(catalog_size)
  ) AS serendipity
FROM shown
CROSS JOIN (SELECT count(*) AS catalog_size FROM catalog_items) AS catalog_sizes
LEFT JOIN graded USING (query, item)
LEFT JOIN (
  SELECT
    item,
    dense_rank() OVER (ORDER BY holders DESC) AS popularity_rank
  FROM held_items
) AS popularity_ranks USING (item)
WHERE in_top(rank, $k)
GROUP BY model, query
