-- Runs whose items are numbers in text where no judged item is one, or the reverse.
--
-- Grain:  one row per such model, with its first item and the first judged one.
-- When:   explains = no_common_item; texts = may_be_lists; engine = duckdb
-- Edges:  fewer than ten rows on a side may differ by chance. From ten rows on, an evaluation stops.
-- Rule:   no item of the run is judged, and items of only one side are numbers
-- Do:     Compare the values of {item} in the run with those of {qrels_item} in the qrels. Name other columns or
--         files if these hold something else.
SELECT
  model,
  min(item) AS item,
  max(first_judged) AS judged_item
FROM run
CROSS JOIN (
  SELECT
    count(*) AS judgements,
    min(item) AS first_judged,
    min(CASE WHEN is_number_text(item) THEN 1 ELSE 0 END) AS all_judged_numbers,
    max(CASE WHEN is_number_text(item) THEN 1 ELSE 0 END) AS any_judged_number
  FROM qrels
) AS judged
GROUP BY model
HAVING
  count(*) >= 10
  AND max(judgements) >= 10
  AND (
    (min(CASE WHEN is_number_text(item) THEN 1 ELSE 0 END) = 1 AND max(any_judged_number) = 0)
    OR (max(CASE WHEN is_number_text(item) THEN 1 ELSE 0 END) = 0 AND max(all_judged_numbers) = 1)
  )
