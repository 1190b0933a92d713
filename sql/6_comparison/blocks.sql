-- The blocks for which random words draw signs: a word of 128 bits has the signs of eight queries in sixteen samples.
--
-- Grain:  a single row, with lists that have an element for each block of eight queries of a slice.
-- Params: none.
-- Edges:  the blocks are the same under every model.
SELECT
  count(*) AS blocks,
  list(slice_no ORDER BY slice_no ASC NULLS FIRST, block ASC NULLS FIRST) AS slice_numbers,
  list(block ORDER BY slice_no ASC NULLS FIRST, block ASC NULLS FIRST) AS block_numbers
FROM (
  SELECT
    slice_no,
    place // 8 AS block
  FROM placed
  GROUP BY slice_no, place // 8
) AS blocks_of_slices
