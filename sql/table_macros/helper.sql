-- What every macro reads: the judged items of every query for each cutoff, or the faults if an argument asks for them.
--
-- Grain:  one row per (model, judged query, cutoff), or one per check that finds something.
-- Params: $only_faults, true for the faults.
-- Edges:  DuckDB plans only the relation that is chosen. A fault is an error before any row is returned.
SELECT *
FROM query_table(CASE WHEN $only_faults THEN '_rd_faults' ELSE '_rd_cutoffs' END) AS chosen
WHERE
  (
    SELECT is_sound
    FROM sound
  )
