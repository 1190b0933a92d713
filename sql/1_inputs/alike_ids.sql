-- How many ids of two columns of different types are equal as text, and how many only in another spelling.
--
-- Grain:  a single row, with an id of each column, and the two spellings of one id.
-- Params: none.
-- Reads:  ids and other_ids, the two columns as text.
SELECT
  count(CASE WHEN id = other_id THEN 1 END) AS equal_ids,
  min(CASE WHEN id <> other_id THEN id END) AS spelling,
  arg_min(CASE WHEN id <> other_id THEN other_id END, CASE WHEN id <> other_id THEN id END) AS other_spelling,
  max(first_id) AS example,
  max(first_other_id) AS other_example
FROM (
  SELECT
    min(id) AS first_id,
    min(first_of_others) AS first_other_id
  FROM ids
  CROSS JOIN (
    SELECT min(id) AS first_of_others
    FROM other_ids
  ) AS others
) AS examples
LEFT JOIN (
  SELECT
    id,
    other_id
  FROM (
    SELECT
      id,
      plain_id(id) AS plain
    FROM ids
    GROUP BY id
  ) AS spelled
  INNER JOIN (
    SELECT
      id AS other_id,
      plain_id(id) AS plain
    FROM other_ids
    GROUP BY id
  ) AS spelled_otherwise USING (plain)
) AS alike ON TRUE
