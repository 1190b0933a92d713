-- Qrels in which nothing is relevant at all.
--
-- Grain:  one row if nothing is.
-- When:   emptiness = error
-- Rule:   no row of the qrels is relevant: {relevance} is nowhere {relevant_if}
-- Do:     Check which column holds the relevance, and the threshold if you pass one.
SELECT count(*) AS found
FROM per_query
HAVING NOT (max(relevant) <> 0)
