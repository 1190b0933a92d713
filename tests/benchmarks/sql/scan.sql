-- Every column of a file is decoded, and as little as can be is done with it (max would be told by the statistics).
SELECT last(COLUMNS(*)) FROM read_parquet($path)
