-- The qrels, with what each item counts for the metrics.
--
-- Grain:  one row per (query, judged item).
-- Params: $threshold, the lowest relevance that counts as relevant, NULL for anything above 0; $threshold_as_float, for
--         `reaches`; $gain, the gain of relevance g: g itself, 2^g - 1, 1 if the item is relevant, or what the table
--         $gains says.
-- Option: $threshold = $threshold in (0, inf) decides is_relevant, relevant, hits, relevant_hits, found, is_first.
-- Option: $gain = linear in {linear, exponential, binary, table} decides gain, top_gain.
-- Source: trec_eval 10.0: relevance below 0 means pooled but not judged; linear gains ignore the threshold.
-- Edges:  relevance that the table does not name is its own gain, as in trec_eval's ndcg.1=3.5,2=9 and ir_measures;
--         relevance is not rounded: 0.5 is relevant and its linear gain is 0.5. trec_eval truncates it to 0.
SELECT
  query,
  item,
  relevance,
  is_relevant_at(relevance, $threshold, $threshold_as_float) AS is_relevant,
  CASE
    WHEN $gain = 'linear' AND relevance > 0 THEN CAST(relevance AS DOUBLE)
    WHEN $gain = 'exponential' AND relevance > 0 THEN power_of_2(relevance) - 1
    WHEN $gain = 'table' AND relevance > 0 THEN coalesce($gains[relevance], CAST(relevance AS DOUBLE))
    WHEN $gain = 'binary' AND relevance > 0 AND reaches(relevance, $threshold, $threshold_as_float)
      THEN CAST(1 AS DOUBLE)
    ELSE CAST(0 AS DOUBLE)
  END AS gain
FROM judgements
