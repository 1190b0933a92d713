"""Draws cases: data sets, questions about them, names and ids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from reference import Id, OptionalInputs, Query, Row, as_float, reaches, read

from random_data import ids, naming, paths
from random_data.case import Case, DataSet
from random_data.questions import NEEDS, Metrics, some_policies
from random_data.relations import passed_scores

MOST_SLICES, MOST_MODELS = 4, 3  # of a case: they share its names, types and policies
MOST_ORDERS = 24  # of tied items; the reference tries each of them for ties="expected"

# Some scores are equal, some are equal only as 32-bit floats, and some overflow a 32-bit float.
SCORES: dict[str, tuple[float, ...]] = {
    "few": (0.0, 1.0, 2.0),
    "close": (0.0, -0.0, 1.0, 1.0 + 1e-12, 0.3, 0.1 + 0.2, 0.3 + 1e-9, 16777216.0, 16777217.0, -2.5),
    "extreme": (1e300, 1e200, -1e300, 1e-300, 5e-324, 0.0, math.inf, -math.inf, 1.7976931348623157e308, 3.5e38),
    "whole": (-2, -1, 0, 1, 2, 3),
    "decimals": (*map(as_float, (-0.3, 0.0, 0.1, 0.7, 0.83, 1.0)), 0.7),
    "large": (2**53, 2**53 + 1, 2**62, -(2**62), 7),
}
GRADES: dict[str, tuple[float, ...]] = {
    "binary": (0, 1), "graded": (-2, -1, 0, 0, 1, 2, 3, 4),
    "fractional": (-1.5, -0.5, -0.0, 0.0, 0.1, 0.5, 1.0, 1.5, 2.25),
    "wide": (0.0, 1e-9, 1e-3, 1.0, 30.0, 12345.678, 1e9), "truth": (False, True), "relevant": (1,),
    "byte": (0, 0, 1, 127, 128, 255), "more than a byte": (-1, 0, 0, 1, 255, 256, 70_000),
    "decimals": tuple(map(as_float, (0.0, 0.1, 0.35, 0.7, 0.83, 1.0))),
    "halves": (0.0, 0.0, 0.5, 1.0, 254.5, 255.0, 255.5),
}  # fmt: skip


def cases(seed: int, count: int, *, first: int = 0, step: int = 1) -> Iterator[Case]:
    """Yield this many cases of a seed: every step-th one from the first on."""
    return (made(seed, number) for number in range(first, first + count * step, step))


def made(seed: int, number: int) -> Case:
    """Return the case of this seed and number."""
    return _Maker(Random(f"{seed}:{number}"), number).case()


def of_few_orders(run: Sequence[Row], policies: Mapping[str, Any], most: int) -> list[Row]:
    """Drop rows whose ties would give a query more orders; the first rows of a query are kept."""
    tied: dict[Query, Counter[float | None]] = {}
    kept = []
    for row in run:
        query, _, score = row
        group = None if score is None or math.isnan(score) else float(score)
        if group is not None and policies.get("semantics") == "trec_eval_9":
            group = as_float(group)
        groups = tied.setdefault(query, Counter())
        groups[group] += 1
        if math.prod(map(math.factorial, groups.values())) <= most:
            kept.append(row)
        else:
            groups[group] -= 1
    return kept


class _Maker:
    """Makes one case from random numbers."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.number = number

    def case(self) -> Case:
        pick = self.random.choice
        self.together = pick([*["only"] * 4, *["key"] * 3, "group", "column", "runs", "scores"])
        self.are_models = self.together in ("column", "runs", "scores")
        source = pick(["dict", "arrow", "table", "table", "parquet", "parquet"])
        favoured = self.random.random() < 0.4  # a question that lists can answer
        self.shape = self.some_shape(favoured=favoured)
        self.grades = GRADES[pick([*GRADES] if self.shape != "lists" else [*GRADES, *["relevant"] * 5])]
        qrels_as = "rows"
        if self.shape == "lists" and self.together == "only":
            qrels_as = pick(["rows", "maps", *(["lists"] if self.grades == GRADES["relevant"] else [])])
        self.scores = self.score_pool()
        self.policies = some_policies(
            self.random, self.shape, self.together, favoured=favoured, grades=self.grades, scores=self.scores
        )
        self.expected = self.policies.get("ties") == "expected"
        metrics = Metrics(self.random, self.policies, self.grades, favoured=favoured).some()
        self.draw_ids(source, favoured=favoured)
        if not {-1, "-1", 2**32 - 1, 2**64 - 1}.isdisjoint(self.items.held):  # usual numbers of no item
            self.policies["padding"] = "keep"
        sets = self.some_data_sets()
        optional = self.some_optional_inputs(sets, metrics, favoured=favoured)
        before = pick(["m", "m", "model ", "a'b ", "é", "1"])
        models = [f"{before}{place}" for place in range(self.count)] if self.are_models else ["run"]
        names = naming.drawn(self.random, self.width, models, self.together, self.shape, refused={*metrics})
        scores = [row[2] for one in sets for row in passed_scores(self.policies, one.run)]
        scores = [1, 1000] if self.shape == "ranks" else scores
        grades = [row[2] for one in sets for row in one.qrels]
        case = Case(
            number=self.number,
            shape=self.shape,
            together=self.together,
            source=source,
            data_sets=sets,
            metrics=metrics,
            policies=self.policies,
            optional=optional,
            paths=(),
            names=names,
            queries=self.queries,
            items=self.items,
            number_type=ids.number_type(self.random, scores, source),
            relevance_type=ids.number_type(self.random, grades, source),
            qrels_as=qrels_as,
        )
        return replace(case, paths=paths.some(self.random, case))

    def some_shape(self, *, favoured: bool) -> str:
        if self.together == "scores":
            return "scores"
        shapes = ["scores", "scores", "ranks", "labels"]
        if not favoured:
            shapes += ["scores", "lists"]
        return self.random.choice([shape for shape in shapes if shape != "labels" or self.together != "group"])

    def score_pool(self) -> list[float]:
        kind = self.random.choice([*SCORES, "distinct", "distinct"])
        if kind == "distinct":
            return [self.random.uniform(-10, 10) for _ in range(200)]
        return list(SCORES[kind])

    def draw_ids(self, source: str, *, favoured: bool) -> None:
        """Draw the ids of items and queries, and how many data sets there are."""
        size = {"only": 1, "key": MOST_SLICES, "group": MOST_SLICES}.get(self.together, MOST_MODELS)
        self.count = self.random.randint(min(size, 2), size)
        self.width = {"key": 2, "only": self.random.choice([1, 1, 1, 2])}.get(self.together, 1)
        count = self.random.choice([3, 6, 6, 12, 12, 12, 60, 150])
        self.items = ids.drawn(self.random, count, source, whole=favoured, doubles=self.shape != "lists")
        self.each = self.random.choice([1, 3, 6])  # queries for each slice
        self.queries = ids.drawn(self.random, self.each * (self.count if self.together == "group" else 1), source)

    def some_data_sets(self) -> list[DataSet]:
        """Return the data sets; the first run, and the run of every model, has a query with a relevant item."""
        found: list[DataSet] = []
        qrels: list[Row] = []
        for place in range(self.count):
            needed = self.query(place)
            if not (self.are_models and place):
                relevant = (needed, self.random.choice(self.items.drawn), self.best_grade())
                qrels = self.rows(place, self.grades, relevant if place == 0 else None)
            if self.are_models:
                needed = qrels[0][0] if place == 0 else found[0].run[0][0]
            first = (needed, self.random.choice(self.items.drawn), self.finite_score())
            if self.together == "scores" and place:
                run = [(*row[:2], self.score(0.1)) for row in found[0].run]
                run[0] = (*run[0][:2], self.finite_score())
            else:
                run = self.rows(place, self.scores, first if self.are_models or not place else None)
            found.append(DataSet(of_few_orders(run, self.policies, MOST_ORDERS) if self.expected else run, qrels))
        if self.together == "scores" and self.expected:
            found = self.in_common(found)
        if self.shape == "labels":
            found = self.labelled(found)
        return found

    def in_common(self, sets: list[DataSet]) -> list[DataSet]:
        """Keep the rows of the runs that every model has."""
        common = set.intersection(*({row[:2] for row in one.run} for one in sets))
        return [DataSet([row for row in one.run if row[:2] in common], one.qrels) for one in sets]

    def labelled(self, sets: list[DataSet]) -> list[DataSet]:
        """Replace the qrels by labels in the runs; the labels of all models judge every model."""
        pairs = [row[:2] for one in sets for row in one.run]
        labels = {pair: self.random.choice(self.grades) for pair in pairs}
        labels[pairs[0]] = self.best_grade()
        if self.are_models:
            return [DataSet(one.run, [(*pair, label) for pair, label in labels.items()]) for one in sets]
        return [DataSet(one.run, [(*row[:2], labels[row[:2]]) for row in one.run]) for one in sets]

    def best_grade(self) -> float:
        return max(self.grades)

    def finite_score(self) -> float:
        """Return a score that no policy leaves out."""
        lowest = self.policies.get("min_score", -math.inf)
        return max(
            (score for score in self.scores if math.isfinite(score)), key=lambda score: (reaches(score, lowest), score)
        )

    def query(self, place: int) -> Query:
        first = place * self.each if self.together == "group" else 0
        query = self.random.choice(self.queries.drawn[first : first + self.each])
        if self.together == "key":
            return (place, query)
        return (query,) if self.width == 1 else (self.random.choice(self.queries.drawn), query)

    def score(self, nulls: float) -> float | None:
        if self.policies.get("nulls") in ("drop", "last") and self.random.random() < nulls:
            return self.random.choice([None, math.nan]) if isinstance(self.scores[0], float) else None
        return self.random.choice(self.scores)

    def rows(self, place: int, numbers: Sequence[float], first: Row | None) -> list[Row]:
        """Return the rows of one data set, with missing queries, long lists and duplicates."""
        best, nulls = self.policies.get("duplicates") == "best", self.policies.get("nulls", "error")
        found: list[Row] = [] if first is None else [first]
        of_kind, held = isinstance(numbers[0], float), self.items.drawn
        for _ in range(self.random.randint(0 if found else 1, 5)):
            query, most = self.query(place), self.random.choice([1, 3, 6, 12, len(held)])
            for item in self.random.sample(held, min(most, len(held))):
                number: float | None = self.random.choice(numbers)
                if nulls != "error" and self.random.random() < 0.1:
                    number = self.random.choice([None, math.nan]) if of_kind else None
                copies = 2 if best and self.random.random() < 0.2 else 1
                found.extend((query, item, number) for _ in range(copies))
                if copies == 2:
                    found[-1] = (query, item, self.random.choice(numbers))
        if nulls == "drop" and self.random.random() < 0.3:
            found.append(((*found[0][0][:-1], None), held[0], numbers[0]))
            found.append((found[0][0], None, numbers[0]))
        if not best:
            once: dict[tuple[Query, Id | None], Row] = {}
            for row in found:
                once.setdefault(row[:2], row)
            found = [*once.values()]
        return found

    def some_optional_inputs(self, sets: list[DataSet], metrics: list[str], *, favoured: bool) -> OptionalInputs:
        """Return the optional inputs that the metrics need, and sometimes exclude, items and weights."""
        random, own, held = self.random, self.items.drawn, self.items.held
        needed = {NEEDS.get(read(name).metric) for name in metrics}
        judged = sorted({row[0] for one in sets for row in one.qrels if None not in row[0]}, key=repr)
        kept = {row[:2] for one in sets for row in (one.run[:1] + one.qrels[:1])}
        pairs = sorted({row[:2] for one in sets for row in one.run if None not in row[0]} - kept, key=repr)
        exclude = [pair for pair in pairs if pair[1] is not None] if random.random() < 0.15 and not favoured else []
        exclude = random.sample(exclude, random.randint(0, len(exclude)))
        if len(sets) > 1 and self.together != "scores" and random.random() < 0.3:  # score columns share their items
            lost = {row[:2] for row in random.choice(sets[1:]).run} - {row[:2] for row in sets[0].run[:1]}
            exclude += sorted((pair for pair in lost if None not in pair[0] and pair[1] is not None), key=repr)
        items = weights = None
        if random.random() < 0.1 and self.shape != "lists" and not favoured:
            chosen = random.sample(own, random.randint(1, len(own)))
            items = frozenset({*chosen, *(item for _, item in kept if item is not None)})
        if random.random() < 0.15:
            weights = {query: float(random.choice([0, 1, 2, 0.5, 10])) for query in judged}
            weights.update({row[0]: 1.0 for one in sets for row in one.qrels[:1]})
        shown = next(item for _, item, _ in sets[0].run if item is not None)  # each relation must contain this item
        training: set[tuple[Query, Id]] = set()
        if "training" in needed:
            training = {
                ((*query[:-1], random.choice([query[-1], self.queries.held[-1]])), item)
                for query in judged
                for item in [shown, *random.sample(held, random.randint(1, len(held)))]
            }
        features: dict[Id, dict[str, float]] = {}
        if "features" in needed:
            for item in dict.fromkeys([shown, *random.sample(own, random.randint(1, len(own)))]):
                names = random.sample("fghij", random.randint(1, 4))
                features[item] = {name: random.choice([1.0, 1.0, 0.5, 2.0, -1.0]) for name in names}
        similarities: dict[tuple[Id, Id], float] = {}
        if "pairs" in needed:
            for one in own:
                for other in random.sample(own, min(len(own), 3)):
                    if one != other and (other, one) not in similarities:
                        similarities[one, other] = random.choice([0.0, 0.25, 0.7, 1.0, -0.5])
            if not any(shown in pair for pair in similarities):
                similarities[shown, next(item for item in held if item != shown)] = 1.0
        catalog = [shown, *random.sample(own, random.randint(1, len(own)))] if "catalog" in needed else []
        return OptionalInputs(
            exclude=frozenset((query, item) for query, item in exclude if item is not None),
            items=items,
            weights=weights,
            training=frozenset(training),
            catalog=frozenset(catalog),
            features=features,
            similarities=similarities,
        )
