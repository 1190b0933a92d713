-- Lines of a TREC file that do not have its format.
--
-- Grain:  one row per such line.
-- Reads:  lines, a TREC file as trec_run or trec_qrels reads it.
-- When:   source = trec
-- Rule:   the line does not have the form of a TREC {side} file ({form})
-- Do:     Correct the line, or if the file has another format, give it the matching extension (.parquet, .csv,
--         .json).
SELECT line
FROM lines
WHERE is_sound = 0
