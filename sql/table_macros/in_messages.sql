-- What messages say of scores and of relevance, as expressions.
--
-- Grain:  a single row.
-- Params: the arguments of the macro.
SELECT
  CASE WHEN $order = 'ascending' THEN 0 - score ELSE score END AS score_of_user,
  CASE WHEN $threshold IS NULL THEN 'above 0' ELSE concat('at or above the threshold ', $threshold) END AS relevant_if
