"""`python -m recall_duckdb` is the command `recall-duckdb`."""

from recall_duckdb.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
