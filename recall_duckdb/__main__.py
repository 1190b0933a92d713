"""The command `recall-duckdb`, also as `python -m recall_duckdb`."""

from __future__ import annotations

import sys
from importlib import import_module


def main() -> int:
    """Run the command line; returns the exit status, which is 130 on Ctrl-C."""
    try:
        status: int = import_module("recall_duckdb.cli").main()  # Ctrl-C may come during the imports, which take 0.2 s
    except KeyboardInterrupt:
        sys.stderr.write("recall-duckdb: interrupted\n")
        return 130
    return status


if __name__ == "__main__":
    raise SystemExit(main())
