-- What messages say of relevance, as an expression.
--
-- Grain:  a single row.
-- Params: the arguments of the macro.
SELECT
  CASE WHEN $threshold IS NULL THEN 'above 0' ELSE concat('at or above the threshold ', $threshold) END -- noqa: LT09
    AS relevant_if
