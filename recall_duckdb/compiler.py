"""Composes the statement: the templates that a question needs, filled in and joined into one WITH."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from recall_duckdb import templates, trees
from recall_duckdb.columns import numbered
from recall_duckdb.forms import BY_DEFINITION, WHOLE, Forms, Part
from recall_duckdb.inputs import Inputs, SourceSelect
from recall_duckdb.metrics import Judging, Metric
from recall_duckdb.policies import Policies
from recall_duckdb.templates import Template
from recall_duckdb.trees import Column, Copy, Value

# The relations that do nothing unless one of these inputs was given, and the relation to read instead.
SKIPPED = {"candidates": ("run", ("exclude", "items")), "judgements": ("qrels", ("items",))}
# The relations that are one where the run holds the labels.
LABELLED = ("run_source", "qrels_source")


@dataclass(frozen=True)
class Plan:
    """One question: the inputs, the metrics and the policies, and in which forms it is answered."""

    inputs: Inputs
    metrics: list[Metric]
    policies: Policies
    forms: Forms = BY_DEFINITION
    part: Part = WHOLE  # of what is computed part by part, the part that is meant

    def values(self, judging: Judging | None = None) -> dict[str, Value]:
        """Every parameter of the templates but those of the metrics; of one judging, if the template knows one."""
        judging = judging or self.judgings[0]
        return {**self._shared_values, "threshold": judging.threshold, "gain": judging.gain}

    @cached_property
    def _shared_values(self) -> dict[str, Value]:
        return {
            **self.policies.settings(),
            **(self.forms.packing.parameters if self.forms.packing else {}),
            **self.part.parameters,
            "too_many": self.forms.too_many,
            "min_score": self.policies.lowest_score,
            "depth": self.depth,
            "ideal_depth": self.ideal_depth,
            "largest_k": max((metric.k for metric in self.metrics if metric.k is not None), default=None),
            "sliced": bool(self.inputs.by),
            "qrels": self.inputs.qrels_shape,
            "exclude": self.has("exclude"),
            "items": self.has("items"),
            "weighted": self.has("weights"),
            "max_grade": self.max_grade,
        }

    @property
    def depth(self) -> int | None:
        """How far down a list any metric looks; None: all the way."""
        return _deepest([metric.depth for metric in self.metrics])

    @property
    def ideal_depth(self) -> int | None:
        """How far down the ideal order any metric looks; None: all the way."""
        return _deepest([metric.depth for metric in self.metrics if metric.reads_ideal_order] or [1])

    @cached_property
    def max_grade(self) -> Value:
        """The highest relevance that every metric takes, or None where none has such an option."""
        values = [metric.values(self.policies.settings()).get("max_grade") for metric in self.metrics]
        return min((value for value in values if isinstance(value, (int, float))), default=None)

    @property
    def has_models(self) -> bool:
        """Whether the run has a model column, as it has for several models."""
        return self.inputs.one_model is None

    def has(self, relation: str) -> bool:
        """Whether the user gave this relation."""
        return relation in self.inputs.selects

    @cached_property
    def judgings(self) -> list[Judging]:
        """What the metrics judge by; first the policies' threshold, which says which queries have nothing relevant."""
        threshold = self.policies.threshold
        found = list(dict.fromkeys(metric.judging(threshold) for metric in self.metrics))
        if all(judging.threshold != threshold for judging in found):
            found.append(Judging(threshold))
        return sorted(found, key=lambda judging: (judging.threshold != threshold, judging.gain != "linear"))

    def judging_no(self, metric: Metric) -> int:
        """Which of the judgings a metric has."""
        return self.judgings.index(metric.judging(self.policies.threshold))

    def head(self, *, per_query: bool = False) -> list[str]:
        """What a statement says of itself, in lines."""
        policies = {name: value for name, value in self.policies.settings().items() if value is not None}
        ranks = ["ranks"] if self.inputs.run_shape == "ranks" else []
        unchecked = [*ranks, *(name for name, value in policies.items() if value == "error")]
        kept = [f"{name}={value}" for name, value in policies.items() if value != "error"]
        return [
            f"metrics: {', '.join(map(str, self.metrics))}; {'a row for each query' if per_query else 'their means'}",
            f"policies: {', '.join(kept)}",
            f"not checked here: {', '.join(unchecked)}, missing ids and the like; run recall_duckdb's check first",
        ]

    @property
    def ranked_candidates(self) -> str:
        """The candidates that are ranked: all, those that reach the bar, or those whose order packing left open."""
        return "open_candidates" if self.forms.packing else "contenders" if self.forms.barred else "candidates"

    def by_definition(self) -> Plan:
        """The same question in the forms that every engine runs."""
        return replace(self, forms=BY_DEFINITION)

    def of_part(self, part: Part) -> Plan:
        """The same question of a share of the queries, for the relations that are computed part by part."""
        return replace(self, part=part)

    def called(self, relation: str) -> str:
        """The relation to read when this one is skipped, or the relation itself."""
        if relation in LABELLED and self.has("labelled"):
            return "labelled"
        instead, inputs = SKIPPED.get(relation, (relation, ()))
        return relation if any(map(self.has, inputs)) else instead

    def lacks(self, relation: str) -> bool:
        """Whether a relation is of what the user did not give, so that a join with it is left out."""
        needed = {"excluded": "exclude", "listed": "items", "weighted": "weights"}
        return not self.inputs.by if relation == "slices" else relation in needed and not self.has(needed[relation])

    def variant(self, relation: str) -> str:
        """Which form of a relation this question takes; '' for one that has but one."""
        inputs = self.inputs
        ties: str = self.policies.ties
        if inputs.run_shape != "scores":  # places that are given stay, unless items before them are left out
            ties = "given" if self.called("candidates") == "run" else "item_desc"
        chosen = {
            "run": "best" if self.policies.duplicates == "best" else inputs.run_shape,
            "qrels": self._qrels_variant(),
            "ranked": ties,
            "judged": "expected" if ties == "expected" else "apart" if self.forms.apart else "ordered",
            "retrieved": "packed" if self.forms.packing else "",
            "placed": self.forms.lists,
            "tops": "hashed" if self.forms.lists == "hashed" else inputs.run_shape,
            "slices": inputs.by_side or "",
        }
        return chosen.get(relation, "")

    def _qrels_variant(self) -> str:
        if self.inputs.qrels_shape != "rows":
            return self.inputs.qrels_shape
        if self.policies.duplicates == "best":
            return "best"
        shared = self.has("labelled") and self.inputs.one_model is None
        return "shared" if shared else "rows"

    def keeping_all_rows(self) -> Plan:
        """The same question before any policy has left a row out, as the checks of rows see it."""
        return replace(self, policies=replace(self.policies, duplicates="error", nulls="error"))


# The relations that there is one of for each judging.
_JUDGED = ("graded", "ideal", "tied_groups", "ideal_lists", "relevant_candidates", "placed", "judged", "measured")


def _deepest(depths: Sequence[int | None]) -> int | None:
    return None if None in depths else max(depth for depth in depths if depth is not None)


def _numbered(name: str, judging: int) -> str:
    return name if judging == 0 else f"{name}_{judging + 1}"


@dataclass
class Statement:
    """Composes one statement for a plan; relations in `bound` are read where they are instead of being computed."""

    plan: Plan
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)
    _ctes: dict[str, exp.Expr] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def of(self, relation: str) -> exp.Select:
        """The statement whose rows are those of a relation of the pipeline, under the user's column names."""
        return self._finish(self._filled(self._template(relation)), output=True)

    def of_per_query(self, *, metric_names: bool = False) -> exp.Select:
        """The statement whose rows are the values per query, under the user's column names.

        Metrics have names such as recall_at_10 or, as `metric_names`, such as recall@10.
        """
        shown = [(metric.column, str(metric) if metric_names else metric.column) for metric in self.plan.metrics]
        tree = _per_query(self.plan, exp.to_table("per_query"), shown)
        self._need(tree)
        return self._finish(tree, output=False)

    def of_table(self, relation: str) -> exp.Select:
        """The statement whose rows are those of a relation of the pipeline, under the canonical column names."""
        return self._finish(self._filled(self._template(relation)), output=False)

    def of_check(self, check: Template) -> exp.Select:
        """The statement whose rows are the offending rows of a data check, in order, under the canonical names."""
        tree = check.tree()
        self._fill(tree, check)
        order = [exp.Ordered(this=trees.column(name), desc=False) for name in tree.named_selects]
        return self._finish(tree.order_by(*order, copy=False), output=False)

    def of_checks(self, checks: list[Template]) -> exp.Query:
        """The statement that counts the offending rows of every check given: a row each, of its name and its count."""
        counts: list[exp.Select] = []
        for check in checks:
            tree = check.tree()
            self._fill(tree, check)
            count = exp.alias_(exp.Count(this=exp.Star()), "faults")
            counts.append(
                exp.select(exp.alias_(trees.literal(check.name), "check_name"), count).from_(tree.subquery("rows"))
            )
        return self._with(trees.union_all(counts))

    def of_count(self, relation: str) -> exp.Query:
        """The statement that counts the rows of a relation of the pipeline: by model, or under NULL those of all."""
        by_model = self.plan.has_models and relation in ("run", "candidates")
        count = exp.alias_(exp.Count(this=exp.Star()), "rows")
        tree = exp.select(exp.alias_(trees.column("model") if by_model else exp.null(), "model"), count).from_(relation)
        tree = tree.group_by("model") if by_model else tree
        self._need(tree)
        return self._finish(tree, output=False)

    def _finish(self, tree: exp.Select, *, output: bool) -> exp.Select:
        if output:
            self._name_output(tree)
        self._with(tree)
        return tree

    def _with(self, tree: exp.Query) -> exp.Query:
        for name, cte in self._ctes.items():
            alias = exp.TableAlias(this=exp.to_identifier(name))  # a name that sqlglot has no need to parse
            tree.with_(alias, as_=cte, materialized=self._materialized(name), copy=False, append=True)
        return tree

    def _materialized(self, name: str) -> bool | None:
        """A relation read twice is computed once, but an input is read where it lies as often as need be."""
        inputs = {"run", "qrels", *self.plan.inputs.selects}
        judgings = range(len(self.plan.judgings))
        if self.plan.forms.apart:  # what each row is worth, and its number, is computed sooner than it is kept
            inputs |= {"numbers", *(_numbered("graded", judging) for judging in judgings)}
        if name in {_numbered("relevant_candidates", judging) for judging in judgings}:
            return True  # so that only these are looked up in their lists
        if name not in inputs:
            return True if self._counts[name] > 1 else None
        # An input that is read once is still read twice if the input that reads it is.
        return False if any(self._counts.get(each, 0) > 1 for each in inputs) else None

    def _template(self, relation: str) -> Template:
        return templates.relations()[relation][self.plan.variant(relation)]

    def _need(self, tree: exp.Select) -> None:
        """Add the relations that a tree reads, and first those that they read."""
        own = {cte.alias for cte in tree.ctes}
        for table in trees.find(tree, exp.Table):
            name = table.name
            if name in own:
                continue
            if name in self.bound:
                self._bind_table(table, self.bound[name])
                continue
            if self.plan.called(name) != name:
                name = self.plan.called(name)
                table.set("this", exp.to_identifier(name))
            self._counts[name] = self._counts.get(name, 0) + 1
            if name not in self._ctes and self._counts[name] == 1:
                self._ctes[name] = self._relation(name)  # after those that it reads

    @staticmethod
    def _bind_table(table: exp.Table, relation: exp.Expr) -> None:
        alias = table.alias_or_name
        table.replace(exp.alias_(relation.copy(), alias, table=True))

    def _relation(self, name: str) -> exp.Expr:
        selects = self.plan.inputs.selects
        if name in selects or name == "given_run":
            plan = self.plan if name in selects else self.plan.keeping_all_rows()
            return Statement(plan)._source(selects[name if name in selects else self.plan.called("run_source")])
        if name == "metrics":
            return self._metrics_relation()
        if name == "named_models":
            models = self.plan.inputs.models or []
            return trees.union_all([exp.select(exp.alias_(trees.literal(model), "model")) for model in models])
        for judging in range(len(self.plan.judgings)):
            for relation in _JUDGED:
                if name == _numbered(relation, judging):
                    return self._filled(self._template(relation), judging)
        own = next((metric for metric in self.plan.metrics if metric.column == name), None)
        if own is not None:
            return self._own_metric(own)
        return self._filled(self._template(name))

    def _source(self, selects: list[SourceSelect]) -> exp.Expr:
        """The relations of the user's, one SELECT each, one below the other."""
        parts: list[exp.Select] = []
        for select in selects:
            tree = templates.relations()["source"][""].tree()
            columns = {"name": select.names, "number": select.numbers, "extra": select.extras}
            trees.repeat(tree, {name: [({name: column}, {}) for column in each] for name, each in columns.items()})
            for table in trees.find(tree, exp.Table):
                if table.name == "source":
                    table.replace(_of_the_user(select.relation))
            trees.bind(tree, self.plan.values())
            parts.append(tree)
        return trees.union_all(parts)

    def _filled(self, template: Template, judging: int = 0) -> exp.Select:
        tree = template.tree()
        if template.name == "per_query":
            self._join_metrics(tree)
        if template.name == "ranked":
            for table in trees.find(tree, exp.Table):
                if table.name == "candidates":
                    table.set("this", exp.to_identifier(self.plan.ranked_candidates))
        if any(map(self.plan.lacks, template.reads)):
            for join in trees.find(tree, exp.Join):
                if self.plan.lacks(join.this.name):
                    join.pop()
        if template.name == "qrels" and self.plan.inputs.by_side == "run":
            trees.repeat(tree, {"slice": []})  # the slices are columns of the run instead
        self._fill(tree, template, judging)
        if template.name == "measured":
            self._measure(tree, judging)
        return tree

    def _fill(self, tree: exp.Select, template: Template, judging: int = 0) -> None:
        """Give a template what this question has for it: parameters, the relations that it reads, stand-in columns."""
        if template.parameters:
            trees.bind(tree, self.plan.values(self.plan.judgings[judging]))
        if "any_open" in template.parameters:
            trees.drop_empty_parts(tree)
        self._judge(tree, judging)
        self._need(tree)  # while the tree is small: nothing that is repeated reads a relation
        if not template.columns.isdisjoint(self._stand_ins):
            trees.repeat(tree, self._stand_ins)
        of_checks = template.stage == templates.CHECKS and "per_query" in template.reads
        if len(self.plan.judgings) > 1 and (template.name == "per_query" or of_checks):
            trees.repeat(tree, dict.fromkeys(("relevant_items", "relevant"), self._relevant_copies))

    @staticmethod
    def _judge(tree: exp.Select, judging: int) -> None:
        """Let a tree read the relations of one judging."""
        for table in trees.find(tree, exp.Table) if judging else []:
            if table.name in _JUDGED:
                table.set("this", exp.to_identifier(_numbered(table.name, judging)))

    @cached_property
    def _stand_ins(self) -> dict[str, list[Copy]]:
        inputs, metrics = self.plan.inputs, self._metric_copies()
        keys = {
            "model": [] if inputs.one_model is not None else ["model"],
            "query": numbered("query", len(inputs.query)),
            "query_weight": ["query_weight"] if self.plan.has("weights") else [],
        }
        by = numbered("slice", len(inputs.by))
        slices: list[Copy] = [({"slice": own, "level_slice": f"level_{own}"}, {}) for own in by]
        return {
            **{name: [({name: own}, {}) for own in names] for name, names in keys.items() if names != [name]},
            **(dict.fromkeys(("slice", "level_slice"), slices) if len(by) != 1 else {}),
            **dict.fromkeys(("raw", "value", "value_mean", "value_queries"), metrics),
        }

    def _relevant_items(self, judging: int) -> str:
        """The column that holds how many items of a query are relevant by one of the judgings."""
        return "relevant_items" if len(self.plan.judgings) == 1 else f"relevant_items_{judging + 1}"

    @property
    def _relevant_copies(self) -> list[Copy]:
        """`relevant` by every judging, the first under its own name."""
        return [
            (
                {"relevant_items": self._relevant_items(judging), "relevant": _numbered("relevant", judging)},
                {},
            )
            for judging in range(len(self.plan.judgings))
        ]

    def _metric_copies(self) -> list[Copy]:
        return [
            (
                {
                    "raw": f"{metric.column}_raw",
                    "relevant_items": self._relevant_items(self.plan.judging_no(metric)),
                    "value": metric.column,
                    "value_mean": f"{metric.column}_mean",
                    "value_queries": f"{metric.column}_queries",
                },
                {"metric_no": number, "mean": metric.mean, "empty": metric.template.head.get("Empty", "zero")},
            )
            for number, metric in enumerate(self.plan.metrics, start=1)
        ]

    def _measure(self, tree: exp.Select, judging: int) -> None:
        """Put the projection of every metric that is a plain aggregate of judged in the place of the stand-in."""
        projections = [projection for projection in tree.expressions if projection.alias != "raw"]
        projections[-1].set("alias", exp.to_identifier(self._relevant_items(judging)))
        aggregates: dict[str, trees.Original[exp.Expr]] = {}  # by metric, with nothing but its cutoff still to be bound
        for metric in self.plan.metrics:
            if metric.template.is_plain and self.plan.judging_no(metric) == judging:
                if metric.name not in aggregates:
                    own = metric.template.tree()
                    trees.bind(own, {name: value for name, value in self._values(metric).items() if name != "k"})
                    aggregates[metric.name] = trees.Original(own.expressions[-1].this)
                held: list[exp.Expr] = []
                aggregate = aggregates[metric.name].copy(held=held)
                projection = exp.alias_(aggregate, f"{metric.column}_raw", copy=False)
                trees.bind(projection, {"k": metric.k}, held)
                projections.append(projection)
        tree.set("expressions", projections)

    def _values(self, metric: Metric) -> dict[str, Value]:
        """The parameters of a metric's template."""
        settings = self.plan.values(self.plan.judgings[self.plan.judging_no(metric)])
        return {**settings, **metric.values(settings)}

    def _own_metric(self, metric: Metric) -> exp.Select:
        """A metric that is more than an aggregate of judged: a relation of its own, with its own CTEs inside."""
        tree = metric.template.tree()
        tree.expressions[-1].set("alias", exp.to_identifier(f"{metric.column}_raw"))
        trees.bind(tree, self._values(metric))
        trees.repeat(tree, {name: self._stand_ins[name] for name in ("model", "query") if name in self._stand_ins})
        self._judge(tree, self.plan.judging_no(metric))
        self._need(tree)
        return tree

    def _join_metrics(self, tree: exp.Select) -> None:
        """Join what is measured under other judgings, and the metrics that are relations of their own."""
        for judging in range(1, len(self.plan.judgings)):
            tree.join(_numbered("measured", judging), using=["model", "query"], join_type="inner", copy=False)
        for metric in sorted(self.plan.metrics, key=lambda metric: metric.template.of_whole_run):
            if not metric.template.is_plain:
                tree.join(metric.column, using=metric.template.keys, join_type="left", copy=False)

    def _metrics_relation(self) -> exp.Expr:
        """The metrics asked for, as rows."""
        rows = []
        for number, metric in enumerate(self.plan.metrics, start=1):
            k = exp.Cast(this=trees.literal(metric.k), to=exp.DataType(this=exp.DataType.Type.BIGINT))
            row = {"metric_no": trees.literal(number), "metric": trees.literal(metric.name), "k": k}
            columns = [exp.Alias(this=value, alias=exp.to_identifier(name)) for name, value in row.items()]
            rows.append(exp.Select(expressions=columns))
        return trees.union_all(rows)

    def _name_output(self, tree: exp.Select) -> None:
        """Give the columns of the outermost SELECT the names that the user knows them by."""
        inputs = self.plan.inputs
        users = dict(zip(numbered("slice", len(inputs.by)), inputs.by, strict=True))
        users |= dict(zip(numbered("query", len(inputs.query)), inputs.query, strict=True))
        for projection in tree.expressions:
            if projection.alias in users:
                projection.set("alias", trees.as_given(users[projection.alias], looked_up=inputs.looked_up))
        if inputs.one_model is not None:
            tree.set("expressions", [exp.alias_(trees.literal(inputs.one_model), "model"), *tree.expressions])


def of_source(name: str, select: SourceSelect) -> exp.Select:
    """The statement of a template that looks at one relation of the user's."""
    tree = templates.relations()[name][""].tree()
    columns = {column.name.removesuffix("_1"): column for column in (*select.names, *select.numbers)}
    columns["score"] = next(columns[name] for name in ("score", "rank", "relevance") if name in columns)
    trees.repeat(tree, {name: [({name: column}, {})] for name, column in columns.items()})
    for table in trees.find(tree, exp.Table):
        table.replace(_of_the_user(select.relation))
    return tree


def stacked(selects: list[SourceSelect]) -> SourceSelect:
    """Return one select that reads the score columns of several models, all of one relation, in one scan."""
    tree = templates.relations()["stacked"][""].tree()
    first = selects[0]
    keys, others = first.names[1:], first.numbers[1:]  # after the model, and after its score
    columns = {"name": keys, "number": others, "extra": first.extras}
    trees.repeat(tree, {name: [({name: column}, {}) for column in each] for name, each in columns.items()})
    for table in trees.find(tree, exp.Table):
        table.replace(_of_the_user(first.relation))
    trees.bind(tree, {"models": [select.names[0].expression.name for select in selects]})
    for place in trees.find(tree, exp.Placeholder):
        scores = [exp.cast(select.numbers[0].expression.copy(), exp.DataType.Type.DOUBLE) for select in selects]
        place.replace(exp.Array(expressions=scores))
    names, numbers, extras = (
        [Column(trees.column(column.name), column.name) for column in each]
        for each in (first.names, first.numbers, first.extras)
    )
    return SourceSelect(tree.subquery("stacked"), names, numbers, extras, selects)


def _of_the_user(relation: exp.Expr) -> exp.Expr:
    """A copy of a user's relation that is known as theirs, should it have the name of one of ours."""
    copy = relation.copy() if isinstance(relation, (exp.Table, exp.Subquery)) else exp.Table(this=relation.copy())
    for part in trees.find(copy, exp.Table, exp.CTE):
        part.meta["of_the_user"] = True
    return copy


def _per_query(plan: Plan, table: exp.Table, metrics: list[tuple[str, str]]) -> exp.Select:
    """Models, queries and slices under the user's names, and the metrics of queries under those given."""
    inputs = plan.inputs
    one = inputs.one_model
    model = Column(trees.column("model") if one is None else trees.literal(one), "model")
    slices = zip(numbered("slice", len(inputs.by)), inputs.by, strict=True)
    of_queries = {metric.column for metric in plan.metrics if not metric.template.of_whole_run}
    shown = [
        *zip(numbered("query", len(inputs.query)), inputs.query, strict=True),
        *((ours, theirs) for ours, theirs in slices if theirs not in inputs.query),
        *((ours, theirs) for ours, theirs in metrics if ours in of_queries),
    ]
    columns = [model, *(Column(trees.column(ours), theirs) for ours, theirs in shown)]
    keys = [*([] if inputs.one_model is not None else ["model"]), *numbered("query", len(inputs.query))]
    order = [exp.Ordered(this=trees.column(key), desc=False, nulls_first=True) for key in keys]
    selected = [
        exp.alias_(column.expression, trees.as_given(column.name, looked_up=inputs.looked_up)) for column in columns
    ]
    return exp.select(*selected).from_(table.copy()).order_by(*order)
