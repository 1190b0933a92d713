-- The queries of all slices together (is_slice = 0), and with slices those of each (is_slice = 1), in one order.
--
-- Grain:  one row per (query, slice) and level.
-- Params: $sliced: true with slices; $crossed: true if each slice is of all columns, so that it has its slice_no.
-- Edges:  level_place numbers the queries of a level, from 0, and position those of all levels, from 1, level after
--         level. size is the number of queries of the level.
SELECT
  *,
  row_number() OVER (ORDER BY level_no ASC NULLS FIRST, level_place ASC NULLS FIRST) AS position,
  count(*) OVER (PARTITION BY level_no) AS size
FROM (
  SELECT
    query,
    slice,
    item_slice_no,
    is_slice,
    level_slice,
    CASE
      WHEN is_slice = 0 THEN 0
      WHEN $crossed THEN slice_no
      ELSE dense_rank() OVER (ORDER BY is_slice ASC NULLS FIRST, level_slice ASC NULLS FIRST)
    END AS level_no,
    dense_rank() OVER (
      PARTITION BY is_slice, level_slice
      ORDER BY slice_no ASC NULLS FIRST, place ASC NULLS FIRST
    ) - 1 AS level_place
  FROM (
    SELECT
      query,
      slice,
      item_slice_no,
      slice_no,
      place,
      is_slice,
      CASE WHEN is_slice = 1 THEN slice END AS level_slice
    FROM placed
    CROSS JOIN (
      SELECT 0 AS is_slice
      UNION ALL
      SELECT 1 AS is_slice
    ) AS both_levels
    WHERE (is_slice = 0 AND item_slice_no = 0) OR (is_slice = 1 AND $sliced AND slice IS NOT NULL)
  ) AS queries_of_levels
) AS level_places
