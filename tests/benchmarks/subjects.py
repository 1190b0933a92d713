"""The subjects: this package, code by hand in Polars, and other libraries.

    python -m benchmarks.subjects NAME JOB

Runs one subject on one job, from the files to the means, and prints the measurements as JSON. Every measurement runs in
its own process, so that none uses memory, threads or caches of another. A subject is a function that imports what it
needs and returns the work. Only the work is timed, and only the subject's imports are in its memory.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True)
class Job:
    """An evaluation to measure.

    Attributes:
        run: the parquet file of the run.
        qrels: the parquet file of the qrels; None if the run holds the labels.
        metrics: the names of metrics, each with one cutoff or none: "recall@10", "rr".
        memory_limit: DuckDB's memory limit.
        folder: the folder where DuckDB may spill.
        options: further arguments of `evaluate`: `rank`, or several columns as `score`.
        threads: DuckDB's threads; None for one per core. Polars reads them from the environment: see `use_threads`.
    """

    run: str
    qrels: str | None
    metrics: list[str]
    memory_limit: str
    folder: str
    options: Mapping[str, Any] = field(default_factory=dict)
    threads: int | None = None

    @property
    def cutoffs(self) -> list[tuple[str, str, int | None]]:
        """The name, metric and cutoff of each metric: ("recall@10", "recall", 10)."""
        parts = [(name, *name.partition("@")) for name in self.metrics]
        return [(name, metric, int(k) if k else None) for name, metric, _, k in parts]

    @property
    def depth(self) -> int | None:
        """The deepest cutoff; None if a metric uses the whole list."""
        cutoffs = [k for _, _, k in self.cutoffs]
        return None if None in cutoffs else max(k for k in cutoffs if k is not None)


def use_threads(threads: int | None) -> None:
    """Limit the threads of Polars, here and in processes that this one starts; call it before Polars is imported."""
    if threads is not None:
        os.environ["POLARS_MAX_THREADS"] = str(threads)


Values = dict[str, float]
Work = Callable[[Job], Values]


@dataclass(frozen=True)
class Subject:
    """A package or program to measure.

    Attributes:
        prepare: imports what it needs and returns the work.
        packages: the packages to install in addition to this package and DuckDB.
        shapes: the runs that it accepts: with "scores", "ranks" or "labels".
        metrics: the metrics that it defines as we do; None means all.
        most_rows: the largest number of rows that it is measured on, because more take too long.
        is_exact: True if it orders equal scores by item, as we do; otherwise their order is arbitrary.
    """

    prepare: Callable[[], Work]
    packages: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ("scores",)
    metrics: tuple[str, ...] | None = None
    most_rows: int | None = None
    is_exact: bool = True

    def computes(self, name: str) -> bool:
        """Return True if it has that metric; "rr@" means rr at any cutoff, "rr" means rr of the whole list."""
        metric, at, _ = name.partition("@")
        return self.metrics is None or metric + at in self.metrics


# --- this package -----------------------------------------------------------------------------------------------------


def ours() -> Work:
    """Prepare `evaluate` on a connection in memory with the limit and the threads of the job."""
    import duckdb

    from recall_duckdb import evaluate

    def work(job: Job) -> Values:
        threads = {} if job.threads is None else {"threads": job.threads}
        spill = f"{job.folder}/spill"
        with duckdb.connect(
            config={"memory_limit": job.memory_limit, "temp_directory": spill, **threads}
        ) as connection:
            result = evaluate(job.run, job.qrels, job.metrics, connection=connection, **job.options)
            rows = result.means.fetchall()
        return {metric if k is None else f"{metric}@{k}": value for _, metric, k, value, _ in rows}

    return work


# --- written by hand in Polars ----------------------------------------------------------------------------------------


def in_polars() -> Work:
    """Prepare the fastest code that we found: it joins the top of each query's list to the qrels."""
    import polars as pl

    def work(job: Job) -> Values:
        # Sort only within a query's aggregate, and return only the top from it.
        def top(column: str) -> polars.Expr:
            ordered = pl.col(column).sort_by(["score", "item"], descending=[True, True])
            return ordered if job.depth is None else ordered.head(job.depth)

        def exploded(lists: polars.LazyFrame, column: str) -> polars.LazyFrame:
            ranks = pl.int_ranges(1, pl.col(column).list.len() + 1)
            return lists.with_columns(rank=ranks).select("query", column, "rank").explode(column, "rank")

        run = pl.scan_parquet(job.run)
        if job.qrels is None:
            lists = run.group_by("query").agg(top("relevance").alias("shown"), **_ideal(job))
            judged = lists.drop("shown")
            hits = exploded(lists, "shown").filter(pl.col("shown") > 0).rename({"shown": "relevance"})
        else:
            qrels = pl.scan_parquet(job.qrels)
            judged = qrels.group_by("query").agg(**_ideal(job))
            if "rank" in job.options:
                ranked = run if job.depth is None else run.filter(pl.col("rank") <= job.depth)
            else:
                ranked = exploded(run.group_by("query").agg(top("item")), "item")
            hits = ranked.join(qrels, on=["query", "item"])  # all judged items are relevant
        found = hits.group_by("query").agg(**_sums(job))
        means = judged.join(found, on="query", how="left").select(**_means(job))
        row: Values = means.collect(engine="streaming").row(0, named=True)
        return row

    return work


def _ideal(job: Job) -> dict[str, polars.Expr]:
    """Return, for a judged query, the number of relevant items and the DCG of their best order."""
    import polars as pl

    relevance = pl.col("relevance")
    best = relevance.sort(descending=True)
    columns = {"relevant": (relevance > 0).sum()}
    for name, metric, k in job.cutoffs:
        if metric == "ndcg":
            gains = best if k is None else best.head(k)
            columns[f"ideal {name}"] = (gains / (gains.cum_count() + 1).log(2)).sum()
    return columns


def _sums(job: Job) -> dict[str, polars.Expr]:
    """Return, for a query, the sum over its relevant items at each cutoff."""
    import polars as pl

    rank = pl.col("rank")
    ordered = rank.sort()
    columns = {}
    for name, metric, k in job.cutoffs:
        within = rank <= k if k is not None else pl.lit(value=True)
        if metric == "recall":
            columns[name] = rank.len() if k is None else within.sum()
        elif metric == "ndcg":
            columns[name] = (pl.col("relevance") / (rank + 1).log(2)).filter(within).sum()
        elif metric == "ap":
            precision = ordered.cum_count() / ordered
            columns[name] = (precision if k is None else precision.filter(ordered <= k)).sum()
        elif metric == "rr":
            columns[name] = 1 / (rank if k in (None, job.depth) else rank.filter(within)).min()
    return columns


def _means(job: Job) -> dict[str, polars.Expr]:
    """Return the means over all judged queries. A query with no relevant or no retrieved item counts 0."""
    import polars as pl

    columns = {}
    for name, metric, _ in job.cutoffs:
        divisor = {"ndcg": pl.col(f"ideal {name}"), "rr": pl.lit(1)}.get(metric, pl.col("relevant"))
        columns[name] = (pl.col(name) / divisor).fill_nan(0).fill_null(0).mean()
    return columns


# --- libraries --------------------------------------------------------------------------------------------------------


def ranked_frames(job: Job) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Return the run down to the deepest cutoff, with ranks, and the qrels."""
    import pandas as pd

    run = pd.read_parquet(job.run).sort_values(["query", "score", "item"], ascending=[True, False, False])
    run["rank"] = run.groupby("query").cumcount() + 1
    return (run if job.depth is None else run[run["rank"] <= job.depth]), pd.read_parquet(job.qrels)


def text_frames(job: Job, names: Mapping[str, str]) -> list[pandas.DataFrame]:
    """Return run and qrels with renamed columns and text ids, which most libraries require."""
    import pandas as pd

    frames = [pd.read_parquet(path).rename(columns=names) for path in (job.run, job.qrels)]
    for frame in frames:
        for column in (names["query"], names["item"]):
            frame[column] = pd.Series(list(map(str, frame[column].tolist())), dtype=object)
    return frames


def pytrec_eval() -> Work:
    """Prepare trec_eval in Python. Its recip_rank has no cutoff."""
    import numpy as np
    import pandas as pd  # which is not measured
    import pyarrow as pa  # noqa: F401
    import pytrec_eval

    measures = {"recall": "recall", "ndcg": "ndcg_cut", "ap": "map_cut"}

    def nested(path: str | None, column: str) -> dict[str, dict[str, Any]]:
        frame = pd.read_parquet(path)
        held: dict[str, dict[str, Any]] = {}
        columns = (map(str, frame["query"].tolist()), map(str, frame["item"].tolist()), frame[column].tolist())
        for query, item, value in zip(*columns, strict=True):
            held.setdefault(query, {})[item] = value
        return held

    def work(job: Job) -> Values:
        names = {name: "recip_rank" if metric == "rr" else f"{measures[metric]}_{k}" for name, metric, k in job.cutoffs}
        asked = {"recip_rank" if name == "recip_rank" else ".".join(name.rsplit("_", 1)) for name in names.values()}
        qrels = nested(job.qrels, "relevance")
        per_query = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(nested(job.run, "score"))
        # A query missing from the run is not in its result, but counts in the mean.
        return {
            name: float(np.sum([values[measure] for values in per_query.values()]) / len(qrels))
            for name, measure in names.items()
        }

    return work


def ir_measures() -> Work:
    """Prepare ir_measures with its default providers. Its provider of RR@k orders ties differently."""
    import ir_measures as library
    import pyarrow as pa  # noqa: F401

    names = {"recall": "R", "ndcg": "nDCG", "ap": "AP", "rr": "RR"}
    columns = {"query": "query_id", "item": "doc_id"}

    def work(job: Job) -> Values:
        run, qrels = text_frames(job, columns)
        measures = {
            library.parse_measure(names[metric] + ("" if k is None else f"@{k}")): name
            for name, metric, k in job.cutoffs
        }
        means = library.calc_aggregate(list(measures), qrels, run)
        return {measures[measure]: float(value) for measure, value in means.items()}

    return work


def ranx() -> Work:
    """Prepare ranx. Compiling in each process is measured; what ranx caches on disk is compiled only in round one."""
    import pyarrow as pa  # noqa: F401
    from ranx import Qrels, Run, evaluate

    names = {"recall": "recall", "ndcg": "ndcg", "ap": "map", "rr": "mrr"}
    columns = {"query": "q_id", "item": "doc_id"}

    def work(job: Job) -> Values:
        run, qrels = text_frames(job, columns)
        held = (
            Qrels.from_df(qrels, q_id_col="q_id", doc_id_col="doc_id", score_col="relevance"),
            Run.from_df(run, q_id_col="q_id", doc_id_col="doc_id", score_col="score"),
        )
        asked = {names[metric] + ("" if k is None else f"@{k}"): name for name, metric, k in job.cutoffs}
        means = evaluate(*held, list(asked), make_comparable=True)
        means = means if isinstance(means, dict) else {next(iter(asked)): means}
        return {asked[name]: float(value) for name, value in means.items()}

    return work


def rectools() -> Work:
    """Prepare RecTools, which uses ranks. Its NDCG ignores grades, and its MRR requires a cutoff."""
    import pyarrow as pa  # noqa: F401
    from rectools.metrics import MAP, MRR, Recall, calc_metrics

    kinds = {"recall": Recall, "ap": MAP, "rr": MRR}

    def work(job: Job) -> Values:
        run, qrels = (frame.rename(columns={"query": "user_id", "item": "item_id"}) for frame in ranked_frames(job))
        return dict(calc_metrics({name: kinds[metric](k=k) for name, metric, k in job.cutoffs}, run, qrels))

    return work


ALL_SHAPES = ("scores", "ranks", "labels")
FEW = 1_000_000
SUBJECTS = {
    "ours": Subject(ours, shapes=ALL_SHAPES),
    "polars": Subject(in_polars, ("polars",), ALL_SHAPES),
    "pytrec_eval": Subject(
        pytrec_eval, ("pytrec-eval-terrier",), metrics=("recall@", "ndcg@", "ap@", "rr"), most_rows=FEW
    ),
    "ir_measures": Subject(ir_measures, ("ir-measures",), most_rows=FEW, is_exact=False),
    "ranx": Subject(ranx, ("ranx",), most_rows=FEW, is_exact=False),
    "RecTools": Subject(rectools, ("rectools",), metrics=("recall@", "ap@", "rr@"), most_rows=FEW),
}


# --- one measurement --------------------------------------------------------------------------------------------------


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and its threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak_mb() -> float:
    """Return the peak resident memory of this process, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss would start from the parent process's value
        [line] = [line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def measure(subject: Subject, job: Job) -> dict[str, Any]:
    """Return the seconds, megabytes and values of one run, or the reason why there are none."""
    try:
        work = subject.prepare()
    except ModuleNotFoundError as error:
        return {"missing": error.name}
    imported, before, start = peak_mb(), cpu_seconds(), time.perf_counter()
    try:
        values = work(job)
    except Exception as error:  # the table reports any error of a library
        return {
            "failed": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}" if str(error) else repr(error)
        }
    return {
        "wall": time.perf_counter() - start,
        "cpu": cpu_seconds() - before,
        "peak": peak_mb(),
        "imported": imported,
        "values": values,
    }


if __name__ == "__main__":
    print(json.dumps(measure(SUBJECTS[sys.argv[1]], Job(**json.loads(sys.argv[2])))))
