-- The candidates that can be in the top of their list, those that a check would find, and some whole lists for notes.
--
-- Grain:  one row per (model, query, item) whose score reaches the score cutoff of its list.
-- Params: $depth, the deepest cutoff; $no_item, an item that may be padding, or NULL; $text_items, true if items are
--         text, which may hold lists; $sampled, as in retrieved/lists.
-- Plan:   replaces candidates for retrieved/lists and checks if lists are long: most rows are dropped, not ordered.
SELECT
  model,
  query,
  item,
  score
FROM candidates
LEFT JOIN score_cutoffs USING (model, query)
WHERE
  score_cutoff IS NULL
  OR score >= score_cutoff
  OR hash(query) % $sampled = 0
  OR NOT (model IS NOT NULL AND query IS NOT NULL AND item IS NOT NULL AND score IS NOT NULL)
  OR ($no_item IS NOT NULL AND item = $no_item)
  OR ($text_items AND has_bracket(CAST(item AS VARCHAR)))
