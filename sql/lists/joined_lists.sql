-- The judged items that every list holds, in the order of their ranks.
--
-- Grain:  one row per (model, query) that is judged or has a list.
-- Params: $by_number, true if the items of a list are of type BIGINT; $threshold and $threshold_as_float, as in graded.
-- Plan:   for measured/lists.
-- Edges:  a list whose comparison with its judged items would take longer than a join is not sound. found has a struct
--         of rank and relevance for each judged item of the list. is_judged is 1, or NULL for a query that
--         is not judged, like the columns of qrels_lists.
SELECT
  model,
  query,
  CASE
    WHEN len(items) * len(judged_items) <= 100000
      THEN
        sorted_up(
          list_filter(
            list_transform( -- noqa: LT01
              judged_items, -- noqa: PRS
              LAMBDA item, place: { 'rank': list_position(items, item), 'relevance': list_extract(relevances, place) }
            ),
            LAMBDA place: struct_extract(place, 'rank') BETWEEN 1 AND recommended
          )
        )
  END AS found,
  relevances,
  ideal,
  relevant_items,
  coalesce(candidates, 0) AS candidates,
  coalesce(recommended, 0) AS recommended,
  is_judged,
  repeated_item,
  is_sound AND coalesce(len(items) * len(judged_items), 0) <= 100000 AS is_sound,
  are_sound_qrels,
  joined_ids,
  lowest,
  highest,
  forms,
  forms_of_qrels,
  CASE
    WHEN len(places) * len(judged_items) <= 5000000
      THEN
        list_aggregate(
          list_transform(
            places,
            LAMBDA place: is_relevant_at(
              list_extract(relevances, list_position(judged_items, struct_extract(place, 'item'))),
              $threshold, $threshold_as_float
            ) * sign(middle_score - CAST(struct_extract(place, 'score') AS DOUBLE))
          ),
          'sum'
        )
  END AS below
FROM (
  SELECT
    model,
    query,
    CASE
      WHEN $by_number THEN list_transform(judged_items, LAMBDA item: TRY_CAST(item AS BIGINT))
      ELSE judged_items
    END AS judged_items,
    relevances,
    ideal,
    relevant_items,
    are_sound_qrels,
    joined_ids,
    lowest,
    highest,
    forms_of_qrels,
    1 AS is_judged
  FROM models
  CROSS JOIN qrels_lists
) AS judged_lists
FULL JOIN retrieved USING (model, query)
