-- The value of the list to a user: each retrieved item counts, as does each relevant item that is not retrieved.
--
-- Grain:  one row per (model, query).
-- Params: $hit, $other, $missed: the value of a relevant item retrieved, of another item retrieved, and of a relevant
--         item that is not.
-- Option: $hit = 1 in [-1e9, 1e9]
-- Option: $other = -1 in [-1e9, 1e9]
-- Option: $missed = 0 in [-1e9, 1e9]
-- Ties:   expected
-- Trec:   utility
-- Source: trec_eval 10.0, m_utility.c, whose fourth parameter needs the size of the collection.
-- Edges:  unjudged items are not relevant. A query missing from the run: $missed times R.
SELECT
  model,
  query,
  $hit * CAST(hits_in_list(is_relevant, rank) AS DOUBLE)
  + $other * CAST(max(retrieved) - hits_in_list(is_relevant, rank) AS DOUBLE)
  + $missed * CAST(relevant_items(is_relevant) - hits_in_list(is_relevant, rank) AS DOUBLE) AS utility
FROM judged
GROUP BY model, query
