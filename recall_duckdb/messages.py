"""The messages that several modules share. `{name}` is a placeholder for `fill`."""

from __future__ import annotations

from typing import NamedTuple

from recall_duckdb.errors import advice, message


class Message(NamedTuple):
    """A message with placeholders: the parts of a `RecallError`."""

    problem: str
    argument: str = ""
    fix: str = ""

    @property
    def text(self) -> str:
        """The whole message, with its placeholders."""
        return message(*self)

    def fill(self, *, fix: str = "", **values: object) -> dict[str, str]:
        """Return the parts of the error, with values in place of the placeholders; a message without a fix takes `fix`.

        >>> NEEDS_CUTOFF.fill(text="recall", name="recall")
        {'problem': 'recall needs a cutoff, as in recall@10', 'argument': '', 'fix': ''}
        """
        parts = {name: advice(part).format(**values) for name, part in self._asdict().items()}
        return parts | ({"fix": fix} if fix else {})


CHOICE = Message("{value} is not one of {choices}", "{argument}")
THRESHOLD = Message(
    "{threshold} is not above 0: relevance of 0 or below is never relevant; "
    "shift your relevance if its scale begins lower",
    "threshold",
)
COLUMN_NAME = Message("a column name is expected, not {value}", "{argument}")
NAMED_TWICE = Message("{names} names a column twice", "{argument}")
NO_MIN_SCORE = Message(
    "it is a lowest score, but with order='ascending' low scores are the best",
    "min_score",
    "Leave it out, and remove the rows with high scores from the run",
)
TWO_ROLES = Message(
    "both name the column {name}, but a column has one meaning", "{first}, {second}", "Name two columns"
)
DISTANCE = Message(
    "{name} is usually a distance, of which the lowest is the best",
    "score",
    "Pass order='ascending' or, if the highest is the best, order='descending'",
)
RANK = Message(
    "{name} is usually a rank, of which the lowest is the best",
    "score",
    "Pass {rank}, or order='ascending' or, if the highest is the best, order='descending'",
)
NO_QUERY = Message("name the column, or columns, that say which query a row belongs to", "query")
QRELS_QUERY = Message("{qrels_query} must be as many columns as query: {query}", "qrels_query")
RESULT_COLUMN = Message("the result has a column {name} of its own: rename the column in your data", "{argument}")
METRIC_COLUMN = Message("the result has a column {name} for the metric: rename the column in your data", "{argument}")
NO_METRIC = Message("name at least one, such as 'recall@10'", "metrics")
METRIC_NAME = Message("a name such as 'recall@10' is expected, not {value}", "metrics")
NEEDS_CUTOFF = Message("{text} needs a cutoff, as in {name}@10")
METRIC_SYNTAX = Message("{text} is not a valid metric: write name(option=value)@k")
OPTION = Message("{text}: {option}, not {value}")
IDLE_THRESHOLD = Message("{text}: the threshold has no effect here: gains ignore it unless gain=binary")
NO_DEPTH = Message("{what} needs whole lists", "depth", "Leave depth out, or cut the lists in the data")
NO_EXPECTATION = Message("'expected' has no closed form for {metrics}: leave it out, or choose another order", "ties")
NO_ITEM_SLICES = Message(
    "{metrics} has no meaning within a slice of items, because its value depends on more than the ranks of the "
    "relevant items in the slice",
    "item_by",
    "Leave it out, or ask for one of {known}",
)
UNREAD = Message("no requested metric reads it: leave it out, or ask for a metric that does", "{name}")
CUTOFF = Message("k must be a whole number from 1 to {largest}, not {k}")
