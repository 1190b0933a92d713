"""The statements that engines execute: recall_duckdb/dialects/evidence.json has their hashes for each dialect.

`python tests/executed.py` prints the engines that CI runs: the fast ones, and those whose statements changed since they
were executed. An unchanged statement gives the same numbers on an unchanged engine.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from engine_cases import CASES, OF_RELATIVES, PAIRS, arguments
from folders import ROOT

from recall_duckdb import sql
from recall_duckdb.dialects import DIALECTS

EVIDENCE = ROOT / "recall_duckdb" / "dialects" / "evidence.json"
FAST = ("DataFusion", "Postgres", "ClickHouse")  # SQLite always runs


def evidence() -> dict[str, dict[str, Any]]:
    """Return what the last run of the engines recorded of each dialect."""
    records: dict[str, dict[str, Any]] = json.loads(EVIDENCE.read_text("utf-8"))
    return records


def hashes_of(dialect: str) -> str:
    """Return a short hash of each case in OF_RELATIVES: of its tokens, whatever the layout and the comments."""
    texts = []
    for name in OF_RELATIVES:
        asked = arguments(CASES[name])
        statements = [sql(**asked, dialect=dialect, per_query=each) for each in (False, True)]
        text = "".join("".join(re.sub(r"/\*.*?\*/", "", each, flags=re.DOTALL).split()) for each in statements)
        text = text.replace("BETWEENUNBOUNDEDPRECEDINGANDCURRENTROW", "UNBOUNDEDPRECEDING")
        texts.append(re.sub(r"NOT(\()?([\w.\"`\[\]]+)ISNULL(?(1)\))", r"\2ISNOTNULL", text))
    return " ".join(hashlib.sha256(text.encode()).hexdigest()[:6] for text in texts)


def hashes(dialects: list[str]) -> dict[str, str]:
    """Return the hashes of each dialect, computed in parallel."""
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        return dict(zip(dialects, pool.map(hashes_of, dialects), strict=True))


def changed(recorded: str, found: str) -> list[str]:
    """Return the names of the cases whose hash is not the recorded one."""
    old = recorded.split() if len(recorded.split()) == len(OF_RELATIVES) else [""] * len(OF_RELATIVES)
    return [name for name, one, other in zip(OF_RELATIVES, old, found.split(), strict=True) if one != other]


def engines_of(dialect: str) -> set[str]:
    """Return the names, in RECALL_DUCKDB_ENGINES, of what executes or parses the statements of a dialect."""
    executing = {engine for engine, executed in PAIRS if executed == dialect}
    parsed = any(on.startswith("sqlfluff") for on in evidence().get(dialect, {"on": ["sqlfluff"]})["on"])
    return executing | ({"sqlfluff"} if parsed else set())


def engines_to_run(dialects: list[str]) -> list[str]:
    """Return the engines that CI runs if the statements of these dialects changed."""
    needed = {engine for dialect in dialects for engine in engines_of(dialect)} - {"SQLite"}
    return [*FAST, *sorted(needed - {*FAST})]


def main() -> None:
    """Print the engines to run, and to standard error why."""
    known = evidence()
    others = [name for name in DIALECTS if name != "duckdb" and not engines_of(name) <= {"SQLite", *FAST}]
    found = {name: changed(known.get(name, {}).get("statements", ""), now) for name, now in hashes(others).items()}
    differing = [name for name, cases in found.items() if cases]
    engines = engines_to_run(differing)
    for name in differing:
        print(f"statements of {name} that changed since they were executed: {', '.join(found[name])}", file=sys.stderr)
    print(f"engines: SQLite, {', '.join(engines)}", file=sys.stderr)
    if differing:
        print(f"to record the change: RECALL_DUCKDB_EVIDENCE=write .ci/engines {' '.join(engines)}", file=sys.stderr)
    print(*engines)


if __name__ == "__main__":
    main()
