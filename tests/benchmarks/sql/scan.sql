-- Decode every column of a file with the least work (statistics alone would answer max).
SELECT last(COLUMNS(*)) FROM read_parquet($path)
