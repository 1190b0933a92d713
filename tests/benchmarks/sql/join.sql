-- The minimum of every evaluation: decode both files and find the judged candidates.
SELECT last(COLUMNS(*))
FROM read_parquet($run) AS run
INNER JOIN read_parquet($qrels) AS qrels USING (query, item)
