-- The share of the catalog's items that are in the top k of at least one list.
--
-- Grain:  one row per model.
-- Params: $k, the cutoff; NULL for the whole list.
-- Depth:  $k
-- Empty:  skip
-- Also:   ItemCoverage, ItemCoverage@$k
-- Reads:  catalog, through catalog_items.
-- Source: Ge et al., Beyond Accuracy: Evaluating Recommender Systems by Coverage and Serendipity, RecSys 2010.
-- Edges:  only the lists of judged queries count, without those that a policy leaves out; weights have no effect.
--         Recommended items outside the catalog are ignored. ItemCoverage is a share, as in RecBole; in
--         Elliot it is the number of items.
SELECT
  model,
  CAST(sum(CASE WHEN in_top(best_rank, $k) THEN 1 ELSE 0 END) AS DOUBLE)
  / CAST(count(*) AS DOUBLE) AS coverage
FROM models
CROSS JOIN catalog_items
LEFT JOIN (
  SELECT
    model,
    item,
    min(rank) AS best_rank
  FROM shown
  GROUP BY model, item
) AS shown_items USING (model, item)
GROUP BY model
