-- A form of ids that only one side has: capitals, blanks, leading zeros, a final .0, or another Unicode form.
--
-- Grain:  one row if there is one.
-- When:   source = first_rows
-- Edges:  looks at the first 10,000 rows of each side. An evaluation looks for other spellings (near_items) only if it
--         finds such a form, because they are rare otherwise.
-- Rule:   ids of only one side have capitals, blanks around them, leading zeros, a final .0 or another Unicode form
-- Do:     Run the check near_items.
SELECT count(*) AS found
FROM (
  SELECT bit_or(form_of(item)) AS forms_of_run
  FROM (SELECT item FROM run LIMIT 10000) AS first_of_run
) AS forms_of_items
CROSS JOIN (
  SELECT bit_or(form_of(item)) AS forms_of_qrels
  FROM (SELECT item FROM qrels LIMIT 10000) AS first_of_qrels
) AS forms_of_judged
HAVING max(forms_of_run) <> max(forms_of_qrels)
