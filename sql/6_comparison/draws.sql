-- Queries drawn at random, with replacement: in each sample as many as there are.
--
-- Grain:  one row per (level, sample, draw).
-- Params: $resamples, how many samples; $seed, which random numbers.
-- Edges:  the 128 bits of an MD5 sum draw four queries: the same in every version of DuckDB, for any number of threads.
SELECT
  level_no,
  sample,
  (
    CAST((CASE WHEN quarter < 2 THEN lower_bits ELSE upper_bits END >> (32 * (quarter % 2))) & 4294967295 AS BIGINT)
    * size
  )
  >> 32 AS level_place
FROM (
  SELECT
    level_no,
    size,
    sample,
    word,
    lower_half(bits) AS lower_bits,
    upper_half(bits) AS upper_bits
  FROM (
    SELECT
      level_no,
      size,
      sample,
      word,
      md5_number(concat_ws(' ', 'draws', $seed, level_no, sample, word)) AS bits
    FROM (
      SELECT
        level_no,
        level_place // 4 AS word,
        max(size) AS size
      FROM (
        SELECT
          level_no,
          level_place,
          max(level_place) OVER (PARTITION BY level_no) + 1 AS size
        FROM levels
      ) AS sized
      GROUP BY level_no, level_place // 4
    ) AS words
    CROSS JOIN range($resamples) AS samples (sample)
  ) AS sums_of_md5
) AS random_words
CROSS JOIN range(4) AS quarters (quarter)
WHERE 4 * word + quarter < size
