-- How many lists tops holds, and how many of each kind.
--
-- Grain:  one row.
-- Params: none.
-- Plan:   after tops is stored, to choose how its lists are read.
-- Edges:  shortest is the length of the shortest list, NULL if there is none. The kinds are those of is_open.
SELECT
  count(*) AS lists,
  min(candidates) AS shortest,
  count(CASE WHEN is_open = 1 THEN 1 END) AS open_lists,
  count(CASE WHEN is_open = 2 THEN 1 END) AS crowded_lists,
  count(CASE WHEN is_open = 3 THEN 1 END) AS faulty_lists
FROM tops
