-- The columns of the answer: the model and the slice only if an argument asks for them.
--
-- Grain:  one row per row of the answer.
-- Params: the arguments of the macro.
SELECT COLUMNS(LAMBDA _c: (_c <> 'model' OR $model IS NOT NULL) AND (_c <> 'slice' OR $by IS NOT NULL))
FROM answer
