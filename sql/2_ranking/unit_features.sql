-- The features of an item as a vector of length 1.
--
-- Grain:  one row per (item, feature).
-- Params: none.
-- Edges:  weights of a feature that an item has twice are added. Summed exactly, as whole numbers of 2^-70 of the
--         item's largest weight.
SELECT
  item AS item,
  feature AS feature,
  share / sqrt(squares) AS share
FROM (
  SELECT
    item AS item,
    feature AS feature,
    share AS share,
    CAST(
      sum(CAST(share * share * power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE)) AS DECIMAL(38, 0)))
        OVER (PARTITION BY item)
      AS DOUBLE
    ) / power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE)) AS squares
  FROM (
    SELECT
      item AS item,
      feature AS feature,
      CAST(sum(CAST(weight / top_weight * power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE)) AS DECIMAL(38, 0))) AS DOUBLE)
      / power(CAST(2 AS DOUBLE), CAST(70 AS DOUBLE)) AS share
    FROM (
      SELECT
        item AS item,
        feature AS feature,
        weight AS weight,
        max(abs(weight)) OVER (PARTITION BY item) AS top_weight
      FROM features
    ) AS scaled
    WHERE weight <> 0
    GROUP BY item, feature
  ) AS shares
) AS lengths
WHERE squares > 0
