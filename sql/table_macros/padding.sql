-- Items that only fill up short lists, of any type: -1, also as text, or the highest number of an unsigned type.
--
-- Grain:  one row per such candidate.
-- Params: none.
-- Edges:  as in checks/padding.sql. If -1 is the lowest number, no other item is negative.
SELECT
  model,
  query,
  item
FROM candidates
CROSS JOIN (
  SELECT
    item_type,
    CASE WHEN item_type IN ('UINTEGER', 'UBIGINT') THEN highest ELSE lowest END AS filler
  FROM (
    SELECT
      min(item) AS lowest,
      max(item) AS highest,
      min(typeof(item)) AS item_type
    FROM candidates
  ) AS ends
) AS outermost
CROSS JOIN (
  SELECT count(*) AS other_items
  FROM candidates
  WHERE
    typeof(item) = 'VARCHAR'
    AND (CAST(item AS VARCHAR) < '0' OR CAST(item AS VARCHAR) >= ':')
    AND CAST(item AS VARCHAR) <> '-1'
) AS unusual_items
CROSS JOIN (
  SELECT list(DISTINCT CAST(item AS VARCHAR)) AS relevant_fillers
  FROM qrels
  WHERE relevance > 0 AND CAST(item AS VARCHAR) IN ('-1', '-1.0', '4294967295', '18446744073709551615')
) AS judged_padding
WHERE
  item = filler
  AND CAST(filler AS VARCHAR) IN (
    '-1', '-1.0', CASE item_type WHEN 'UINTEGER' THEN '4294967295' WHEN 'UBIGINT' THEN '18446744073709551615' END
  )
  AND other_items = 0
  AND NOT coalesce(list_contains(relevant_fillers, CAST(filler AS VARCHAR)), FALSE)
