"""To add a format, a contributor adds one function or class, and its place in the table of formats."""

from __future__ import annotations

from pathlib import Path

from copied import Copied

RESULT = "recall_duckdb/report.py"
AS_LINES = '''\
def as_lines(shown: Rows) -> str:
    """Return a line for each row, of the values with semicolons between them."""
    return "\\n".join(";".join(str(row[name]) for name in shown.columns) for row in shown.rows)


@dataclass(frozen=True)
class Format:
'''
RUN = "query,item,score\nq1,a,0.9\nq1,b,0.8\nq2,c,0.7\nq3,c,0.7\n"
OTHER = "query,item,score\nq1,b,0.9\nq1,a,0.8\nq2,c,0.7\n"
QRELS = "query,item,relevance\nq1,b,1\nq2,c,1\n"
# What each command prints with `--format lines`.
PRINTED = {
    "evaluate run.csv --qrels qrels.csv -m rr@2": "run;rr;2;0.75;2",
    "evaluate run.csv --qrels qrels.csv -m rr@2 --intervals": "run;rr;2;2;0.75;",
    "compare run.csv other.csv --qrels qrels.csv -m rr@2 --baseline run": "other;rr;2;2;0;0.75;1.0;0.25;",
    "check run.csv --qrels qrels.csv -m rr@1": "unjudged_queries;the run holds a query that the qrels do not judge;1;",
    "pool run.csv --qrels qrels.csv -m rr@2": "q1;a;1;1",
    "agreement run.csv other.csv --baseline run": "other;",
    "agreement run.csv other.csv --baseline run --each-query": "other;q",
    "dialects": "duckdb;",
}

INPUT, PLACE = "recall_duckdb/inputs/formats/scored.py", "recall_duckdb/inputs/formats/__init__.py"
SQL = "sql/1_inputs/scored_lines.sql"
SCORED_LINES = """\
-- The lines of a file of scored items, such as `q1 a:0.9 b:0.8`.
--
-- Grain:  one row per (query, item).
-- Params: $path, the path of the file or files.
SELECT
  query,
  split_part(scored_item, ':', 1) AS item,
  CAST(split_part(scored_item, ':', 2) AS DOUBLE) AS score
FROM (
  SELECT
    split_part(line, ' ', 1) AS query,
    unnest(string_split(line, ' ')[2 :]) AS scored_item
  FROM read_csv($path, columns = {'line': 'VARCHAR'}, header = FALSE, delim = '', quote = '')
) AS items
"""
SCORED = '''\
"""Reads files of scored items: a line for each query."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.inputs.formats.base import Format, Request
from recall_duckdb.inputs.source import Source


class Scored(Format):
    """Lines of a query, and of items with their scores."""

    name = "scored items"
    endings = frozenset({"scored"})

    def call(self, request: Request) -> exp.Expr:
        """Return the query that splits the lines."""
        tree = templates.relations()["scored_lines"][""].tree()
        trees.bind(tree, {"path": request.patterns})
        return tree.subquery("scored")

    def open(self, request: Request) -> Source:
        """Return the relation that reads the lines."""
        relation = self.call(request)
        return Source(relation, request.session.describe(relation), request.label, watched=request.watched)
'''


def test_every_command_prints_a_new_format(tmp_path: Path) -> None:
    copied = Copied(tmp_path)
    copied.replace(RESULT, "@dataclass(frozen=True)\nclass Format:\n", AS_LINES)
    copied.replace(RESULT, '    "csv": Format(', '    "lines": Format(as_lines),\n    "csv": Format(')
    assert copied.changed() == {RESULT}
    for name, text in {"run": RUN, "other": OTHER, "qrels": QRELS}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    printed = copied.answer(
        "import contextlib, io\n"
        "from recall_duckdb.cli import main\n"
        "answer = {}\n"
        f"for call in {list(PRINTED)}:\n"
        "    with contextlib.redirect_stdout(io.StringIO()) as output:\n"
        "        main([*call.split(), '--format', 'lines'])\n"
        "    answer[call] = output.getvalue().splitlines()"
    )
    for call, beginning in PRINTED.items():
        assert any(line.startswith(beginning) for line in printed[call]), (call, printed[call])


def test_every_call_reads_a_new_format(tmp_path: Path) -> None:
    copied = Copied(tmp_path)
    copied.write(SQL, SCORED_LINES)
    copied.write(INPUT, SCORED)
    copied.replace(
        PLACE, "import Parquet\n", "import Parquet\nfrom recall_duckdb.inputs.formats.scored import Scored\n"
    )
    copied.replace(PLACE, "= (Parquet(), Csv(), Json())", "= (Parquet(), Csv(), Json(), Scored())")
    assert copied.changed() == {SQL, INPUT, PLACE}

    (tmp_path / "bm25.scored").write_text("q1 a:0.9 b:0.8\nq2 c:0.7\n")
    (tmp_path / "dense.scored").write_text("q1 b:0.9\n")
    (tmp_path / "qrels.csv").write_text(QRELS)
    of_one, of_all, command, text = copied.answer(
        "from recall_duckdb import evaluate, sql\n"
        "one = evaluate('bm25.scored', 'qrels.csv', 'rr')\n"
        "both = evaluate('*.scored', 'qrels.csv', 'num_ret', duplicates='best')\n"
        "import subprocess, sys\n"
        "call = [sys.executable, '-m', 'recall_duckdb', 'evaluate', 'bm25.scored', 'dense.scored', '-m', 'rr',\n"
        "    '--qrels', 'qrels.csv', '--format', 'csv']\n"
        "done = subprocess.run(call, capture_output=True, text=True)\n"
        "answer = one.value('rr'), both.value('num_ret'), done.stdout.splitlines(), sql('bm25.scored', 'qrels.csv')"
    )
    assert (of_one, of_all) == (0.75, 3)
    assert command[1:] == ["bm25,rr,,0.75,2", "dense,rr,,0.5,2"]
    assert "bm25.scored" in text
    # Only DuckDB reads files, so dbt has no macro of them.
    macros = copied.answer("from recall_duckdb.dbt.files import relations\nanswer = list(relations())")
    assert "judged_ordered" in macros
    assert "scored_lines" not in macros
