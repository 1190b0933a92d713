-- Like clustered, but each query has its own scale of scores: a power of two between 2^-10 and 2^10.
SELECT
  query,
  item,
  score * power(2, CAST(hash(query, 'scale') % 21 AS BIGINT) - 10) AS score
FROM candidates($rows, $width)
