-- The approximate number of lists in a run, if the range of its queries does not give it.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan.
SELECT approx_count_distinct(query) AS lists
FROM source
