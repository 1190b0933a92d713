-- What no evaluation can do without: both files are decoded, and the judged candidates found.
SELECT last(COLUMNS(*))
FROM read_parquet($run) AS run
INNER JOIN read_parquet($qrels) AS qrels USING (query, item)
