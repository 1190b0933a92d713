-- Random signs for a block of eight queries in a sample. In sample 0 all signs are kept.
--
-- Grain:  one row per (sample, slice, block).
-- Params: $samples, how many samples; $seed, which random numbers.
-- Edges:  the 128 bits of an MD5 sum are the signs of a block in sixteen samples: the same in every version of DuckDB,
--         for any number of threads. The last of eight signs flips all, so that byte has seven bits.
SELECT
  slice_no,
  block,
  sample,
  CASE WHEN sample = 0 THEN 0 ELSE signs & 127 END AS byte,
  CASE WHEN sample = 0 THEN 0 ELSE signs >> 7 END AS flips_all
FROM (
  SELECT
    slice_no,
    block,
    16 * word + number AS sample,
    CAST((CASE WHEN number < 8 THEN lower_bits ELSE upper_bits END >> (8 * (number % 8))) & 255 AS BIGINT) AS signs
  FROM (
    SELECT
      slice_no,
      block,
      word,
      lower_half(bits) AS lower_bits,
      upper_half(bits) AS upper_bits
    FROM (
      SELECT
        slice_no,
        block,
        word,
        md5_number(concat_ws(' ', 'signs', $seed, slice_no, block, word)) AS bits
      FROM (
        SELECT
          slice_no,
          place // 8 AS block
        FROM placed
        GROUP BY slice_no, place // 8
      ) AS blocks
      CROSS JOIN range($samples // 16 + 1) AS words (word)
    ) AS sums_of_md5
  ) AS random_words
  CROSS JOIN range(16) AS numbers (number)
) AS numbered
WHERE sample <= $samples
