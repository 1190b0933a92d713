"""Composes the statement that `sql` and `Result.sql` return, before the rewrites of its dialect."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from recall_duckdb.compose.plain import write_plainly
from recall_duckdb.compose.plan import Plan, Replacements
from recall_duckdb.compose.shortening import items, shorten
from recall_duckdb.compose.statement import Statement
from recall_duckdb.definitions import folding, trees
from recall_duckdb.definitions.trees import branches
from recall_duckdb.dialects import Dialect, add_head, find_dialect
from recall_duckdb.dialects.values import numbers_without_casts

POOL, PER_QUERY, MEANS = "unjudged items for", "values per query of", "means of"


def for_readers(plan: Plan, dialect: str, *, selects: str = MEANS, sums: str = "plain") -> exp.Query:
    """Return the statement of a plan, with a comment at its head; `selects` says what it selects of the metrics."""
    record = find_dialect(dialect)
    if not record.joins_fill_nulls:  # there, a plain number without a match in a join is 0
        sums = "exact"
    plan = replace(plan, sums=sums)
    if plan.is_of_ours:
        plan = replace(plan, replacements=_replacements(plan, record))
    composed = Statement(plan)
    if selects == POOL:
        statement: exp.Query = composed.of_pool()
    elif selects == PER_QUERY:
        statement = composed.of_per_query()
    elif sums == "plain" or len(plan.metrics) == 1:
        statement = composed.of_readable_means(
            unpivots=record.has_unpivot and sums == "plain", repeats_relations=record.repeats_relations
        )
    else:
        statement = composed.of("means")
    _read_files(statement)
    of_user = [(each, each.this.pop()) for each in trees.find(statement, exp.Subquery) if trees.is_of_user(each)]
    if plan.is_of_ours:
        _read_models(statement, plan, repeats_relations=record.repeats_relations)
        shorten(statement, joins_fill_nulls=record.joins_fill_nulls)
        _count_once(statement)
        _name_slices(statement, has_names=record.has_unpivot and plan.variant("averages") == "whole")
    if sums == "plain":
        for number, select in enumerate(branches(statement) if selects == MEANS else []):
            select.comments = None  # the names of the columns say what it is
            if number:  # a UNION has the names of its first SELECT
                select.set("expressions", [each.unalias() for each in select.expressions])
        write_plainly(statement, divides_as_doubles=record.divides_as_doubles, is_of_ours=plan.is_of_ours)
    numbers_without_casts(statement, everywhere=record.numbers_are_doubles and sums == "plain")
    for subquery, query in of_user:  # stays as the user wrote it
        subquery.set("this", query)
    add_head(statement, composed.head(selects), dialect)
    return statement


def _count_once(statement: exp.Query) -> None:
    """Count rows, in place, where each query has a value, and those of the averages once."""
    columns = {cte.alias: cte.this.expressions for cte in statement.ctes}
    filled = {each.alias for each in columns.get("per_query", ()) if isinstance(each.unalias(), exp.Coalesce)}
    for column in [each for each in trees.find(statement, exp.Column) if each.name in filled]:
        if column.parent_select is None or items(column.parent_select)[0].name != "per_query":
            continue
        if isinstance(column.parent, exp.Count):
            column.replace(exp.Star())
        elif isinstance(column.parent, exp.Is):
            folding.settle(column.parent, exp.false())
    counts = [each for each in columns.get("averages", ()) if isinstance(each.this, exp.Count)]
    if len(counts) < 2 or any(each.this.this != exp.Star() for each in counts):
        return
    names = {each.alias for each in counts}
    counts[0].set("alias", exp.to_identifier("queries"))
    for each in counts[1:]:
        each.pop()
    for column in trees.find(statement, exp.Column):
        if column.name in names and not column.this.quoted:
            column.set("this", exp.to_identifier("queries"))
    for case in trees.find(statement, exp.Case):
        if all(each.args["true"] == trees.column("queries") for each in case.args["ifs"]):
            case.replace(trees.column("queries"))


def _name_slices(statement: exp.Query, *, has_names: bool) -> None:
    """Name the slices of averages as those of queries: Spark's HAVING reads a column under its own name alone."""
    for name in trees.find(statement, exp.Identifier) if has_names else []:
        if name.name.startswith("level_") and not name.quoted:
            name.set("this", name.name.removeprefix("level_"))


def _read_files(statement: exp.Query) -> None:
    """Read, in place, files instead of the stored tables that hold their rows."""
    for table in trees.find(statement, exp.Table):
        if (files := trees.mark_of(table, "files")) is not None:
            reader = trees.of_user(files)
            reader.set("alias", table.args.get("alias") or reader.args.get("alias"))
            table.replace(reader)


def _replacements(plan: Plan, record: Dialect) -> Replacements:
    """Return the files that leave out what only an evaluation reads."""
    variants, inputs = {"retrieved": "counted", "weighted": "unscaled" if plan.sums == "plain" else ""}, plan.inputs
    of_queries = not any(metric.template.of_whole_run for metric in plan.metrics)
    if plan.sums == "plain" and inputs.by and record.has_grouping_sets and of_queries and not inputs.of_items:
        variants["averages"] = "whole"
    return Replacements(variants)


def _read_models(statement: exp.Query, plan: Plan, *, repeats_relations: bool) -> None:
    """Read the models, in place, from the top of the lists, or from the run if that would be ranked once more."""
    readers = [
        each for each in trees.find(statement, exp.Table) if each.name == "models" and not trees.is_of_user(each)
    ]
    cte = next((cte for cte in statement.ctes if cte.alias == "models"), None)
    for table in readers:
        select = table.parent_select
        join = select.args["joins"][0] if select is not None else None
        if join is not None and plan.has_models and join.this.name.startswith("ideal"):
            table.comments = [" each model has each judged query, even one without results "]
        elif join is not None and not plan.has_models:  # a single row, which nothing reads
            table.replace(join.this)
            join.pop()
    if cte is not None and plan.has_models and plan.variant("models") == "retrieved":
        keeps_top = plan.depth is not None and plan.variant("ranked") not in ("expected", "given")
        is_whole = repeats_relations and keeps_top and plan.resolve("candidates") == "run"
        models = exp.select(exp.alias_(trees.column("model"), "model")).from_("run" if is_whole else "ranked")
        if plan.sums == "plain" and len(readers) == 1:
            said, subquery = readers[0].comments, models.distinct().subquery("models")
            readers[0].replace(subquery)
            subquery.comments = said
            cte.pop()
        else:
            models.comments = cte.this.comments
            cte.set("this", models.group_by(trees.column("model")))
