-- The cutoffs.
--
-- Grain:  one row per cutoff, NULL for the whole list.
-- Params: $cutoffs, the list of them.
SELECT DISTINCT unnest($cutoffs) AS k
