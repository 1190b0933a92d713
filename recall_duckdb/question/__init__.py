"""What the user asks: the arguments, the policies and the metrics, checked as far as that needs no data."""

from recall_duckdb.question.agreement import AgreementQuestion
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
)
from recall_duckdb.question.signatures import argument_docs, takes

__all__ = [
    "OPTIONAL_INPUTS",
    "RESULT_COLUMNS",
    "AgreementQuestion",
    "CheckQuestion",
    "Data",
    "EvaluateQuestion",
    "Names",
    "PoolQuestion",
    "Question",
    "SqlQuestion",
    "argument_docs",
    "takes",
]
