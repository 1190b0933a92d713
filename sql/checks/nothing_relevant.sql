-- Qrels without any relevant item.
--
-- Grain:  one row if there is none.
-- When:   empty = error; qrels = rows, lists, maps
-- Seen:   lists, one_pass
-- Rule:   no row of the qrels is relevant: {relevance} is never {relevant_if}
-- Do:     Check which column holds the relevance. If you pass a threshold, check that too.
SELECT count(*) AS found
FROM per_query
HAVING NOT (max(relevant) <> 0)
