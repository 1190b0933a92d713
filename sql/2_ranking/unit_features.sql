-- The features of an item as a vector of length 1.
--
-- Grain:  one row per (item, feature).
-- Params: none.
-- Edges:  the weights of a repeated feature are added. Sums are exact, in units of 2^-70 of the item's largest weight.
SELECT
  item,
  feature,
  share / sqrt(squares) AS share
FROM (
  SELECT
    item,
    feature,
    share,
    CAST(
      sum(CAST(share * share * power_of_2(70) AS DECIMAL(38, 0)))
        OVER (PARTITION BY item)
      AS DOUBLE
    ) / power_of_2(70) AS squares
  FROM (
    SELECT
      item,
      feature,
      exact_sum_of_many(weight / top_weight) AS share
    FROM (
      SELECT
        item,
        feature,
        weight,
        max(abs(weight)) OVER (PARTITION BY item) AS top_weight
      FROM features
    ) AS scaled
    WHERE weight <> 0
    GROUP BY item, feature
  ) AS shares
) AS lengths
WHERE squares > 0
