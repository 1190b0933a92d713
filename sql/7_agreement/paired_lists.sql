-- The lists of a model and of the baseline for the same query.
--
-- Grain:  one row per (model, query of the model or of the baseline), without the baseline.
-- Params: $baseline, the model that the others are compared with.
-- Edges:  the length of a missing list is 0. weight_to_short and weight_to_long are the sums of depths down
--         to the shorter and the longer length.
SELECT
  model,
  query,
  own_length,
  base_length,
  shorter,
  longer,
  weight_to_short,
  weight_to_long
FROM (
  SELECT
    model,
    query,
    own_length,
    base_length,
    CASE WHEN own_length < base_length THEN own_length ELSE base_length END AS shorter,
    CASE WHEN own_length < base_length THEN base_length ELSE own_length END AS longer
  FROM (
    SELECT
      model,
      query,
      max(own) AS own_length,
      max(base) AS base_length
    FROM (
      SELECT
        model,
        query,
        list_length AS own,
        0 AS base
      FROM lengths
      WHERE model <> $baseline
      UNION ALL
      SELECT
        model,
        query,
        0 AS own,
        list_length AS base
      FROM (
        SELECT model
        FROM named_models
        WHERE model <> $baseline
      ) AS other_models
      CROSS JOIN (
        SELECT
          query,
          list_length
        FROM lengths
        WHERE model = $baseline
      ) AS base_lists
    ) AS sides
    GROUP BY model, query
  ) AS paired
) AS with_lengths
LEFT JOIN (
  SELECT
    depth AS shorter,
    weight_here AS weight_to_short
  FROM depths
) AS short_depths USING (shorter)
LEFT JOIN (
  SELECT
    depth AS longer,
    weight_here AS weight_to_long
  FROM depths
) AS long_depths USING (longer)
