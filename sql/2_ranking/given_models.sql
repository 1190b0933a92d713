-- The models of a run with a model column, for empty = allow: a model whose rows are all removed is one too.
--
-- Grain:  one row per model.
-- Params: none.
SELECT model
FROM run
GROUP BY model
