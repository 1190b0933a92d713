-- About how many lists a run holds, where the range of its queries does not tell.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source.
-- Plan:   before running, to choose among the forms of a relation.
SELECT approx_count_distinct(query) AS lists
FROM source
