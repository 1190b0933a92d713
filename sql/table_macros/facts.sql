-- The facts that decide if a check applies, as conditions: `run_is_scores` is that of `run = scores` in the field When.
--
-- Grain:  a single row.
-- Params: the arguments of the macro.
-- Edges:  `ranking_check` (only_faults) has no metric, and reports what the
--         policies missing and no_relevant may allow.
SELECT
  $rank IS NULL AS run_is_scores,
  $rank IS NOT NULL AS run_is_ranks,
  $by IS NOT NULL AS slices_is_qrels,
  $by IS NULL AS slices_is_none,
  $model IS NOT NULL AS models_is_column,
  $model IS NULL AS models_is_one,
  $max_grade IS NOT NULL AS grades_is_limited,
  $only_faults AS command_is_check,
  NOT $only_faults AS command_is_evaluate,
  $only_faults AS missing_is_error,
  $only_faults AS no_relevant_is_error
