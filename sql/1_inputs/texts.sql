-- The texts of the ids that are shown.
--
-- Grain:  one row per shown id that has a text.
-- Params: none.
-- Reads:  shown_ids, the ids, each with its place; texts_source, the user's ids and texts.
-- Edges:  a text of blanks alone is none. If other_text differs from text, the id has several texts.
SELECT
  place,
  min(text) AS text,
  max(text) AS other_text
FROM shown_ids
INNER JOIN texts_source USING (id)
WHERE trim(text) <> ''
GROUP BY place
