-- Random signs for a block of eight queries in a sample. In sample 0 all signs are kept.
--
-- Grain:  one row per (model, sample, slice, block).
-- Params: $samples, how many samples; $seed, which random numbers; $first_word and $last_word, which words to read.
-- Edges:  the 128 bits of an MD5 sum are the signs of a block in sixteen samples: the same in every version of DuckDB,
--         for any number of threads, and for every model. The last of eight signs flips all, so that byte has seven
--         bits. place_of_block is the number of the block, from 0. list_of_metric is repeated for each metric.
SELECT
  model,
  list_of_metric,
  place_of_block,
  slice_no,
  sample,
  CASE WHEN sample = 0 THEN 0 ELSE signs & 127 END AS byte,
  CASE WHEN sample = 0 THEN 0 ELSE signs >> 7 END AS flips_all
FROM (
  SELECT
    model,
    list_of_metric,
    place_of_block,
    slice_no,
    16 * word + number AS sample,
    CAST((CASE WHEN number < 8 THEN lower_bits ELSE upper_bits END >> (8 * (number % 8))) & 255 AS BIGINT) AS signs
  FROM (
    SELECT
      model,
      list_of_metric,
      place_of_block,
      slice_no,
      word,
      lower_half(bits) AS lower_bits,
      upper_half(bits) AS upper_bits,
      unnest(range(16)) AS number
    FROM (
      SELECT
        model,
        list_of_metric,
        place_of_block,
        slice_no,
        word,
        md5_number(concat_ws(' ', 'signs', $seed, slice_no, block, word)) AS bits
      FROM (
        SELECT
          model,
          list_of_metric,
          word_no // blocks AS word,
          word_no % blocks AS place_of_block,
          slice_numbers[word_no % blocks + 1] AS slice_no,
          block_numbers[word_no % blocks + 1] AS block
        FROM (
          SELECT
            model,
            list_of_metric,
            blocks,
            slice_numbers,
            block_numbers,
            unnest(range($first_word, $last_word)) AS word_no
          FROM block_sums
          CROSS JOIN blocks
        ) AS numbered_words
      ) AS looked_up
    ) AS sums_of_md5
  ) AS random_words
) AS numbered
WHERE sample <= $samples
