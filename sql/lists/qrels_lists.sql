-- The judged items of every query as lists, and whether the rows of the qrels are sound.
--
-- Grain:  one row per query of the qrels.
-- Params: $threshold and $threshold_as_float, as in graded; $ideal_depth, the deepest rank of the ideal order that a
--         metric reads, NULL for the whole order; $qrels, the shape of the input; $largest_relevance, the bound of
--         relevance for exact sums; $only_relevant, true if copies of irrelevant items cannot change a number;
--         $no_qrels_item, an item that may be padding, or NULL; $text_items, true if items are text, which may hold
--         lists; $sampled, as in retrieved/lists.
-- Plan:   for joined_lists.
-- Edges:  judged_items and relevances are in the same, arbitrary order; ideal has the highest relevances, highest
--         first. is_relevant is as in graded, and repeated for each threshold. An empty list or map of the user is one
--         item NULL of relevance 0. With $only_relevant, a query is not sound if a relevant item has another copy.
SELECT
  query,
  judged_items,
  relevances,
  ideal,
  relevant_items,
  has_sound_rows
  AND (coalesce(len(judged_items), 0) < 2 OR all_differ(judged_items))
  AND CASE
    WHEN NOT $only_relevant OR judged_items IS NULL THEN TRUE
    WHEN len(every_item) * len(judged_items) > 1000000 THEN FALSE
    ELSE len(list_filter(every_item, LAMBDA item: list_contains(judged_items, item))) = len(judged_items)
  END AS are_sound_qrels,
  joined_ids,
  lowest,
  highest,
  forms_of_qrels
FROM (
  SELECT
    query,
    list(item) FILTER (WHERE NOT $only_relevant OR relevance > 0) AS judged_items,
    CASE WHEN $only_relevant THEN list(item) END AS every_item,
    list(relevance) FILTER (WHERE NOT $only_relevant OR relevance > 0) AS relevances,
    CASE WHEN $ideal_depth IS NULL THEN sorted_down(list(relevance)) ELSE max(relevance, $ideal_depth) END AS ideal,
    CAST(sum(is_relevant_at(relevance, $threshold, $threshold_as_float)) AS BIGINT) AS relevant_items,
    count(CASE WHEN item IS NOT NULL OR ($qrels <> 'rows' AND relevance = 0) THEN relevance END) = count(*)
    AND query IS NOT NULL
    AND max(relevance) < $largest_relevance
    AND ($no_qrels_item IS NULL OR count(CASE WHEN item = $no_qrels_item THEN 1 END) = 0)
    AND (NOT $text_items OR count(CASE WHEN has_bracket(CAST(item AS VARCHAR)) THEN 1 END) = 0) AS has_sound_rows,
    CASE
      WHEN $text_items AND count(*) = 1 AND regexp_matches(CAST(max(item) AS VARCHAR), '[\s,;|]') THEN 1
    END AS joined_ids,
    min(relevance) AS lowest,
    max(relevance) AS highest,
    CASE WHEN $sampled = 1 AND $text_items THEN bit_or(form_of(item)) END AS forms_of_qrels
  FROM judgements
  GROUP BY query
) AS judgements_of_query
