-- Eight models as columns of one relation.
SELECT
  query,
  item,
  score AS model_1,
  CAST(hash(query, item, 2) % 16777216 AS DOUBLE) / 16777216 AS model_2,
  CAST(hash(query, item, 3) % 16777216 AS DOUBLE) / 16777216 AS model_3,
  CAST(hash(query, item, 4) % 16777216 AS DOUBLE) / 16777216 AS model_4,
  CAST(hash(query, item, 5) % 16777216 AS DOUBLE) / 16777216 AS model_5,
  CAST(hash(query, item, 6) % 16777216 AS DOUBLE) / 16777216 AS model_6,
  CAST(hash(query, item, 7) % 16777216 AS DOUBLE) / 16777216 AS model_7,
  CAST(hash(query, item, 8) % 16777216 AS DOUBLE) / 16777216 AS model_8
FROM candidates($rows, $width)
