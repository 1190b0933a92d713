-- A column of the run that no argument names, and that splits the rows of a query into several lists.
--
-- Grain:  one row per (model, query) that has several values of the column.
-- When:   source = unused_column
-- Params: $is_partition: true if both sides have the column, and its name is usual for parts of data, such as lang.
-- Reads:  run, with the column as value; run_lists and qrels_lists, the same for the queries of the first rows of each
--         side; without rows if the name of the column decides, or the qrels lack it.
-- Edges:  the name decides, or duplicates do, in whole lists on either side, if each has several values of the column.
--         What describes items varies within a query too, but not between the copies of an item. Values with fewer than
--         two rows of a query on average make no lists: a rank does not, nor do titles.
-- Rule:   no argument names column {column}, but a query has several lists by it
-- Do:     If it is a part of the query, pass {query}. If its values are models, pass it as model=. If all rows of a
--         query are one list, pass duplicates='best'. If it describes items, pass the run without the column.
SELECT
  model,
  query,
  min(value) AS value,
  max(value) AS other_value
FROM run
CROSS JOIN (
  SELECT
    count(*) AS lists,
    sum(list_length) AS list_rows
  FROM (
    SELECT count(*) AS list_length
    FROM run
    GROUP BY model, query, value
  ) AS lengths
) AS lists_of_run
CROSS JOIN (
  SELECT
    count(*) AS run_items,
    sum(CASE WHEN lowest < highest THEN 1 ELSE 0 END) AS split_run_items
  FROM (
    SELECT
      min(value) AS lowest,
      max(value) AS highest
    FROM run_lists
    WHERE item IS NOT NULL
    GROUP BY model, query, item
    HAVING count(*) > 1
  ) AS repeated_run_items
) AS repeated_in_run
CROSS JOIN (
  SELECT
    count(*) AS qrels_items,
    sum(CASE WHEN lowest < highest THEN 1 ELSE 0 END) AS split_qrels_items
  FROM (
    SELECT
      min(value) AS lowest,
      max(value) AS highest
    FROM qrels_lists
    WHERE item IS NOT NULL
    GROUP BY query, item
    HAVING count(*) > 1
  ) AS repeated_qrels_items
) AS repeated_in_qrels
WHERE 2 * lists <= list_rows AND ($is_partition OR split_run_items = run_items OR split_qrels_items = qrels_items)
GROUP BY model, query
HAVING min(value) < max(value)
