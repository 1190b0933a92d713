-- Qrels in which nothing is relevant at all.
--
-- Grain:  one row per judged query of such qrels.
-- When:   emptiness = error
-- Rule:   no row of the qrels is relevant: {relevance} is nowhere {relevant_if}
-- Do:     Check which column holds the relevance, and the threshold if you pass one.
SELECT query
FROM per_query
QUALIFY NOT (max(relevant) OVER () <> 0)
