-- The items of a list that are relevant or have a gain, at their ranks.
--
-- Grain:  one row per such (model, query, item).
-- Params: $top, the number of items kept of a list; $any_open: true if a list is open.
-- Plan:   with tops/hashed: relevant_candidates are looked up in their lists by their numbers.
-- Edges:  an open list is ranked by definition.
SELECT
  model,
  query,
  is_relevant,
  gain,
  rank
FROM (
  SELECT
    model,
    query,
    is_relevant,
    gain,
    rank
  FROM (
    SELECT
      model,
      query,
      is_relevant,
      gain,
      list_position(places, number) AS rank
    FROM relevant_candidates
    INNER JOIN tops USING (model, query)
    WHERE is_open = 0
  ) AS looked_up
  WHERE rank BETWEEN 1 AND $top
  UNION ALL
  SELECT
    model,
    query,
    is_relevant,
    gain,
    rank
  FROM ranked
  INNER JOIN graded USING (query, item)
  WHERE $any_open AND (is_relevant = 1 OR gain > 0)
) AS places
