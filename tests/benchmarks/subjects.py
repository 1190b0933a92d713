"""The subjects: this package, code by hand in Polars, and other libraries.

    python -m benchmarks.subjects NAME JOB

Runs one subject on one job, from the files to the means, and prints the measurements as JSON. Every measurement runs in
its own process, so that none uses memory, threads or caches of another. A subject is a function that imports what it
needs and returns the work. Only the work is timed.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

    from benchmarks.data import DataSet

WHOLE_LIST = 10**9  # a cutoff below which no list goes on


@dataclass(frozen=True)
class Job:
    """An evaluation to measure.

    Attributes:
        run: the parquet file of the run.
        qrels: the parquet file of the qrels; None if the run holds the labels.
        metrics: the names of metrics, each with one cutoff or none: "recall@10", "rr".
        settings: the settings of DuckDB.
        options: further arguments of `evaluate`: `rank`, or several columns as `score`.
    """

    run: str
    qrels: str | None
    metrics: list[str]
    settings: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cutoffs(self) -> list[tuple[str, str, int]]:
        """The name, metric and cutoff of each metric: ("recall@10", "recall", 10)."""
        parts = [(name, *name.partition("@")) for name in self.metrics]
        return [(name, metric, int(k or WHOLE_LIST)) for name, metric, _, k in parts]

    @property
    def depth(self) -> int:
        """The deepest cutoff."""
        return max(k for _, _, k in self.cutoffs)

    def named(self, names: Mapping[str, str], at: str = "@") -> dict[str, str]:
        """Return the name of each metric in a library that has these names, and our name."""
        return {names[metric] + (f"{at}{k}" if k < WHOLE_LIST else ""): name for name, metric, k in self.cutoffs}


Values = dict[str, float]
Work = Callable[[Job], Values]


def ours() -> Work:
    """Prepare `evaluate` on a connection in memory with the settings of the job."""
    import duckdb

    from recall_duckdb import evaluate

    def work(job: Job) -> Values:
        with duckdb.connect(config=dict(job.settings)) as connection:
            result = evaluate(job.run, job.qrels, job.metrics, connection=connection, **job.options)
            rows = result.means.fetchall()
        return {metric if k is None else f"{metric}@{k}": value for _, metric, k, value, _ in rows}

    return work


def in_polars() -> Work:
    """Prepare the fastest code that we found: it joins the top of each query's list to the qrels."""
    import polars as pl

    def work(job: Job) -> Values:
        # Sort only within a query's aggregate, and return only the top from it.
        def top(column: str) -> polars.Expr:
            return pl.col(column).sort_by(["score", "item"], descending=[True, True]).head(job.depth)

        def exploded(lists: polars.LazyFrame, column: str) -> polars.LazyFrame:
            ranks = pl.int_ranges(1, pl.col(column).list.len() + 1)
            return lists.with_columns(rank=ranks).select("query", column, "rank").explode(column, "rank")

        run = pl.scan_parquet(job.run)
        ideal, sums, means = _columns(job)
        if job.qrels is None:
            lists = run.group_by("query").agg(top("relevance").alias("shown"), **ideal)
            judged = lists.drop("shown")
            hits = exploded(lists, "shown").filter(pl.col("shown") > 0).rename({"shown": "relevance"})
        else:
            qrels = pl.scan_parquet(job.qrels)
            judged = qrels.group_by("query").agg(**ideal)
            if "rank" in job.options:
                ranked = run.filter(pl.col("rank") <= job.depth)
            else:
                ranked = exploded(run.group_by("query").agg(top("item")), "item")
            hits = ranked.join(qrels, on=["query", "item"])  # all judged items are relevant
        found = judged.join(hits.group_by("query").agg(**sums), on="query", how="left").select(**means)
        row: Values = found.collect(engine="streaming").row(0, named=True)
        return row

    return work


def _columns(job: Job) -> tuple[dict[str, polars.Expr], dict[str, polars.Expr], dict[str, polars.Expr]]:
    """Return the columns of a query's judgements, those of its relevant items in the list, and the means of metrics.

    A query with no relevant or no retrieved item counts 0.
    """
    import polars as pl

    rank, ordered, best = pl.col("rank"), pl.col("rank").sort(), pl.col("relevance").sort(descending=True)
    ideal, sums, means = {"relevant": (pl.col("relevance") > 0).sum()}, {}, {}
    for name, metric, k in job.cutoffs:
        divisor = pl.col("relevant")
        if metric == "recall":
            sums[name] = (rank <= k).sum()
        elif metric == "ndcg":
            sums[name] = (pl.col("relevance") / (rank + 1).log(2)).filter(rank <= k).sum()
            ideal[f"ideal {name}"] = (best.head(k) / (best.head(k).cum_count() + 1).log(2)).sum()
            divisor = pl.col(f"ideal {name}")
        elif metric == "ap":
            sums[name] = (ordered.cum_count() / ordered).filter(ordered <= k).sum()
        elif metric == "rr":
            sums[name] = 1 / (rank if k == job.depth else rank.filter(rank <= k)).min()
            divisor = pl.lit(1)
        means[name] = (pl.col(name) / divisor).fill_nan(0).fill_null(0).mean()
    return ideal, sums, means


def text_frames(job: Job, query: str, item: str) -> list[pandas.DataFrame]:
    """Return run and qrels with these names and text ids, which most libraries require."""
    import pandas as pd

    frames = [pd.read_parquet(path).rename(columns={"query": query, "item": item}) for path in (job.run, job.qrels)]
    for frame in frames:
        for column in (query, item):
            frame[column] = pd.Series(list(map(str, frame[column].tolist())), dtype=object)
    return frames


def pytrec_eval() -> Work:
    """Prepare trec_eval in Python. Its recip_rank has no cutoff."""
    import numpy as np
    import pandas as pd  # which is not measured
    import pyarrow as pa  # noqa: F401
    import pytrec_eval

    names = {"recall": "recall", "ndcg": "ndcg_cut", "ap": "map_cut", "rr": "recip_rank"}

    def nested(path: str | None, column: str) -> dict[str, dict[str, Any]]:
        frame = pd.read_parquet(path)
        held: dict[str, dict[str, Any]] = {}
        columns = (map(str, frame["query"].tolist()), map(str, frame["item"].tolist()), frame[column].tolist())
        for query, item, value in zip(*columns, strict=True):
            held.setdefault(query, {})[item] = value
        return held

    def work(job: Job) -> Values:
        qrels = nested(job.qrels, "relevance")
        per_query = pytrec_eval.RelevanceEvaluator(qrels, {*job.named(names, ".")}).evaluate(nested(job.run, "score"))
        # A query missing from the run is not in its result, but counts in the mean.
        return {
            name: float(np.sum([values[measure] for values in per_query.values()]) / len(qrels))
            for measure, name in job.named(names, "_").items()
        }

    return work


def ir_measures() -> Work:
    """Prepare ir_measures with its default providers. Its provider of RR@k orders ties differently."""
    import ir_measures as library
    import pyarrow as pa  # noqa: F401

    names = {"recall": "R", "ndcg": "nDCG", "ap": "AP", "rr": "RR"}

    def work(job: Job) -> Values:
        run, qrels = text_frames(job, "query_id", "doc_id")
        measures = {library.parse_measure(measure): name for measure, name in job.named(names).items()}
        means = library.calc_aggregate(list(measures), qrels, run)
        return {measures[measure]: float(value) for measure, value in means.items()}

    return work


def ranx() -> Work:
    """Prepare ranx. Compiling in each process is measured; what ranx caches on disk is compiled only in round one."""
    import pyarrow as pa  # noqa: F401
    from ranx import Qrels, Run, evaluate

    names = {"recall": "recall", "ndcg": "ndcg", "ap": "map", "rr": "mrr"}

    def work(job: Job) -> Values:
        run, qrels = text_frames(job, "q_id", "doc_id")
        judged = Qrels.from_df(qrels, q_id_col="q_id", doc_id_col="doc_id", score_col="relevance")
        retrieved = Run.from_df(run, q_id_col="q_id", doc_id_col="doc_id", score_col="score")
        asked = job.named(names)
        means = evaluate(judged, retrieved, list(asked), make_comparable=True)
        return {asked[name]: float(value) for name, value in means.items()}

    return work


def rectools() -> Work:
    """Prepare RecTools, which uses ranks. Its NDCG ignores grades, and its MRR requires a cutoff."""
    import pandas as pd
    import pyarrow as pa  # noqa: F401
    from rectools.metrics import MAP, MRR, Recall, calc_metrics

    kinds = {"recall": Recall, "ap": MAP, "rr": MRR}

    def work(job: Job) -> Values:
        names = {"query": "user_id", "item": "item_id"}
        run, qrels = (pd.read_parquet(path).rename(columns=names) for path in (job.run, job.qrels))
        run = run.sort_values(["user_id", "score", "item_id"], ascending=[True, False, False])
        run["rank"] = run.groupby("user_id").cumcount() + 1
        asked = {name: kinds[metric](k=k) for name, metric, k in job.cutoffs}
        return dict(calc_metrics(asked, run[run["rank"] <= job.depth], qrels))

    return work


@dataclass(frozen=True)
class Subject:
    """A package or program to measure."""

    prepare: Callable[[], Work]  # imports what it needs and returns the work
    package: str | None = None  # the package to install in addition to this package and DuckDB
    metrics: tuple[str, ...] | None = None  # the metrics that it defines as we do; None means all
    is_library: bool = True  # True if it needs scores and qrels, and takes too long for more than 1 M rows
    is_exact: bool = True  # True if it orders equal scores by item, as we do; otherwise their order is arbitrary

    def takes(self, data_set: DataSet, rows: int) -> bool:
        """Return True if it is measured on this number of candidates of a data set."""
        return not self.is_library or (rows <= 1_000_000 and not data_set.options and data_set.qrels is not None)

    def computes(self, name: str) -> bool:
        """Return True if it has that metric; "rr@" means rr at any cutoff, "rr" means rr of the whole list."""
        metric, at, _ = name.partition("@")
        return self.metrics is None or metric + at in self.metrics


SUBJECTS = {
    "ours": Subject(ours, is_library=False),
    "polars": Subject(in_polars, "polars", is_library=False),
    "pytrec_eval": Subject(pytrec_eval, "pytrec-eval-terrier", metrics=("recall@", "ndcg@", "ap@", "rr")),
    "ir_measures": Subject(ir_measures, "ir-measures", is_exact=False),
    "ranx": Subject(ranx, "ranx", is_exact=False),
    "RecTools": Subject(rectools, "rectools", metrics=("recall@", "ap@", "rr@")),
}


def peak_mb() -> float:
    """Return the peak resident memory of this process, in MB; NaN except on Linux."""
    status = Path("/proc/self/status")  # ru_maxrss would start from the parent process's value
    lines = status.read_text("utf-8").splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), math.nan)


def measure(subject: Subject, job: Job) -> dict[str, Any]:
    """Return the seconds, megabytes and values of one run, or the reason why there are none."""
    try:
        work = subject.prepare()
        cpu, wall = time.process_time(), time.perf_counter()
        values = work(job)
    except ModuleNotFoundError as error:
        return {"failed": f"not installed: {error.name}"}
    except Exception as error:  # the table reports any error of a library
        return {"failed": f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"}
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"cpu": cpu, "wall": wall, "peak": peak_mb(), "values": values}


if __name__ == "__main__":
    print(json.dumps(measure(SUBJECTS[sys.argv[1]], Job(**json.loads(sys.argv[2])))))
