"""What the user asks: the arguments, the policies and the metrics, checked as far as that needs no data."""

from recall_duckdb.question.question import (
    OPTIONAL_INPUTS,
    RESULT_COLUMNS,
    CheckQuestion,
    Data,
    EvaluateQuestion,
    Names,
    PoolQuestion,
    Question,
    SqlQuestion,
    documented,
    takes,
)

__all__ = [
    "OPTIONAL_INPUTS",
    "RESULT_COLUMNS",
    "CheckQuestion",
    "Data",
    "EvaluateQuestion",
    "Names",
    "PoolQuestion",
    "Question",
    "SqlQuestion",
    "documented",
    "takes",
]
