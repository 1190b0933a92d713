"""The command `demo`: writes the data of a small film service."""

from __future__ import annotations

import argparse
import filecmp
import shlex
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.errors import ArgumentError, first_line, quote

_DATA = "{at}/popular.parquet {at}/personal.parquet --qrels {at}/watched.parquet --query user_id --item film_id"
_ASKED = f"{_DATA} -m ndcg@10 recall@10 --baseline popular"
_SHOWN = f"""\
{{at}} holds a film service: the lists of two recommenders for 400 users, and what the users watched next.

Which is better, the popular films or a personal list, and how sure is that?
  {{program}} compare {_ASKED}
For whom is it worse?
  {{program}} compare {_ASKED} --by segment
Both on one page:
  {{program}} report {_ASKED} --by segment --texts {{at}}/films.parquet -o report.html"""


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "folder", nargs="?", default="demo", metavar="FOLDER", help="the folder to write; default: demo"
    )


def run(arguments: argparse.Namespace) -> Answer:
    """Write the files, and print commands that read them."""
    folder, script = Path(arguments.folder), Path(__file__).with_suffix(".sql").read_text("utf-8")
    try:
        with TemporaryDirectory() as made, duckdb.connect() as connection:
            connection.execute(script.replace("'demo/", "'" + made.replace("'", "''") + "/"))
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.iterdir()):
                written = Path(made, path.name)
                if not written.exists() or not filecmp.cmp(path, written, shallow=False):
                    fix = "Delete it, or name a new folder, as in recall-duckdb demo films"
                    raise ArgumentError(f"{quote(str(path))} is not a file of the demo", argument="FOLDER", fix=fix)
            for written in Path(made).iterdir():
                shutil.copyfile(written, folder / written.name)
    except (OSError, duckdb.Error) as error:
        reason = getattr(error, "strerror", None) or first_line(error)
        raise ArgumentError(f"cannot write {quote(arguments.folder)}: {reason}", argument="FOLDER") from error
    program = ["recall-duckdb"] if shutil.which("recall-duckdb") else [sys.executable, "-m", "recall_duckdb"]
    return Answer(_SHOWN.format(program=shlex.join(program), at=shlex.quote(folder.as_posix())))
