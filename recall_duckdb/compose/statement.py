"""Composes a statement: fills in the templates that a question needs, and joins them in one WITH."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from recall_duckdb.compose.composer import Composer, metrics_relation, rename_output, select_from_user, stand_ins_of
from recall_duckdb.compose.kept import with_paths_as_parameters
from recall_duckdb.compose.levels import LEVEL, add_levels, levels_of
from recall_duckdb.compose.lists import ROW, ListForm, Lists, graded_columns, name_fields, with_columns
from recall_duckdb.compose.plan import Plan
from recall_duckdb.definitions import reading, templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Copy, Value
from recall_duckdb.engines import OWN_TABLE
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import CHOICES, Policies
from recall_duckdb.reading import SourceSelect
from recall_duckdb.reading.columns import apart_from, canonical_names, users_names

_MANY_SOURCES = 20  # with more, the text is long, and running it takes longer than writing it
_OF_COLUMNS = ("order", "ranks", "ids")  # policies that are applied when the user's columns are read
_SIDES = ("", "level_", "item_", "query_", "type_of_", "listed_")  # before the names of slice columns
# Before the names of columns of the query, in checks that compare the queries of two relations.
_QUERY_SIDES = ("", "plain_", "judged_", "excluded_", "difference_of_", "type_of_", "listed_")


def name_under(judging: int, name: str) -> str:
    """Return the name of a relation, or a column, under a judging; the first judging keeps the name."""
    return name if judging == 0 else f"{name}_{judging + 1}"


@dataclass
class Statement(Composer):
    """Composes one statement for a plan.

    Attributes:
        bound: relations that are read as they are, not computed.
    """

    plan: Plan
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._asked: set[str] = set()  # the relations that templates of the statement name, also those that are skipped
        self._unpivoted: list[Copy] = []  # the value of every metric, if UNPIVOT makes a row of each
        self._filled: dict[str, set[str]] = {}  # the parameters of the templates that were filled in, by relation

    def with_parameters(self) -> tuple[Statement, list[str]] | None:
        """Return the statement with the paths of parquet files as parameters, and these: other files share its text.

        Returns None, so that its text is not kept, for metrics of the user, whose file may change, for tables stored on
        a connection of the user, which have another name each time, and for many sources.
        """
        many = sum(map(len, self.plan.inputs.selects.values())) > _MANY_SOURCES
        is_named = all(isinstance(each, exp.Table) and each.name.startswith(OWN_TABLE) for each in self.bound.values())
        if many or not is_named or not self.plan.is_of_ours:
            return None
        plan, paths = with_paths_as_parameters(self.plan)
        return replace(self, plan=plan), paths

    def of(self, relation: str) -> exp.Select:
        """Return the statement that selects a relation of the pipeline, with the user's column names."""
        return self._with(self._with_names(self._fill_template(self._template(relation))))

    def of_answer(self, relations: Iterable[str], checks: Sequence[Template]) -> exp.Select:
        """Return the statement that selects the means of each model and slice, and the columns of other relations.

        Each metric has two columns, as in averages. The others are aggregates of per_query, such as counts; then
        `faults`, the rows that checks find.
        """
        tree = self._fill_template(self._template("averages"))
        for relation in relations:
            template = self._template(relation)
            select = self._fill(template.tree(*self.plan.arithmetic), template)
            trees.bind(select, self.plan.values())
            for projection in select.expressions:
                if projection.alias_or_name != "model":
                    tree.append("expressions", projection)
        if checks:
            counts = trees.union_all(self._fault_counts(checks)).subquery("counts", copy=False)
            faults = exp.select(exp.Sum(this=exp.column("faults"))).from_(counts)
            tree.append("expressions", exp.alias_(faults.subquery(copy=False), "faults", copy=False))
        slices = canonical_names("level_slice", len(self.plan.inputs.by))
        keys = [*(["model"] if self.plan.has_models else []), "is_slice", *slices]
        return self._with(tree.order_by(*trees.ascending(keys), copy=False))

    def of_readable_means(self, *, unpivots: bool, repeats_relations: bool) -> exp.Query:
        """Return the statement that selects the means, with the user's column names.

        Args:
            unpivots: whether the engine has UNPIVOT, which takes metrics of one cutoff.
            repeats_relations: as of a dialect; if it does not, a SELECT for each metric reads the averages.
        """
        metrics, copies, inputs = self.plan.metrics, self._metric_copies(), self.plan.inputs
        are_alike = len({(metric.k, metric.mean) for metric in metrics}) == 1 and metrics[0].mean != "whole"
        if unpivots and are_alike and len(metrics) > 1 and self.plan.policies.empty == "error":
            names = {"value": "metric_value", "value_mean": "mean", "value_queries": "queries"}
            copies = self._unpivoted = [(names, copies[0][1])]
        elif repeats_relations and len(metrics) > 1:
            tree = self.of("means")
            order = [each for each in tree.args["order"].expressions if each.this.name != LEVEL]
            tree.set("order", exp.Order(expressions=order))
            return tree
        template = templates.relations()["means"]["stacked" if inputs.by else "direct"]
        parts = []
        for metric, (columns, values) in zip(metrics, copies, strict=not self._unpivoted):
            tree = template.tree(*self.plan.arithmetic)
            k = exp.cast(exp.null(), "BIGINT") if metric.k is None else trees.literal(metric.k)
            name = trees.column("metric") if self._unpivoted else metric.name
            trees.bind(tree, {"metric_name": name, "cutoff": k, **self.plan.values()})
            trees.repeat(tree, {key: [(columns, values)] for key in ("value", "value_mean", "value_queries")})
            for each, name in zip(tree.expressions[-2:], ("value", "queries"), strict=True):
                each.replace(exp.alias_(each.unalias(), name))
            if self._unpivoted and not inputs.by:
                self._unpivot(tree)
            parts.append(self._with_names(self._fill(tree, template)))
        slices = [exp.column(trees.as_given(name, looked_up=inputs.looked_up)) for name in inputs.by]
        keys = [trees.column("model")] if self.plan.has_models else []
        others = map(trees.column, ["metric"] if self._unpivoted else ["metric", "k"] if len(parts) > 1 else [])
        order = [*keys, *(exp.Ordered(this=each, desc=False, nulls_first=True) for each in slices), *others]
        statement = self._with(trees.union_all(parts))
        return statement.order_by(*order, copy=False) if order else statement

    def _unpivot(self, tree: exp.Select) -> None:
        """Let a SELECT that groups the values of queries group those of each metric, in an engine that has UNPIVOT."""
        named = [(trees.column(each.column), exp.to_identifier(each.name, quoted=True)) for each in self.plan.metrics]
        columns = [exp.PivotAlias(this=column, alias=name) for column, name in named]
        metrics = exp.In(this=exp.to_identifier("metric"), expressions=columns)
        pivot = exp.Pivot(expressions=[exp.to_identifier("metric_value")], fields=[metrics], unpivot=True)
        pivot.set("include_nulls", True)
        tree.args[trees.FROM].this.set("pivots", [pivot])
        tree.group_by("metric", copy=False)

    def of_per_query(self, *, metric_names: bool = False) -> exp.Select:
        """Return the statement that selects the values of each query, with the user's column names.

        Columns of metrics are named as in recall_at_10 or, with `metric_names`, as in recall@10.
        """
        inputs = self.plan.inputs
        model = trees.column("model") if self.plan.has_models else trees.literal(inputs.one_model)
        users = users_names(inputs.query)
        users |= {ours: theirs for ours, theirs in users_names((), inputs.by).items() if theirs not in inputs.query}
        metrics = [metric for metric in self.plan.metrics if not metric.template.of_whole_run]
        users |= {metric.column: str(metric) if metric_names else metric.column for metric in metrics}
        columns = {"model": model, **{name: trees.column(name) for name in users}}
        selected = [
            exp.alias_(column, trees.as_given(users.get(name, name), looked_up=inputs.looked_up))
            for name, column in columns.items()
        ]
        keys = [*(["model"] if self.plan.has_models else []), *canonical_names("query", len(inputs.query))]
        keys += ["item_slice_no"] if inputs.of_items else []
        return self._finish(exp.select(*selected).from_("per_query").order_by(*trees.ascending(keys)))

    def head(self, selects: str = "means of") -> list[str]:
        """Return the lines of the comment at the head of the composed statement, which selects this of the metrics."""
        policies = {name: value for name, value in self.plan.policies.settings().items() if value is not None}
        applied = {name for name in policies if name != "ranks" or self.plan.inputs.run_shape == "ranks"}
        unchecked = [name for name, value in policies.items() if value == "error" and name in applied]
        if self.plan.policies.ids == "typed" and not self.plan.inputs.looked_up:
            del policies["ids"]
            unchecked.append("types of ids")
        texts = [f"{name}={value}" for name, value in policies.items() if value != "error" and self._depends_on(name)]
        others = [name for name in self.plan.inputs.selects if name not in ("run_source", "qrels_source", "labelled")]
        return [
            f"{selects} {', '.join(map(str, self.plan.metrics))}{' with ' if others else ''}{' and '.join(others)}",
            f"policies: {', '.join(texts)}",
            f"not checked here: {', '.join(unchecked)} and other faults; run recall_duckdb's check",
        ]

    def _depends_on(self, policy: str) -> bool:
        """Return True if another value of a policy changes the composed statement."""
        settings = self.plan.policies.settings()  # a number has no other value than none
        others = (Policies(**{**settings, policy: other}) for other in CHOICES.get(policy, (None,)))
        differs = (self._differs(replace(self.plan, policies=each)) for each in others if each != self.plan.policies)
        return policy in _OF_COLUMNS or any(differs)

    def _differs(self, other: Plan) -> bool:
        """Return True if a question needs another statement, because its relations or parameters are others."""
        plan, settings, others = self.plan, self.plan.policies.settings(), other.policies.settings()
        values, other_values = plan.values(), other.values()
        read = set().union(*self._filled.values(), *(metric.template.parameters for metric in self.plan.metrics))
        return (
            any(plan.resolve(name) != other.resolve(name) for name in self._asked)
            or any(plan.variant(name) != other.variant(name) for name in self._filled)
            or any(values.get(name) != other_values.get(name) for name in read)
            or any(metric.values(settings) != metric.values(others) for metric in self.plan.metrics)
        )

    def of_pool(self) -> exp.Select:
        """Return the statement that selects the unjudged items that a metric reads, with the user's column names."""
        queries = canonical_names("query", len(self.plan.inputs.query))
        order = trees.ascending((*queries, "best_rank", "item"))
        pool = exp.alias_(exp.to_table("pool"), "unjudged", table=True)
        return self._finish(self._of_items(pool, [*queries, "item"], ["best_rank", "models"], order))

    def of_explanation(
        self, queries: Sequence[Sequence[exp.Expr]], settings: Mapping[str, Value], query_columns: bool
    ) -> exp.Select:
        """Return the statement that selects the items of queries in the lists of two models."""
        template = templates.comparisons()["explained"][""]
        tree, keys = template.tree(), canonical_names("query", len(self.plan.inputs.query))
        trees.bind(tree, settings)
        for condition in trees.find(tree, exp.EQ):
            if "query_value" in trees.parameters(condition):
                condition.replace(trees.any_of(keys, queries))
        self._fill(tree, template)
        order = tree.args["order"].pop().expressions
        others = tree.named_selects[len(keys) + 1 :]
        shown = [*(keys if query_columns else []), "item"]
        return self._with(self._of_items(tree.subquery("explained"), shown, others, order))

    def _of_items(
        self, relation: exp.Expr, keys: Sequence[str], others: Sequence[str], order: Sequence[exp.Expr]
    ) -> exp.Select:
        """Return the SELECT of a relation of queries and items: keys under the user's names, then our own columns."""
        inputs, name = self.plan.inputs, relation.alias
        users = {**users_names(inputs.query), "item": inputs.user_names["item"]}
        theirs = [trees.as_given(users[key], looked_up=inputs.looked_up) for key in keys]
        ours = map(trees.as_given, apart_from([each.name for each in theirs], others))
        columns = [
            exp.alias_(exp.column(column, name), shown)
            for column, shown in zip((*keys, *others), (*theirs, *ours), strict=True)
        ]
        for column in (each for ordered in order for each in trees.find(ordered, exp.Column)):
            column.set("table", exp.to_identifier(name))  # an alias of the SELECT may have the column's name
        return exp.select(*columns).from_(relation).order_by(*order)

    def of_table(self, relation: str, judging: int = 0) -> exp.Select:
        """Return the statement that selects a relation of the pipeline, with canonical column names."""
        return self._with(self._fill_template(self._template(relation), judging))

    def of_metric(self, metric: Metric) -> exp.Select:
        """Return the statement that selects the values of a metric as its file gives them, before any cast."""
        name = "measured" if metric.template.is_plain else metric.column
        return self._finish(exp.select(f"{metric.column}_raw").from_(name_under(self.plan.judging_no(metric), name)))

    def of_check(self, check: Template, most: int | None = None) -> exp.Select:
        """Return the statement that selects the offending rows of a check, sorted, or the first of them.

        They have canonical column names.
        """
        tree = self._check(check)
        order = [exp.Ordered(this=trees.column(name), desc=False) for name in tree.named_selects]
        tree = tree.order_by(*order, copy=False)
        return self._with(tree if most is None else tree.limit(most, copy=False))

    def of_checks(self, checks: Sequence[Template]) -> exp.Query:
        """Return the statement that counts the offending rows of checks: a row of name and count for each."""
        return self._with(trees.union_all(self._fault_counts(checks)))

    def _fault_counts(self, checks: Sequence[Template]) -> list[exp.Select]:
        names = [exp.alias_(trees.literal(check.name), "check_name") for check in checks]
        rows = [self._check(check).subquery("rows", copy=False) for check in checks]
        faults = exp.alias_(exp.Count(this=exp.Star()), "faults")
        return [exp.select(name, faults.copy()).from_(each, copy=False) for name, each in zip(names, rows, strict=True)]

    def of_counts(self, relations: Sequence[str]) -> exp.Query:
        """Return the statement that counts the rows of relations: relation, model or NULL for all, and rows."""
        counts = []
        for relation in relations:
            by_model = self.plan.has_models and relation in ("run", "candidates")
            model = trees.column("model") if by_model else exp.null()
            columns = {"relation": trees.literal(relation), "model": model, "rows": exp.Count(this=exp.Star())}
            tree = exp.select(*(exp.alias_(each, name) for name, each in columns.items())).from_(relation)
            counts.append(tree.group_by("model") if by_model else tree)
            self._need(counts[-1])
        return self._with(trees.union_all(counts))

    def _check(self, check: Template) -> exp.Select:
        tree = check.tree()
        trees.bind(tree, self.plan.values())
        self._drop_joins(tree)
        return self._fill(tree, check)

    def _materialized(self, name: str) -> bool | None:
        """Return as `Composer` does: an input is read in place each time."""
        inputs = {"run", "qrels", *self.plan.inputs.selects}
        if name not in inputs:
            return super()._materialized(name)
        # An input that is read once is still read twice if another input that is read twice reads it.
        return False if any(self._counts.get(each, 0) > 1 for each in inputs) else None

    def _template(self, relation: str) -> Template:
        return templates.relations()[relation][self.plan.variant(relation)]

    def _resolve(self, name: str) -> str:
        self._asked.add(name)
        return self.plan.resolve(name)

    def _relation(self, name: str) -> exp.Expr:
        selects = self.plan.inputs.selects
        if name in selects or name == "given_run":
            plan = self.plan if name in selects else self.plan.keeping_all_rows()
            self._filled["source"] = templates.relations()["source"][""].parameters
            return Statement(plan)._source(selects[name if name in selects else self.plan.resolve("run_source")])
        if name == "metrics":
            return metrics_relation((metric.name, metric.k) for metric in self.plan.metrics)
        if name == "named_models":
            models = self.plan.inputs.models or self.plan.known_models or []
            return trees.union_all([exp.select(exp.alias_(trees.literal(model), "model")) for model in models])
        for relation in reading.per_judging():
            for judging in range(len(self.plan.judgings)):
                if name == name_under(judging, relation):
                    return self._fill_template(self._template(relation), judging)
        metric = next((metric for metric in self.plan.metrics if metric.column == name), None)
        if metric is not None:
            return self._own_metric(metric)
        return self._fill_template(self._template(name))

    def _source(self, selects: list[SourceSelect]) -> exp.Expr:
        parts: list[exp.Select] = []
        for select in selects:
            columns = {"name": select.names, "number": select.numbers, "extra": select.extras}
            tree = select_from_user("source", select.relation, columns, *self.plan.arithmetic)
            trees.bind(tree, self.plan.values())
            parts.append(tree)
        return trees.union_all(parts)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        tree = template.tree(*self.plan.arithmetic)
        self._filled[template.name] = template.parameters
        in_lists = template.stage == templates.LISTS
        if template.name == "per_query" and not in_lists:
            self._join_metrics(tree)
        elif in_lists and template.name != "per_query":
            self._count_relevant(tree)
            trees.repeat(tree, {"relevant_items": self._relevant_copies})
        if template.parameters:
            trees.bind(tree, self.plan.values(self.plan.judgings[judging]))
        self._drop_joins(tree)
        if template.name == "qrels" and self.plan.inputs.by_side != "qrels":
            trees.repeat(tree, {"slice": []})  # another relation holds the slice columns
        if self.plan.carries_slices:
            self._carry_slices(tree, template.name)
        if self._unpivoted and template.name == "averages":
            tree.set("expressions", [tree.expressions[0], trees.column("metric"), *tree.expressions[1:]])
            trees.repeat(tree, dict.fromkeys(("value", "value_mean", "value_queries"), self._unpivoted))
            self._unpivot(tree)
        self._fill(tree, template, judging)
        if template.variant == "whole" and self.plan.inputs.by:
            keys = [*(["model"] if self.plan.has_models else []), *(["metric"] if self._unpivoted else [])]
            add_levels(tree, keys, self._levels)
        if template.name == "measured" and in_lists:
            self._measure_lists(tree)
        elif template.name == "measured":
            self._measure(tree, judging)
        return tree

    def _drop_joins(self, tree: exp.Select) -> None:
        """Remove the joins with relations of which no column is read: each has at most one row for a key."""
        relations = templates.relations()
        joins = [join for join in trees.find(tree, exp.Join) if join.side == "LEFT" and join.this.name in relations]
        if joins:
            absent = {name for name, copies in self._stand_ins.items() if not copies}
            read = {column.name for column in trees.find(tree, exp.Column)} - absent
            for join in joins:
                variants = relations[join.this.name].values()  # all have the same columns
                columns = {name for template in variants for name in template.named_selects}
                if read.isdisjoint(columns - {key.name for key in join.args["using"]}):
                    join.pop()

    def _carry_slices(self, tree: exp.Select, name: str) -> None:
        """Read the slice of a query with its judged items, instead of in a relation of its own."""
        for select in trees.find(tree, exp.Select) if name in ("graded", "ideal", "judged") else ():
            read = exp.alias_(trees.column("slice" if name == "graded" else "query_slice"), "query_slice")
            place = select.named_selects.index("query")
            select.set("expressions", [*select.expressions[: place + 1], read, *select.expressions[place + 1 :]])
        if name == "measured":
            shared = exp.Max(this=trees.column("query_slice"))
            shared.comments = [" all rows of a query have the same "]
            slices = exp.alias_(shared, "slice")
            tree.set("expressions", [*tree.expressions[:-2], slices, *tree.expressions[-2:]])
        if name in ("graded", "ideal", "judged", "measured"):
            trees.repeat(tree, {each: self._stand_ins.get(each, [({}, {})]) for each in ("slice", "query_slice")})
        if name == "per_query":
            next(join for join in trees.find(tree, exp.Join) if join.this.name == "slices").pop()

    def _fill(self, tree: exp.Select, template: Template, judging: int = 0) -> exp.Select:
        """Return a template filled in, which reads the relations of one judging and those that replace others."""
        reads = self.plan.replacements.reads
        for table in trees.find(tree, exp.Table) if reads else []:
            if (template.name, table.name) in reads:
                table.set("this", exp.to_identifier(reads[template.name, table.name]))
        self._judge(tree, judging)
        self._fill_in(tree, template, self.plan.values(self.plan.judgings[judging]), self._stand_ins)
        if len(self.plan.judgings) > 1 and template.name == "per_query":
            trees.repeat(tree, dict.fromkeys(("relevant_items", "relevant"), self._relevant_copies))
        return tree

    def _judge(self, tree: exp.Select, judging: int) -> None:
        """Make a tree read the relations of one judging."""
        for table in trees.find(tree, exp.Table) if judging else []:
            name = self.plan.resolve(table.name)
            if name in reading.per_judging():
                table.set("this", exp.to_identifier(name_under(judging, name)))

    @property
    def _levels(self) -> Sequence[Sequence[str]]:
        return levels_of(self.plan.inputs.slices, len(self.plan.inputs.by))

    @cached_property
    def _stand_ins(self) -> dict[str, list[Copy]]:
        inputs = self.plan.inputs
        has = {
            **dict.fromkeys(("model", "type_of_model"), self.plan.has_models),
            **dict.fromkeys(("query_weight", "listed_query_weight"), self.plan.has("weights")),
            "item_slice_no": inputs.of_items,
            **dict.fromkeys(("repeated_item", "run_queries"), self.plan.variant("retrieved") != "counted"),
        }
        return {
            **{name: [] for name, is_there in has.items() if not is_there},
            **stand_ins_of("query", len(inputs.query), _QUERY_SIDES),
            **stand_ins_of("slice", len(inputs.by), _SIDES),
            **dict.fromkeys(("raw", "value", "value_mean", "value_queries", "listed_value"), self._metric_copies()),
        }

    def _relevant_items(self, judging: int) -> str:
        """Return the name of the column with the number of relevant items under a judging."""
        return "relevant_items" if len(self.plan.judgings) == 1 else f"relevant_items_{judging + 1}"

    @property
    def _relevant_copies(self) -> list[Copy]:
        """A copy of `relevant` for each judging; the first keeps its name."""
        copies: list[Copy] = []
        for number, judging in enumerate(self.plan.judgings):
            names = {"relevant_items": self._relevant_items(number), "relevant": name_under(number, "relevant")}
            copies.append((names, judging.values()))
        return copies

    def _metric_copies(self) -> list[Copy]:
        copies: list[Copy] = []
        for number, metric in enumerate(self.plan.metrics, start=1):
            names = {"raw": f"{metric.column}_raw", "listed_value": f"{metric.column}_listed"}
            names |= {each: each.replace("value", metric.column) for each in ("value", "value_mean", "value_queries")}
            names["relevant_items"] = self._relevant_items(self.plan.judging_no(metric))
            undefined = metric.template.head.get("Empty", "zero")
            copies.append((names, {"metric_no": number, "mean": metric.mean, "undefined": undefined}))
        return copies

    def _measure(self, tree: exp.Select, judging: int) -> None:
        """Replace the stand-in by a projection for each metric that is a plain aggregate of judged."""
        projections = [projection for projection in tree.expressions if projection.alias != "raw"]
        projections[-1].set("alias", exp.to_identifier(self._relevant_items(judging)))

        def aggregate(metric: Metric, values: Mapping[str, Value]) -> exp.Expr:
            definition = metric.template.tree(*self.plan.arithmetic)
            trees.bind(definition, values)
            value: exp.Expr = definition.expressions[-1].this
            return value

        metrics = [metric for metric in self.plan.metrics if metric.template.is_plain]
        projections += self._raw([each for each in metrics if self.plan.judging_no(each) == judging], aggregate)
        tree.set("expressions", projections)

    def _raw(
        self, metrics: Iterable[Metric], value: Callable[[Metric, Mapping[str, Value]], exp.Expr]
    ) -> Iterator[exp.Expr]:
        """Yield the column of each metric; the value of a metric at several cutoffs is made once, and then copied."""
        made: dict[str, exp.Expr] = {}
        for metric in metrics:
            if metric.name not in made:
                settings = {name: each for name, each in self._values(metric).items() if name != "k"}
                made[metric.name] = value(metric, settings)
            projection = exp.alias_(made[metric.name].copy(), f"{metric.column}_raw", copy=False)
            trees.bind(projection, {"k": metric.k})
            yield projection

    def _count_relevant(self, tree: exp.Select) -> None:
        """Repeat the projection that counts the relevant items of a query for each judging."""
        for count in trees.find(tree, exp.Alias):
            if count.alias == "relevant_items" and not isinstance(count.this, exp.Column):
                copies = [count.copy() for _ in self.plan.judgings]
                for number, (copy, judging) in enumerate(zip(copies, self.plan.judgings, strict=True)):
                    copy.set("alias", exp.to_identifier(self._relevant_items(number)))
                    trees.bind(copy, judging.values())
                select = count.parent
                assert isinstance(select, exp.Select)
                others = [each for each in select.expressions if each is not count]
                select.set("expressions", others + copies)

    def _measure_lists(self, tree: exp.Select) -> None:
        """Replace the stand-in by a projection for each metric, an expression over the lists of a query."""
        found, relevances, ideal = map(trees.column, ("found", "relevances", "ideal"))
        lists = Lists(found, relevances, ideal, "relevance", "relevance")
        shared: list[exp.Expr] = []
        forms = [ListForm(lists, self._judged_columns(no), shared) for no in range(len(self.plan.judgings))]
        projections = [projection for projection in tree.expressions if projection.alias != "raw"]

        def of_lists(metric: Metric, values: Mapping[str, Value]) -> exp.Expr:
            return forms[self.plan.judging_no(metric)].value(metric.template, values)

        projections += self._raw(self.plan.metrics, of_lists)
        tree.set("expressions", projections)
        relation = tree.args[trees.FROM]
        needed = forms[0].needed(projections)
        for expression in (*projections, *needed.values()):
            name_fields(expression)
        for name, value in needed.items():
            inner = exp.select(exp.Star(), exp.alias_(value, name, copy=False)).from_(relation.this)
            relation.set("this", inner.subquery("with_list", copy=False))

    def _judged_columns(self, judging: int) -> dict[str, exp.Expr]:
        """Return the columns of judged that a list has, or that its relevance decides."""
        graded = graded_columns(self.plan.values(self.plan.judgings[judging]))
        columns: dict[str, exp.Expr] = {name: exp.column(name, table=ROW) for name in ("rank", "relevance")}
        top = exp.func("list_extract", trees.column("ideal"), trees.literal(1), dialect="duckdb")
        return {
            **columns,
            **{name: with_columns(value, columns) for name, value in graded.items()},
            "is_recommended": trees.literal(1),
            "retrieved": trees.column("recommended"),
            "relevant": trees.column(self._relevant_items(judging)),
            "top_gain": with_columns(graded["gain"], {"relevance": top}),
        }

    def _values(self, metric: Metric) -> dict[str, Value]:
        settings = self.plan.values(self.plan.judgings[self.plan.judging_no(metric)])
        return {**settings, **metric.values(settings)}

    def _own_metric(self, metric: Metric) -> exp.Select:
        """Return a metric that is more than an aggregate over judged, as a relation with its own CTEs."""
        tree = metric.template.tree(*self.plan.arithmetic)
        tree.expressions[-1].set("alias", exp.to_identifier(f"{metric.column}_raw"))
        trees.bind(tree, self._values(metric))
        trees.repeat(tree, {name: self._stand_ins[name] for name in ("model", "query") if name in self._stand_ins})
        self._judge(tree, self.plan.judging_no(metric))
        self._need(tree)
        return tree

    def _join_metrics(self, tree: exp.Select) -> None:
        """Join `measured` of the other judgings, and the metrics that have their own relation."""
        for judging in range(1, len(self.plan.judgings)):
            keys = ("model", "query", "item_slice_no")
            tree.join(name_under(judging, "measured"), using=keys, join_type="inner", copy=False)
        for metric in sorted(self.plan.metrics, key=lambda metric: metric.template.of_whole_run):
            if not metric.template.is_plain:
                tree.join(metric.column, using=metric.template.keys, join_type="left", copy=False)

    def _with_names(self, tree: exp.Select) -> exp.Select:
        inputs = self.plan.inputs
        rename_output(tree, users_names(inputs.query, inputs.by), looked_up=inputs.looked_up)
        if inputs.one_model is not None:
            tree.set("expressions", [exp.alias_(trees.literal(inputs.one_model), "model"), *tree.expressions])
        return tree
