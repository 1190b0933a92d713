"""The commands of the command line. The module of a command is named like it, and is loaded only for it."""

from __future__ import annotations

# The commands of each group: what a command does, and the arguments of examples.
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "To start": {
        "demo": ("write the data of a small film service, and print what to try on them", "films", "/tmp/films"),
    },
    "Metrics": {
        "evaluate": (
            "evaluate runs and print the means",
            "run.parquet --qrels qrels.parquet -m recall@10 ndcg@10",
            "old.csv new.csv --qrels qrels.csv --not-below old",
        ),
        "compare": (
            "compare runs with a baseline, or all of them for a leaderboard",
            "old.csv new.csv --qrels qrels.csv --baseline old",
            "a.csv b.csv c.csv --qrels qrels.csv -m ndcg@10 recall@10",
            "old.parquet new.parquet --values --baseline old",
        ),
        "report": (
            "write a report as one HTML file, with charts",
            "run.parquet --qrels qrels.parquet -o report.html",
            "a.csv b.csv --qrels qrels.csv --baseline a -o report.html",
        ),
        "agreement": (
            "compare lists with those of a baseline, without judgements",
            "exact.parquet index.parquet --baseline exact",
            "old.csv new.csv --baseline old -k 20 --each-query",
        ),
        "metrics": (
            "describe metrics: definition, options, other names and source",
            "ndcg recall@10",
            "--metric-folder my_metrics",
        ),
    },
    "Data and judgements": {
        "check": (
            "find faults in run and qrels; the exit status is 1 if there are any",
            "run.parquet --qrels qrels.parquet",
            "run.parquet --qrels qrels.parquet --format json",
        ),
        "explain": (
            "show the list of one query item by item, next to that of a baseline",
            "q17 run.parquet --qrels qrels.parquet -k 20",
            "q17 old.csv new.csv --qrels qrels.csv --baseline old",
        ),
        "pool": (
            "list the unjudged items that the metrics read, to judge next",
            "run.parquet --qrels qrels.parquet -m ndcg@10",
            "old.csv new.csv --qrels qrels.csv --format table",
        ),
    },
    "SQL": {
        "sql": (
            "print the statement instead of running it",
            "run.parquet --qrels qrels.parquet -m recall@10",
            "recs --qrels sales --dialect snowflake --form view --name v",
        ),
        "macros": (
            "print the SQL file that adds the metrics to DuckDB as macros",
            "> recall.sql",
            "| duckdb shop.duckdb",
        ),
        "dialects": (
            "list the dialects that sql writes, and how each was tested",
            "--format markdown",
            "--format json",
        ),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
