-- Queries drawn at random, with replacement: in each sample as many as there are.
--
-- Grain:  one row per (model, level, sample, draw).
-- Params: $first_word and $last_word, which words of all samples to draw from; $seed, which random numbers.
-- Edges:  the 128 bits of an MD5 sum draw four queries: the same in every version of DuckDB, for any number of threads,
--         and for every model. drawn is the position of a query in the list of differences. A join would store all
--         draws, and a cross join with more than a few rows would copy the lists many times: UNNEST does not.
--         list_of_metric is repeated for each metric.
SELECT
  model,
  list_of_metric,
  level_no,
  sample,
  start_at
  + (
    (
      CAST((CASE WHEN quarter < 2 THEN lower_bits ELSE upper_bits END >> (32 * (quarter % 2))) & 4294967295 AS BIGINT)
      * size
    )
    >> 32
  )
  + 1 AS drawn
FROM (
  SELECT
    model,
    list_of_metric,
    level_no,
    sample,
    word,
    start_at,
    size,
    lower_half(bits) AS lower_bits,
    upper_half(bits) AS upper_bits,
    unnest(range(4)) AS quarter
  FROM (
    SELECT
      model,
      list_of_metric,
      level_no,
      sample,
      word,
      start_at,
      size,
      md5_number(concat_ws(' ', 'draws', $seed, level_no, sample, word)) AS bits
    FROM (
      SELECT
        model,
        list_of_metric,
        number // words AS sample,
        level_numbers[number % words + 1] AS level_no,
        numbers[number % words + 1] AS word,
        starts[number % words + 1] AS start_at,
        sizes[number % words + 1] AS size
      FROM (
        SELECT
          model,
          list_of_metric,
          words,
          level_numbers,
          numbers,
          starts,
          sizes,
          unnest(range($first_word, $last_word)) AS number
        FROM step_lists
        CROSS JOIN words
      ) AS numbered_words
    ) AS looked_up
  ) AS sums_of_md5
) AS random_words
WHERE 4 * word + quarter < size
