-- Lines of a TREC file that are not of its form.
--
-- Grain:  one row per such line.
-- Reads:  lines, a TREC file as trec_run or trec_qrels reads it.
-- When:   source = trec
-- Rule:   the line does not have the form of a TREC {side} file ({form})
-- Do:     Mend the line, pass a run as the run and qrels as the qrels, or name the file .parquet, .csv or .json if
--         that is what it is.
SELECT line
FROM lines
WHERE is_sound = 0
