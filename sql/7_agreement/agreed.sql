-- How far the lists of a model and of the baseline agree for a query.
--
-- Grain:  one row per (model, query of the model or of the baseline), without the baseline.
-- Params: $p, the probability of looking at the next rank.
-- Source: rank-biased overlap, extrapolated from lists of different lengths (RBO_EXT): Webber, Moffat and Zobel, A
--         Similarity Measure for Indefinite Rankings, TOIS 28(4), 2010, equation 32.
-- Edges:  if one of the lists is missing, the values are NULL. With X_d common items down to depth d, s the shorter
--         and l the longer length, it is (1 - p) / p * (sum over d <= l of X_d / d p^d + sum over s < d <= l of
--         X_s (d - s) / (s d) p^d) + ((X_l - X_s) / l + X_s / s) p^l. The sum of X_d / d p^d is computed per item:
--         each item counts from its depth down.
SELECT
  model,
  query,
  own_length,
  base_length,
  CASE WHEN shorter > 0 THEN CAST(common AS DOUBLE) / CAST(shorter + longer - common AS DOUBLE) END AS list_jaccard,
  CASE
    WHEN unmoved = longer AND shorter = longer AND shorter > 0 THEN 1
    WHEN shorter > 0
      THEN
        (1 - $p)
        / $p
        * (
          common_weight
          + CAST(common_in_short AS DOUBLE)
          / CAST(shorter AS DOUBLE)
          * (
            (power($p, CAST(shorter AS DOUBLE)) - power($p, CAST(longer AS DOUBLE))) * $p / (1 - $p)
            - CAST(shorter AS DOUBLE) * (weight_to_long - weight_to_short)
          )
        )
        + (
          CAST(common - common_in_short AS DOUBLE) / CAST(longer AS DOUBLE)
          + CAST(common_in_short AS DOUBLE) / CAST(shorter AS DOUBLE)
        )
        * power($p, CAST(longer AS DOUBLE))
  END AS list_rbo,
  CASE WHEN shorter > 0 THEN CASE WHEN unmoved = longer AND shorter = longer THEN 0 ELSE 1 END END AS is_changed
FROM (
  SELECT
    model,
    query,
    own_length,
    base_length,
    shorter,
    longer,
    weight_to_short,
    weight_to_long,
    coalesce(items, 0) AS common,
    coalesce(items_in_short, 0) AS common_in_short,
    coalesce(items_unmoved, 0) AS unmoved,
    coalesce(weight_of_items, CAST(0 AS DOUBLE)) AS common_weight
  FROM paired_lists
  LEFT JOIN (
    SELECT
      model,
      query,
      count(*) AS items,
      CAST(sum(CASE WHEN depth <= shorter THEN 1 ELSE 0 END) AS BIGINT) AS items_in_short,
      CAST(sum(is_unmoved) AS BIGINT) AS items_unmoved,
      exact_sum(weight_to_long - weight_above) AS weight_of_items
    FROM common_items
    INNER JOIN paired_lists USING (model, query)
    INNER JOIN depths USING (depth)
    GROUP BY model, query
  ) AS of_items USING (model, query)
) AS counted
