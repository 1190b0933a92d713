-- The top of every query's list as a list of its items, best first, and whether the rows of the run are sound.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $depth, the deepest cutoff, NULL for the whole list, and $top, the same unless it is so deep that ordering
--         the whole list is better; $ties, item_desc or item; $min_score and $min_score_as_float, the policy;
--         $are_ranks, true if the ranks of a list must be 1, 2, 3, …; $no_item, an item that may be padding, or NULL;
--         $text_items, true if items are text, which may hold lists; $sampled, n to keep the places of one
--         list in n for notes, NULL for none.
-- Plan:   for joined_lists: `max(row, k)` keeps k rows a list, of items of any type, and sorts no other row.
-- Edges:  the columns of retrieved, with all rows as candidates, and items, is_sound and signs.
SELECT
  model,
  query,
  items,
  row_count AS candidates,
  CASE WHEN $depth IS NULL THEN reaching ELSE least(reaching, $depth) END AS recommended,
  CASE WHEN NOT all_differ(items) THEN list_extract(items, 1) END AS repeated_item,
  is_sound AND (NOT $are_ranks OR are_ranks_of(items, scores)) AS is_sound,
  places,
  middle_score(places) AS middle_score,
  forms
FROM (
  SELECT
    model,
    query,
    CASE
      WHEN $ties = 'item_desc' AND $top IS NOT NULL
        THEN list_transform(max({ 'score': score, 'item': item }, $top), LAMBDA place: struct_extract(place, 'item'))
      WHEN $ties = 'item' THEN list_slice(list(item ORDER BY score DESC, item ASC), 1, coalesce($depth, -1))
      ELSE list_slice(list(item ORDER BY score DESC, item DESC), 1, coalesce($depth, -1))
    END AS items,
    CASE
      WHEN $are_ranks AND $top IS NOT NULL THEN max(score, $top + 1)
      WHEN $are_ranks THEN sorted_down(list(score))
    END AS scores,
    count(*) AS row_count,
    count(CASE WHEN reaches(score, $min_score, $min_score_as_float) THEN 1 END) AS reaching,
    count(item) = count(*)
    AND count(score) = count(*)
    AND ($no_item IS NULL OR count(CASE WHEN item = $no_item THEN 1 END) = 0)
    AND (NOT $text_items OR count(CASE WHEN has_bracket(CAST(item AS VARCHAR)) THEN 1 END) = 0)
    AND model IS NOT NULL
    AND query IS NOT NULL AS is_sound,
    list({ 'score': score, 'item': item }) FILTER (WHERE hash(query) % $sampled = 0 AND item IS NOT NULL) AS places,
    CASE WHEN $sampled = 1 AND $text_items THEN bit_or(form_of(item)) END AS forms
  FROM candidates
  GROUP BY model, query
) AS lists
