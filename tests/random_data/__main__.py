"""The command `python -m random_data`."""

from __future__ import annotations

import argparse
import sys

import duckdb

import random_data
from random_data.comparing import TOLERANCE, Tally, compared, compared_in_processes
from random_data.drawing import made
from random_data.paths import PATHS
from random_data.relations import drawn

SEED, QUESTIONS = 16, 3_000


def main() -> int:
    """Compare questions, and print a summary."""
    parser = argparse.ArgumentParser(
        prog="random_data", description=random_data.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--case", type=int, help="compare this case alone, on all paths, and print its data")
    parser.add_argument("--path", choices=PATHS, help="compare this path alone")
    given = parser.parse_args()
    paths = [] if given.path is None else [given.path]
    if given.case is None:
        tally = compared_in_processes(given.seed, given.questions, given.first, given.processes, paths)
    else:
        case = made(given.seed, given.case)
        print(case, *drawn(case), sep="\n")
        tally = compared([case], paths or PATHS)
    show(tally, given.seed)
    return 1 if tally.differences else 0


def show(tally: Tally, seed: int) -> None:
    """Print what was compared."""
    for kind, count in sorted(tally.kinds.items()):
        print(f"{count:6,}  {kind}")
    print(f"seed {seed}, DuckDB {duckdb.__version__}")
    print(
        f"{tally.cases:,} questions about {tally.data_sets:,} data sets with {tally.answers:,} answers: "
        f"{tally.values:,} values, {tally.means:,} means and {tally.refusals:,} refusals"
    )
    print(f"largest difference {tally.worst:.3g} ({tally.worst_at})")
    print(f"{tally.wrong:,} differences above {TOLERANCE}, {tally.crashes:,} crashes")
    for difference in tally.differences[:200]:
        print("  ", difference)


if __name__ == "__main__":
    sys.exit(main())
