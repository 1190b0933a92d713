-- Items whose copy in the top of a list is not relevant, although another copy below is.
--
-- Grain:  one row per such (query, item).
-- When:   copies = labelled; duplicates = error; command = evaluate
-- Seen:   lists, one_pass
-- Params: $depth, the deepest rank that a metric reads, NULL for the whole list; $ties, item_desc or item.
-- Edges:  copies of an item that all have the same label are found by the checks duplicates and qrels_duplicates.
-- Rule:   the run labels copies of an item ({item}) differently in a query's list
-- Do:     Remove the duplicates, or pass duplicates='best' to keep each item's best score and highest relevance.
SELECT
  query,
  item
FROM (
  SELECT
    query,
    item,
    max(score) AS top_score
  FROM labelled
  INNER JOIN (
    SELECT
      query,
      item
    FROM labelled
    WHERE relevance > 0
  ) AS relevant_items USING (query, item)
  WHERE coalesce(relevance, 0) <= 0
  GROUP BY query, item
) AS mixed
INNER JOIN (
  SELECT
    query,
    item AS other_item,
    score AS other_score
  FROM labelled
) AS others USING (query)
GROUP BY query, item
HAVING
  $depth IS NULL
  OR count(
    CASE
      WHEN other_score > top_score THEN 1
      WHEN other_score = top_score AND $ties = 'item' AND other_item < item THEN 1
      WHEN other_score = top_score AND $ties <> 'item' AND other_item > item THEN 1
    END
  ) < $depth
