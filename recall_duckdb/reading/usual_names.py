"""What is written in text: the usual names of columns, for suggestions, and the fields of a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

from recall_duckdb.errors import spell
from recall_duckdb.question.policies import RANKS, is_distance

# What may separate fields, in the order to try.
SEPARATORS = ("\t", "::", ",", ";", "|", " ")
_NUMBER = re.compile(r"[+-]?\d+([.]\d*)?(e[+-]?\d+)?", re.IGNORECASE)

# Common names of each column, most common first, in lower case without separators.
USUAL_NAMES: dict[str, tuple[str, ...]] = {
    argument: tuple(names.split())
    for argument, names in {
        "query": "query queryid qid topic topicid user userid uid customer customerid session sessionid visitorid "
        "searchid questionid",
        "item": "item itemid docid doc docno document documentid corpusid passageid pid product productid sku movie "
        "movieid article articleid track trackid book bookid song songid video videoid iid",
        "score": "score scores similarity sim prediction predicted predictedrating pred estimate probability prob "
        "rating",
        "rank": " ".join(RANKS),
        "relevance": "relevance rel label grade gain rating target qrel relevant isrelevant judgment judgement clicked "
        "clicks purchased bought score",
        # filename is the column of read_parquet(…, filename = true), with a file for each model.
        "model": "model modelname modelid modeltype modelversion embeddingmodel system systemid systemname run runid "
        "runname runtag method methodname methodid retrievalmethod searchmethod algorithm algorithmname algorithmid "
        "algo tag variant variantname variantid experiment experimentid experimentname recommender recommendername "
        "retriever retrievername ranker rankername reranker approach strategy pipeline pipelinename searchengine "
        "engine technique config configuration filename",
    }.items()
}

# Common names of columns that are a part of the key of a query, because the ids of queries repeat in each part.
PARTITIONS = (
    *("lang", "language", "languagecode", "langcode", "locale", "subset", "subsetname", "split", "fold", "foldid"),
    *("dataset", "datasetname", "datasetid", "task", "taskname", "taskid", "domain", "session", "sessionid"),
    *("position", "day"),
)
# Names of ids that say nothing about what they are of.
IDS = ("id", "key", "uuid", "uid", "chunkid", "nodeid", "pointid")

_OF_LISTS = {
    "score": ("score", "similaritie", "similarity", "sim", "probability", "probabilitie", "prob"),
    "relevance": ("relevance", "rel", "label", "grade", "gain", "rating", "score", "judgment", "judgement"),
}

# The columns of qrels that tools write, by the columns that they are: those of BEIR, and of Quepid.
_OF_TOOLS = (
    {"query": "query-id", "item": "corpus-id", "relevance": "score"},
    {"query": "query", "item": "docid", "relevance": "rating"},
    {"query": "query", "item": "doc_id", "relevance": "rating"},
)
# A name next to the predictions of MTEB, which are below their subset and their split.
OF_MTEB = "mteb_model_meta"
# The names under which tools hold judgements in JSON. Of lists of ratings: the names of the query and of the item.
RATINGS = {"judgmentRatings": ("query", "docId"), "requests": ("id", "_id")}  # OpenSearch; rank_eval of Elasticsearch
LISTS_BY_QUERY = "relevant_docs"  # LlamaIndex
RESPONSE = "_source"  # of OpenSearch, which holds a document
OF_TOOLS = (OF_MTEB, *RATINGS, LISTS_BY_QUERY, RESPONSE)


def aliases_of(columns: Iterable[str]) -> dict[str, str]:
    """Return the columns of qrels by the names that they have here, if a tool wrote exactly these columns.

    >>> aliases_of(["query-id", "corpus-id", "score"])["relevance"], aliases_of(["query-id", "score"])
    ('score', {})
    """
    return next((aliases for aliases in _OF_TOOLS if set(aliases.values()) == set(columns)), {})


def is_usual_name(name: str, *arguments: str) -> bool:
    """Return True if a name is common for a column of a run or qrels, or for those that arguments name.

    >>> is_usual_name("Doc_ID"), is_usual_name("q1"), is_usual_name("Doc_ID", "query")
    (True, False, False)
    """
    return any(without_separators(name) in USUAL_NAMES[argument] for argument in arguments or USUAL_NAMES)


def is_usual_of_lists(name: str, argument: str) -> bool:
    """Return True if a name is common for lists of scores or of relevance, which stand next to lists of items.

    Names that lists of ids may have too, such as predicted and bought, are not.

    >>> is_usual_of_lists("scores", "score"), is_usual_of_lists("bought", "relevance")
    (True, False)
    """
    single = without_separators(name).removesuffix("s")
    return single in _OF_LISTS[argument] or (argument == "score" and is_distance(name))


def as_score(name: str) -> str:
    """Return the arguments that rank by a column: with its order if it is a distance."""
    return f"{spell('score', name)}{', ' + spell('order', 'ascending') if is_distance(name) else ''}"


def usual_field(fields: Iterable[str], argument: str) -> str | None:
    """Return the field of an object whose name is common for an argument, or for ids if it is the item; or None.

    >>> usual_field(["score", "_id", "text"], "item"), usual_field(["doc_id", "grade"], "relevance")
    ('_id', 'grade')
    """
    by_name = {without_separators(name): name for name in reversed([*fields])}
    usual = (*USUAL_NAMES[argument], *(IDS if argument == "item" else ()))
    return next((by_name[name] for name in usual if name in by_name), None)


def without_separators(name: str) -> str:
    """Return a name in lower case, without separators."""
    return re.sub(r"[\W_]", "", name.casefold())


def fields_of(line: str, separator: str | None = None) -> list[str]:
    r"""Return the fields of a line; without a separator, by the first of `SEPARATORS` that it holds.

    >>> fields_of("1::10::3"), fields_of('1,"a, b"'), fields_of("1\tRocky 4")
    (['1', '10', '3'], ['1', 'a, b'], ['1', 'Rocky 4'])
    """
    line = line.strip(" \r\n")
    separator = separator or next((each for each in SEPARATORS if each in line), ",")
    if len(separator) > 1:
        return line.split(separator)
    return next(csv.reader([line], delimiter=separator), [])


def is_number(text: str) -> bool:
    """Return True if a text is a number."""
    return _NUMBER.fullmatch(text.strip()) is not None


def is_header(fields: list[str], usual: int = 2) -> bool:
    """Return True if fields are names: none is a number, and some have a usual name or, as in RecBole, a type.

    >>> is_header(["user_id:token", "item_id:token"]), is_header(["q1", "Q0", "doc", "1"])
    (True, False)
    """
    names = [re.sub(r":\w+$", "", field.strip()) for field in fields]
    return not any(map(_NUMBER.fullmatch, names)) and sum(map(is_usual_name, names)) >= usual
