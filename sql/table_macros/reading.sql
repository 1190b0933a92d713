-- The statement that reads what an argument names.
--
-- Grain:  a single row.
-- Params: $given, the argument.
-- Edges:  parts of a name may be quoted. A name with any other quote, or with more than three parts, is read as it is.
SELECT
  concat(
    'FROM ',
    CASE
      WHEN regexp_full_match(CAST($given AS VARCHAR), '("([^"]|"")+"|[^".]+)([.]("([^"]|"")+"|[^".]+)){0,2}')
        THEN regexp_replace(CAST($given AS VARCHAR), '"(([^"]|"")+)"|([^".]+)', '"\1\3"', 'g')
      ELSE concat('"', replace(CAST($given AS VARCHAR), '"', '""'), '"')
    END
  ) AS statement
