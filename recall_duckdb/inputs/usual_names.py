"""The names that columns of runs and qrels usually have, for suggestions."""

from __future__ import annotations

import re

# Common names of each column, most common first, in lower case without separators.
USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "query": (
        *("query", "queryid", "qid", "topic", "topicid", "user", "userid", "uid", "customer", "customerid"),
        *("session", "sessionid", "visitorid", "searchid", "questionid"),
    ),
    "item": (
        *("item", "itemid", "docid", "doc", "docno", "document", "documentid", "corpusid", "passageid", "pid"),
        *("product", "productid", "sku", "movie", "movieid", "article", "articleid", "track", "trackid", "book"),
        *("bookid", "song", "songid", "video", "videoid", "iid"),
    ),
    "score": (
        *("score", "scores", "similarity", "sim", "prediction", "predicted", "predictedrating", "pred", "estimate"),
        *("probability", "prob", "rating"),
    ),
    "rank": ("rank", "ranking", "position", "pos", "place"),
    "relevance": (
        *("relevance", "rel", "label", "grade", "gain", "rating", "target", "qrel", "relevant", "isrelevant"),
        *("judgment", "judgement", "clicked", "clicks", "purchased", "bought", "score"),
    ),
    "model": ("model", "modelname", "modelid", "system", "run", "runid", "runname", "method", "algorithm", "tag"),
}


def is_usual_name(name: str) -> bool:
    """Return True if a name is common for a column of a run or qrels.

    >>> is_usual_name("Doc_ID"), is_usual_name("q1")
    (True, False)
    """
    return any(without_separators(name) in usual for usual in USUAL_NAMES.values())


def without_separators(name: str) -> str:
    """Return a name in lower case, without separators."""
    return re.sub(r"[\W_]", "", name.casefold())
