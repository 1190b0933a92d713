-- An exclude relation of which no pair is in the run.
--
-- Grain:  one row if there is none, with the first row of each side.
-- When:   command = check; exclude = given
-- Edges:  an empty exclude, or an empty run, is no fault.
-- Rule:   exclude removes nothing: no pair of it is in the run, which is right only if the run was filtered before
-- Do:     Compare the values of {query} and {item} in exclude with those in the run. If the run was filtered before,
--         leave exclude= out.
SELECT
  query,
  item,
  excluded_query,
  excluded_item
FROM (
  SELECT
    query,
    item
  FROM run
  ORDER BY query ASC NULLS FIRST, item ASC NULLS FIRST
  LIMIT 1
) AS first_of_run
CROSS JOIN (
  SELECT
    query AS excluded_query,
    item AS excluded_item
  FROM "exclude"
  ORDER BY query ASC NULLS FIRST, item ASC NULLS FIRST
  LIMIT 1
) AS first_excluded
CROSS JOIN (
  SELECT count(*) AS removed
  FROM (SELECT item FROM run INNER JOIN "exclude" USING (query, item) LIMIT 1) AS first_removed
) AS all_removed
WHERE removed = 0
