-- Every label as a judgement, so that graded says what each is worth.
--
-- Grain:  one row per label.
-- Params: $label_codes, the number of labels: 0, 1, 2 and so on.
-- Plan:   replaces judgements for graded if labels are judged in lists.
SELECT
  NULL AS query,
  NULL AS item,
  CAST(unnest(range(0, $label_codes)) AS DOUBLE) AS relevance
