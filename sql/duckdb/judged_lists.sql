-- The items of a list that are relevant or have a gain, and the gains in ideal order, as lists.
--
-- Grain:  one row per (model, judged query).
-- Params: $label_codes, a power of two above the highest label; $ideal_depth, the deepest cutoff of metrics that read
--         the ideal order, NULL for all of it.
-- Plan:   for judged/listed. It needs no row for each judgement, no join and no window.
-- Edges:  gains holds at least one number, the highest. hits is the running count of relevant items
--         at each of the ranks.
SELECT
  model,
  query,
  retrieved,
  relevant,
  CASE WHEN len(gains) > 0 THEN gains ELSE [CAST(0 AS DOUBLE)] END AS gains,
  list_transform(found, LAMBDA place: CAST(place // $label_codes AS BIGINT)) AS ranks,
  found_gains,
  found_relevant,
  CASE
    WHEN list_aggregate(found_relevant, 'sum') = len(found_relevant) THEN range(1, len(found_relevant) + 1)
    ELSE
      list_transform(
        range(1, len(found_relevant) + 1),
        LAMBDA n: CAST(list_aggregate(list_slice(found_relevant, 1, n), 'sum') AS BIGINT)
      )
  END AS hits
FROM (
  SELECT
    model,
    query,
    retrieved,
    found,
    CAST(
      coalesce(
        list_aggregate(list_transform(codes, LAMBDA code: relevant_of[(code & ($label_codes - 1)) + 1]), 'sum'), 0
      ) AS BIGINT
    ) AS relevant,
    list_slice(
      sorted_down(list_transform(codes, LAMBDA code: gain_of[(code & ($label_codes - 1)) + 1])),
      1,
      coalesce($ideal_depth, len(codes))
    ) AS gains,
    list_transform(found, LAMBDA place: gain_of[(place & ($label_codes - 1)) + 1]) AS found_gains,
    list_transform(found, LAMBDA place: relevant_of[(place & ($label_codes - 1)) + 1]) AS found_relevant
  FROM found_lists
  CROSS JOIN grade_lists
) AS graded_lists
