-- About how many lists a run has.
--
-- Grain:  one row.
-- Params: none.
-- Reads:  source: the columns of a list as `list_key`.
-- Plan:   before anything else runs, if the range of the queries does not say it.
SELECT approx_count_distinct(list_key) AS lists
FROM source
