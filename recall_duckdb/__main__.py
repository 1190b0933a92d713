"""The command `recall-duckdb`, also as `python -m recall_duckdb`."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

# The modules of a command make this many objects, none of which is garbage. Python looks for garbage after 700.
_MANY_OBJECTS = 100_000


def main() -> int:
    """Run the command line; returns the exit status, which is 130 on Ctrl-C."""
    gc.set_threshold(_MANY_OBJECTS)
    try:
        status: int = import_module("recall_duckdb.cli").main()  # Ctrl-C may come during the imports, which take 0.2 s
    except KeyboardInterrupt:
        sys.stderr.write("recall-duckdb: interrupted\n")
        return 130
    finally:
        gc.freeze()  # the process ends here, and would look through all its objects again
    return status


if __name__ == "__main__":
    raise SystemExit(main())
