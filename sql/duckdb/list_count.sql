-- About how many lists a run holds, where the range of its queries does not tell.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before anything else runs, to choose a fast plan.
SELECT approx_count_distinct(query) AS lists
FROM source
