"""Makes canonical relations of the sources of a question: gives each role its columns, and each key one type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions.trees import Column, literal
from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, commas, digits, some, spell
from recall_duckdb.question import OPTIONAL_INPUTS, Question
from recall_duckdb.question.question import check_roles
from recall_duckdb.reading.columns import NUMBERS, OF_NUMBERS, Reader, call, canonical_names, element_of, family_of
from recall_duckdb.reading.files import path_kind
from recall_duckdb.reading.forgotten import check_unused
from recall_duckdb.reading.formats import name_of
from recall_duckdb.reading.keys import check_models, check_split, match
from recall_duckdb.reading.read_as import ReadAs
from recall_duckdb.reading.source import Inputs, Sources, SourceSelect
from recall_duckdb.reading.sources import side_of
from recall_duckdb.reading.usual_names import is_usual_name

_SLICES = {"item_slices": "item_by", "query_slices": "by"}  # optional inputs of slices: what names their columns
_MOST_UNUSED = 5  # columns that a line names
_DIGITS = 15  # of any decimal number that a DOUBLE holds
_SMALL = frozenset({"tinyint", "smallint", "integer", "utinyint", "usmallint", "uinteger"})
_LARGE = frozenset({"bigint", "ubigint", "hugeint"})


class Roles:
    """The columns that the sources of a question have for its roles."""

    def __init__(self, data: Question, sources: Sources, session: Session) -> None:
        names = data.names
        self.data, self.names, self.session = data, names, session
        of_run = [*names.query, names.item, *names.scores, names.relevance, data.rank, data.model, *names.by]
        of_qrels = [*names.qrels_query, names.qrels_item, names.relevance, *names.qrels_by]
        self.runs = {model: Reader(each, side_of(model), of_run) for model, each in sources.runs.items()}
        self.qrels = None if sources.qrels is None else Reader(sources.qrels, "qrels", of_qrels)
        self.first = next(iter(self.runs.values()))
        self.judge = self.qrels or self.first
        self.readers = [*self.runs.values(), *([] if self.qrels is None else [self.qrels])]
        self.is_labelled = data.qrels is None and data.needs_judgements  # the run holds its labels
        self.has_qrels = self.is_labelled or data.qrels is not None
        self._check_sources()
        self.scored = self._find_scored()
        self.optional = {role: Reader(source, role) for role, source in sources.optional.items()}
        self.optional_keys = {role: self._keys_of_optional(role) for role in self.optional}
        self._check_missing()
        self.run_shape = "scores"
        if self.first.family("item", names.item) == "list":  # with lists, labels are lists too
            self.run_shape = "lists"
            self.names = replace(names, qrels_item=names.relevance or "") if self.is_labelled else names
        elif data.rank is not None and data.policies.ranks != "renumber" and data.unit is None and not self.scored:
            self.run_shape = "ranks"

    def inputs(self, *, must_exist: bool = True) -> Inputs:
        """Return the canonical relations, after a check of all arguments and types against the data."""
        data, names, judge = self.data, self.names, self.judge
        self._check_arguments()
        self._compare(check=must_exist)
        if must_exist:
            for reader in self.runs.values() if data.model is None else ():
                check_models(reader, self.session)
            if self.run_shape == "scores" and data.rank is None and not self.first.has(names.scores[0]):
                check_split(self.first, self.first.name("item", names.item), self.session)
        by_side = next((role for role in _SLICES if role in self.optional), None) or self._by_side()
        score_type = self._score_type() if self.run_shape == "scores" else None
        selects, models = self._run_selects(self.runs, self.run_shape, score_type)
        qrels_shape, judged = self._qrels_select() if self.has_qrels else ("none", None)
        labels_in_run = self.is_labelled and qrels_shape == "rows"
        self._add_to_rows(selects, judged, by_side, labels_in_run)
        relations = {"labelled" if labels_in_run else "run_source": selects}
        relations |= {} if judged is None or labels_in_run else {"qrels_source": [judged]}
        if self.run_shape == "scores" and score_type is None:
            relations |= self._exact_scores(selects)
        relations |= {role: [self._optional_select(role)] for role in self.optional}
        if must_exist and self.run_shape != "lists":
            self._check_unused(relations)
        readers = [*self.readers, *self.optional.values()]
        files = {id(each): each for reader in readers if (each := reader.source.watched) is not None}
        order = data.policies.order or "descending"
        keys = zip(names.query, names.qrels_query, strict=True)
        inputs = Inputs(
            relations,
            self.run_shape,
            qrels_shape,
            names.query,
            names.by or names.item_by,
            by_side,
            models,
            user_names=self._user_names(),
            looked_up=all(reader.source.columns is not None for reader in (self.first, judge)),
            watched=list(files.values()),
            padding=_padding(self.runs.values(), "item", names.item),
            qrels_padding=_padding([judge], "qrels_item", names.qrels_item) if self.has_qrels else None,
            text_items=not labels_in_run and self._are_text("item", names.item, names.qrels_item),
            text_queries=not labels_in_run and any(self._are_text("query", *both) for both in keys),
            score_type=score_type,
            remarks=tuple(all_of[order] for each in self.runs.values() if order in (all_of := each.source.remarks)),
            findings=tuple(finding for reader in self.runs.values() for finding in reader.source.findings),
            engine=self.session.target,
            slices=data.slices if names.by else "crossed",
            read_as=self._read_as(qrels_shape, by_side),
        )
        if not self.scored:
            return inputs
        ranked = {model: reader for model, reader in self.runs.items() if model not in self.scored}
        selects, models = self._run_selects(ranked, "ranks", None)  # by themselves, so that their ranks are checked
        user_names, relations = {**inputs.user_names, "score": data.rank or ""}, {**relations, "run_source": selects}
        of_ranks = replace(inputs, selects=relations, run_shape="ranks", models=models, user_names=user_names)
        return replace(inputs, ranked=of_ranks)

    def _read_as(self, qrels_shape: str, by_side: str | None) -> tuple[ReadAs, ...]:
        """Return how each source of a question is read, with the columns that nothing reads."""
        data, names, policies = self.data, self.names, self.data.policies
        relevant = "relevant above 0" if policies.threshold is None else f"relevant from {digits(policies.threshold)}"
        kinds = {"lists": "lists, every item relevant", "maps": f"maps of relevance, {relevant}"}
        judged, are_lists, are_rows = kinds.get(qrels_shape, relevant), self.run_shape == "lists", qrels_shape == "rows"
        notes = {
            "item": "lists, best first" if are_lists else "", "qrels_item": "" if are_rows else judged,
            "relevance": judged, "rank": "ranks as given" if policies.ranks == "given" else "rank, lowest first",
            "score": "lowest first" if policies.order == "ascending" else "highest first",
        }  # fmt: skip
        by, found = names.qrels_by if by_side == "qrels" else names.by, []
        for (reader, roles), model in zip(self._roles(), [*self.runs, None][: len(self.readers)], strict=False):
            is_run, source = reader is not self.qrels, reader.source
            is_judge = qrels_shape != "none" and self.qrels in (None, reader)
            # Lists have no scores, and lists and maps of qrels hold the relevance.
            left_out = {"model", "relevance", *(("score", "rank") if are_lists else ())}
            columns = {role: each for role, each in roles.items() if role not in left_out}
            if is_judge and (is_run or are_rows) and names.relevance is not None:
                columns["relevance"] = [names.relevance]
            is_sliced = (by_side == "run" and is_run) or (by_side == "qrels" and is_judge)
            labels = {"model": roles.get("model", []), "by": by if is_sliced else []}
            columns, labels = ({role: [reader.name(role, name) for name in each] for role, each in part.items() if each}
                               for part in (columns, labels))  # fmt: skip
            shown = [
                ", ".join(each) + (f" ({notes[role]})" if notes.get(role) else "") for role, each in columns.items()
            ]
            shown += ["every row relevant"] if not is_run and are_rows and names.relevance is None else []
            parts = [", ".join(shown), *(f"{role}: {', '.join(each)}" for role, each in labels.items())]
            parts += ["ids as text"] if policies.ids == "text" else []
            used = [name for part in (columns, labels) for each in part.values() for name in each]
            if data.qrels is None or data.qrels is data.run:  # the run may hold the judgements too
                used += [names.item, names.qrels_item, names.relevance or "", *names.scores]
            # A path such as results.id reads the column results. TREC files have fixed columns, such as the tag.
            taken = {part for name in used for part in (name, name.partition(".")[0])}
            unused = [name for name in source.columns or () if name not in taken and not source.is_canonical]
            others = [each for each in self.readers if (each is not self.qrels) != is_run]
            shared = {name.casefold() for other in others for name in other.source.columns or ()}
            in_both = [name for name in unused if name.casefold() in shared]
            unused = [*in_both, *(name for name in unused if name not in in_both)]
            parts += [f"not used: {some(unused, _MOST_UNUSED, last=' and ')}"] if unused else []
            found.append(ReadAs("run" if is_run else "qrels", model, source.label, source.rows, "; ".join(parts)))
        if data.unit is not None and "item_map" not in data.optional_inputs():
            found.append(ReadAs("item_map", None, str(data.item_map), None, ""))
        optional = self.optional.values()
        return (*found, *(ReadAs(each.side, None, each.source.label, each.source.rows, "") for each in optional))

    def _check_sources(self) -> None:
        """Refuse a run that was passed as qrels, and what files with fixed columns do not have."""
        run, names, rank = self.first, self.names, self.data.rank
        argument, ordered = ("rank", [rank]) if rank is not None else ("score", names.scores)
        if (judge := self.qrels) is not None and all(map(judge.has, ordered)) and not any(map(run.has, ordered)):
            is_list = run.has(names.item) and run.family("item", names.item) == "list"  # lists need no score
            is_judged = names.relevance is None or (run.has(names.relevance) and not judge.has(names.relevance))
            # Only if run and qrels would be read the other way round.
            fit = [*map(judge.has, [*names.query, names.item]), *map(run.has, [*names.qrels_query, names.qrels_item])]
            is_other = rank is None and any(is_usual_name(name, "score", "rank") for name in run.free())
            if is_judged and not is_list and all(fit) and not is_other:
                raise advice.columns.swapped(run, judge, argument, ordered[0], names.relevance)
        for reader in self.readers:
            source = reader.source
            if self.data.model is None and len(source.tags) > 1:
                text = f"{source.label!r} holds runs with several tags, such as {commas(source.tags)}"
                fix = f"Pass {spell('model', 'tag')} to evaluate each, or the file of one run"
                raise DataError(text, argument=reader.side, fix=fix)
            if source.is_canonical and len(names.query) > 1:
                text = f"{source.label!r} has fixed columns, of which one is the query, not {commas(names.query)}"
                raise ArgumentError(text, argument="query", fix="Name one column, or give the data in another form")

    def _find_scored(self) -> frozenset[str | None]:
        """Return the runs that hold scores if others hold ranks, by model name."""
        rank, score = self.data.rank, self.names.scores[0]
        ranked = {model for model, reader in self.runs.items() if rank is not None and reader.has(rank)}
        others = self.runs.keys() - ranked
        if not ranked or not all(self.runs[model].has(score) for model in others):
            return frozenset()
        if others and self.data.policies.ranks == "given":
            lacks = f"{side_of(next(iter(others)))} has no column {rank!r} ({spell('rank')})"
            text = f"{spell('ranks', 'given')} needs ranks in every run, but {lacks}"
            raise ArgumentError(text, fix="Leave it out, or evaluate the runs with scores by themselves")
        return frozenset(others)

    def _keys_of_optional(self, role: str) -> dict[str, list[str]]:
        """Return the key columns of an optional input, with the names of the run, of the qrels, or of the key."""
        names, columns = self.names, {}
        shared = {"query": (names.query, names.qrels_query), "item": ([names.item], [names.qrels_item])}
        for key in OPTIONAL_INPUTS[role][0]:
            known = [*shared.get(key, ()), [key]]
            columns[key] = next((each for each in known if all(map(self.optional[role].has, each))), known[0])
        if role in _SLICES:
            columns[_SLICES[role]] = names.item_by or names.by
        used = [*(name for each in columns.values() for name in each), *OPTIONAL_INPUTS[role][1]]
        if len(set(used)) < len(used):
            text = f"two of its columns would have the same name: {commas(used)}"
            raise ArgumentError(text, argument=role, fix="Rename the item column of the run")
        return columns

    def _roles(self) -> list[tuple[Reader, dict[str, list[str]]]]:
        """Return each source with the columns that it must have, by argument."""
        names, data = self.names, self.data
        model = {} if data.model is None else {"model": [data.model]}
        found: list[tuple[Reader, dict[str, list[str]]]] = []
        for name, reader in self.runs.items():
            is_scored = data.rank is None or name in self.scored
            order = {"score": names.scores} if is_scored else {"rank": [data.rank or ""]}
            found.append((reader, {"query": names.query, "item": [names.item], **order, **model}))
        if self.qrels is not None:
            relevance = {} if names.relevance is None else {"relevance": [names.relevance]}
            keys = {"qrels_query": names.qrels_query, "qrels_item": [names.qrels_item]}
            found.append((self.qrels, {**keys, **relevance}))
        for role, reader in self.optional.items():
            numbers = [] if role == "features" else OPTIONAL_INPUTS[role][1]
            found.append((reader, {**self.optional_keys[role], **{name: [name] for name in numbers}}))
        return found

    def _check_missing(self) -> None:
        """Refuse sources that lack several columns. Where a single one is missing, its reader says so later."""
        lacking = []
        for reader, roles in self._roles():
            source, missing = reader.source, dict[str, tuple[str, str]]()
            if source.columns is None or source.is_canonical or source.headerless is not None:
                continue  # it has other faults, which its reader reports
            has_lists = any(family_of(kind) in ("list", "map") for kind in source.columns.values())
            for argument, name in ((argument, name) for argument, names in roles.items() for name in names):
                # Lists need no score or relevance.
                if not reader.has(name) and not (has_lists and argument in ("score", "relevance")):
                    missing.setdefault(name.casefold(), (argument, name))
            lacking += [(reader, [*missing.values()])] if missing else []
        if sum(len(missing) for _, missing in lacking) > 1:
            raise advice.columns.several_absent(lacking)

    def _check_arguments(self) -> None:
        """Refuse arguments that contradict the data, or that could only be ignored."""
        data, names, judge = self.data, self.names, self.judge
        if self.is_labelled and judge.source.tags:
            text = f"{judge.source.label!r} is a TREC run, which holds no labels"
            raise ArgumentError(text, argument="run", fix=f"Pass {spell('qrels')}")
        if self.is_labelled and names.relevance is not None and not judge.has(names.relevance):
            raise advice.columns.no_labels(judge, names.relevance)
        items = ((self.first, "item", names.item), (judge, "qrels_item", names.qrels_item))
        for reader, argument, name in items if self.session.target != "duckdb" else ():
            if reader.family(argument, name) in ("list", "map"):  # each engine unnests them in another way
                fix = f"SQL for {self.session.target} cannot unnest them: make a view with one row for each item"
                raise ArgumentError(f"{reader.column(argument, name)} holds lists", fix=fix)
        if data.qrels is None and data.qrels_query is not None:
            text, fix = "it names a column of the qrels, but there are none", f"Pass {spell('qrels')}, or leave it out"
            raise ArgumentError(text, argument="qrels_query", fix=fix)
        is_scored = data.score not in ("score", ["score"], ("score",))
        if self.run_shape == "lists" and (data.rank is not None or is_scored):
            text, argument = (
                f"{data.item!r} ({spell('item')}) holds lists in rank order",
                "score" if is_scored else "rank",
            )
            raise ArgumentError(text, argument=argument, fix="Leave it out, or name a column of single items")
        if data.rank is not None and is_scored and not self.scored:
            text = f"{data.rank!r} ({spell('rank')}) already ranks the items"
            raise ArgumentError(text, argument="score", fix="Pass only one of the two")
        of_run = {"score": data.score != "score", "rank": data.rank is not None}
        is_graded = data.relevance not in ("relevance", None)
        of_qrels = {"relevance": is_graded, "qrels_query": data.qrels_query, "qrels_item": data.qrels_item}
        for readers, arguments in (([*self.runs.values()], of_run), ([judge], of_qrels)):
            named = next((name for name, given in arguments.items() if given not in (False, None)), None)
            if named is not None and all(reader.source.is_canonical for reader in readers):
                label = next(iter(readers)).source.label
                fix = "Leave it out"
                if named == "rank":
                    columns = spell("columns", "query,q0,item,rank,score,tag")
                    more = spell("qrels_columns", "query,q0,item,relevance")
                    fix += f", because scores order a TREC run. To read its ranks, pass {columns} and {more} too"
                raise ArgumentError(f"{label!r} has fixed columns", argument=named, fix=fix)

    def _compare(self, *, check: bool) -> None:
        """Bring the keys of all sources to types that can be equal; the ids in files without types are text."""
        names, session, runs = self.names, self.session, self.runs.values()
        as_text = self.data.policies.ids == "text"
        judged = "relevance" if names.qrels_item == names.relevance else "qrels_item"  # lists in the run are one column
        numbers = [*names.scores, *([] if names.relevance is None else [names.relevance])]
        for reader, roles in self._roles():
            ids = {name: role for role, columns in roles.items() if role not in OF_NUMBERS for name in columns}
            if reader in self.readers:
                ids = {name: "by" for name in names.by if reader.has(name)} | ids
                # The labels of a run may be a column of lists.
                ids |= {names.qrels_item: "qrels_item"} if reader is self.judge else {}
            reader.untyped_as(ids, numbers if reader in self.readers else OPTIONAL_INPUTS[reader.side][1], session)
        for reader in (*self.readers, *self.optional.values()) if check else ():
            reader.store(session)
        keys = [("query", *both, "qrels_query") for both in zip(names.query, names.qrels_query, strict=True)]
        for place, (key, mine, theirs, other) in enumerate([*keys, ("item", names.item, names.qrels_item, judged)]):
            columns = [*((reader, key, mine) for reader in runs), (self.judge, other, theirs)]
            of_optional, part = (("query",), place) if key == "query" else (("item", "other", "unit"), 0)
            for role, reader in self.optional.items():
                named = self.optional_keys[role]
                columns += [(reader, each, named[each][part]) for each in of_optional if each in named]
            match(columns, session, check=check, as_text=as_text)
        for name in names.by if "query_slices" not in self.optional else ():
            if all(reader.has(name) for reader in runs) and not (self.qrels and self.qrels.has(name)):
                match([(reader, "by", name) for reader in runs], session, check=check)

    def _by_side(self) -> str | None:
        names, run, judge = self.names, self.first, self.judge
        if not names.by:
            return None
        if self.has_qrels and all(map(judge.has, names.qrels_by)):
            return "qrels"
        if all(map(run.has, names.by)):
            return "run"
        raise advice.columns.no_slices(judge, run, names.by, names.qrels_by)

    def _add_to_rows(
        self, selects: Sequence[SourceSelect], judged: SourceSelect | None, by_side: str | None, labels_in_run: bool
    ) -> None:
        """Add the columns of slices to the relations that hold them, and the labels of a run to its rows."""
        names = self.names
        of_run = zip(selects, [reader for reader in self.runs.values() for _ in names.scores], strict=True)
        in_qrels = by_side == "qrels" and not labels_in_run
        for select, reader in [(judged, self.judge)] if judged is not None and in_qrels else of_run:
            if by_side in ("qrels", "run"):
                select.extras.extend(_keys(reader, "by", names.qrels_by if by_side == "qrels" else names.by, "slice"))
            if labels_in_run:
                select.numbers.append(_relevance(reader, names.relevance))

    def _check_unused(self, relations: Mapping[str, list[SourceSelect]]) -> None:
        """Refuse runs with a column that no argument names, but that is a part of the query or holds models."""
        query = list(zip(self.names.query, self.names.qrels_query, strict=True))
        judged = relations.get("qrels_source", []) if self.qrels is not None else []
        judges = [(self.judge, each) for each in judged if len(each.names) > len(query)]  # not those of lists
        selects = (relations.get("labelled") or relations["run_source"])[:: len(self.names.scores)]
        may_repeat = self.data.policies.duplicates == "best"
        for reader, select in zip(self.runs.values(), selects, strict=True):
            check_unused(
                reader, select, judges, query, self.session, is_labelled=self.is_labelled, may_repeat=may_repeat
            )

    def _user_names(self) -> dict[str, str]:
        """Return the user's column names by canonical name, for messages."""
        data, names = self.data, self.names
        return {
            "query": names.query[0], "item": names.item, "rank": data.rank or "rank",
            "score": names.scores[0] if self.scored else data.rank or names.scores[0],
            "relevance": names.relevance or "relevance",
            "qrels_query": names.qrels_query[0], "qrels_item": names.qrels_item,
            "by": ", ".join(names.by or names.item_by), "model": data.model or "model",
        }  # fmt: skip

    def _are_text(self, key: str, mine: str, theirs: str) -> bool:
        """Return True if a key, with these names in the run and in the qrels, is compared as text."""
        kinds = [reader.kind(reader.name(key, mine)) for reader in self.runs.values()]
        kinds += [] if self.qrels is None else [self.qrels.kind(self.qrels.name(f"qrels_{key}", theirs))]
        return any(family_of(element_of(kind)) == "text" for kind in kinds)

    def _optional_select(self, role: str) -> SourceSelect:
        reader, named = self.optional[role], self.optional_keys[role]
        if any(reader.family("item", name) in ("list", "map") for name in named.get("item", [])):
            text = f"column {named['item'][0]!r} holds lists, but a row is of one item"
            fix = "Make a row for each item, with unnest in SQL or explode in frames"
            raise ArgumentTypeError(text, argument=role, fix=fix)
        columns = {
            key: _keys(reader, key, each, "slice" if key in _SLICES.values() else key) for key, each in named.items()
        }
        # nulls = drop removes a row without a key. A row that lacks a slice may have a slice in another column.
        extras = columns.pop("by", []) if self.data.slices != "crossed" and len(self.names.by) > 1 else []
        numbers = [
            Column(literal(1), name)
            if role == "features" and name == "weight" and not reader.has(name)
            else reader.number(name, name, NUMBERS, f"{name} is a number")
            for name in OPTIONAL_INPUTS[role][1]
        ]
        return SourceSelect(reader.source.relation, [each for key in columns.values() for each in key], numbers, extras)

    def _run_selects(
        self, runs: Mapping[str | None, Reader], shape: str, score_type: str | None
    ) -> tuple[list[SourceSelect], list[str] | None]:
        """Return a SELECT for each model, and the names of the models, or None if a column holds them."""
        names, model_column = self.names, self.data.model
        selects, models = [], []
        for model, reader in runs.items():
            for score in names.scores:
                models.append(model if model is not None else score if len(names.scores) > 1 else _lone_model(reader))
                rank = None if model in self.scored else self.data.rank
                selects.append(self._run_select(reader, shape, score, rank, score_type))
                if model_column is not None:
                    selects[-1].names.insert(0, reader.key("model", model_column, "model"))
        if model_column is not None:
            return selects, None
        for select, name in zip(selects, models, strict=True) if len(models) > 1 else ():  # one model needs no column
            select.names.insert(0, Column(literal(name), "model"))
        return selects, models

    def _run_select(
        self, reader: Reader, shape: str, score: str, rank: str | None, score_type: str | None
    ) -> SourceSelect:
        names = self.names
        keys, relation = _keys(reader, "query", names.query, "query"), reader.source.relation
        family = reader.family("item", names.item)
        if family not in ("unknown", "list") if shape == "lists" else family in ("list", "map"):
            content = f"{family}s" if family in ("list", "map") else "single items"
            raise ArgumentTypeError(
                f"{reader.column('item', names.item)} holds {content}, unlike other runs, or next to scores",
                fix="Pass {query: [items]} for lists in rank order, or {query: {item: score}} for scores, in every run",
            )
        if shape == "lists":
            reader.check_ranked(names.item, names.query, score)
            return SourceSelect(relation, keys, extras=[reader.key("item", names.item, "items")])
        keys.append(reader.key("item", names.item, "item"))
        if rank is None:
            labels = names.relevance if self.is_labelled else None
            roles = [("score", score), ("item", names.item), ("relevance", labels)]
            check_roles([*(("query", name) for name in names.query), *roles])
            number = reader.number("score", score, NUMBERS, "a score is a number")
            is_ascending = self.data.policies.order == "ascending"
            if score_type is not None:  # it holds no NaN
                typed = exp.cast(number.expression, score_type, dialect="duckdb")
                signed = exp.Sub(this=literal(0), expression=typed) if is_ascending else typed
                return SourceSelect(relation, [*keys, number._replace(expression=signed)])
            return SourceSelect(relation, keys, [_reverse(number) if is_ascending else number])
        number = reader.number("rank", rank, NUMBERS, "a rank is a whole number, 1 for the first")
        if shape == "scores":
            return SourceSelect(relation, keys, [_reverse(number)._replace(name="score")])
        if reader.family("rank", rank) == "number":
            number = number._replace(expression=call("whole_number", number.expression))
        return SourceSelect(relation, [*keys, number])

    def _score_type(self) -> str | None:
        """Return the type as which scores compare in DuckDB, None for DOUBLE. trec_eval compares text as DOUBLE.

        BIGINT, HUGEINT and DECIMAL hold scores that a DOUBLE does not. A BIGINT cannot always be negated.
        """
        policies = self.data.policies
        if self.data.rank is not None or self.session.target != "duckdb" or policies.semantics == "trec_eval_9":
            return None
        pairs = [(reader, score) for reader in self.runs.values() for score in self.names.scores if reader.has(score)]
        kinds = [reader.kind(reader.name("score", score)) for reader, score in pairs]
        types = {"" if kind is None else str(kind.id) for kind in kinds}
        if types <= _SMALL | _LARGE and types & _LARGE:
            return "BIGINT" if types <= _SMALL | {"bigint"} and policies.order != "ascending" else "HUGEINT"
        is_one = types == {"decimal"} and len(set(map(str, kinds))) == 1
        return str(kinds[0]) if is_one and _exceeds_double(kinds[0]) else None

    def _exact_scores(self, selects: Sequence[SourceSelect]) -> dict[str, list[SourceSelect]]:
        """Return the relation of runs with their scores also as they are, if scores that differ may compare as equal.

        Scores of several types are read as DECIMAL with the decimals of all; a score that does not fit is NULL.
        """
        columns = [(model, reader, score) for model, reader in self.runs.items() for score in self.names.scores]
        found: list[tuple[SourceSelect, exp.Expr, Any]] = []
        for select, (model, reader, score) in zip(selects, columns, strict=True):
            has_score = (self.data.rank is None or model in self.scored) and reader.has(score)
            kind = reader.kind(reader.name("score", score)) if has_score else None
            if kind is not None and _exceeds_double(kind) and self.data.policies.semantics != "trec_eval_9":
                number = reader.number("score", score, NUMBERS, "a score is a number").expression
                found.append((select, number, kind))
        kinds = [kind for _, _, kind in found]
        if self.session.target == "duckdb" and len(set(map(str, kinds))) > 1:
            decimals = max(int(dict(kind.children)["scale"]) if kind.id == "decimal" else 0 for kind in kinds)
            shared = exp.DataType.build(f"DECIMAL(38, {decimals})", dialect="duckdb")
            found = [(select, exp.TryCast(this=score, to=shared.copy()), kind) for select, score, kind in found]
        relation = [replace(select, extras=[Column(score, "exact_score")]) for select, score, _ in found]
        return {"exact_scores": relation} if relation else {}

    def _qrels_select(self) -> tuple[str, SourceSelect]:
        """Return the shape of the qrels, and the SELECT of them."""
        names, reader, relation = self.names, self.judge, self.judge.source.relation
        keys, column = _keys(reader, "qrels_query", names.qrels_query, "query"), names.qrels_item
        family = reader.family("qrels_item", column)
        shape = f"{family}s" if family in ("list", "map") else "rows"
        if family == "map" and names.relevance is None:
            text = f"{spell('relevance', None)} means that every row is relevant, but column {column!r} holds maps"
            raise ArgumentError(text, fix=f"Leave {spell('relevance')} out, or pass lists of the relevant items")
        if family == "map":
            kind = dict(reader.kind(reader.name("qrels_item", column)).children)["value"]
            if family_of(kind) not in (*NUMBERS, "boolean"):
                text = f"the maps in column {column!r} ({spell('qrels_item')}) hold {kind}, but relevance is a number"
                raise ArgumentTypeError(text, argument=reader.where)
        if family == "list" and not self.is_labelled and names.relevance is not None:
            reader.check_all_relevant(column, names.qrels_query, names.relevance)
        if self.data.policies.qrels_depth is not None:
            reader.check_ordered("relevance" if self.data.qrels is None else "qrels_item", column, shape)
        if self.is_labelled and (len(self.runs) > 1 or self.data.model is not None) and shape != "rows":
            text = f"for several models with lists, pass the relevant items as {spell('qrels')}, the same for all"
            raise ArgumentError(text, argument="run")
        if shape != "rows":
            return shape, SourceSelect(relation, keys, extras=[reader.key("qrels_item", column, "items")])
        if self.is_labelled and names.relevance is not None and column == names.relevance:
            rule = "holds lists of relevant items, or maps from item to relevance"
            kind = reader.kind(reader.name("relevance", names.relevance))
            text = f"where {names.item!r} holds lists, {names.relevance!r} ({spell('relevance')}) {rule}; it is {kind}"
            raise ArgumentTypeError(text, argument=reader.side)
        if self.is_labelled:
            return "rows", SourceSelect(relation, keys)
        check_roles([*(("qrels_query", name) for name in names.qrels_query), ("relevance", names.relevance)])
        check_roles([("qrels_item", column), ("relevance", names.relevance)])
        item = reader.key("qrels_item", column, "item")
        return "rows", SourceSelect(relation, [*keys, item], [_relevance(reader, names.relevance)])


def _exceeds_double(kind: Any) -> bool:
    """Return True if numbers of a type may differ but be equal as DOUBLE."""
    return kind.id in _LARGE or (kind.id == "decimal" and int(dict(kind.children)["precision"]) > _DIGITS)


def _padding(readers: Iterable[Reader], argument: str, item: str) -> int | str | None:
    """Return the item that may only fill up short lists; -1 if sources differ in it, None if there is none."""
    items = {reader.padding(reader.name(argument, item)) for reader in readers}
    return items.pop() if len(items) == 1 else next((each for each in (-1, "-1") if each in items), None)


def _keys(reader: Reader, argument: str, names: list[str], canonical: str) -> list[Column]:
    pairs = zip(names, canonical_names(canonical, len(names)), strict=True)
    return [reader.key(argument, name, column) for name, column in pairs]


def _relevance(reader: Reader, name: str | None) -> Column:
    if name is None:
        return Column(literal(1), "relevance")
    column = reader.number("relevance", name, (*NUMBERS, "boolean"), "relevance is a number")
    may_fail = reader.source.untyped or reader.source.elsewhere
    if may_fail and reader.family("relevance", name) == "boolean":
        # DuckDB 2 would cast the text true to a number while it reads the file, which fails. PostgreSQL has no cast
        # from boolean to a number.
        return column._replace(expression=call("as_number", column.expression))
    return column


def _reverse(number: Column) -> Column:
    """Return a number such that the lowest comes first; as DOUBLE, because an unsigned number cannot be negated."""
    double = exp.cast(number.expression, "DOUBLE")
    return number._replace(expression=exp.Sub(this=literal(0), expression=double))  # not -x, so that 0 is not -0.0


def _lone_model(reader: Reader) -> str:
    """Return the name of a model that has none: the tag of a TREC run, or the name of its one file."""
    paths = [] if reader.source.watched is None else list(reader.source.watched.patterns)
    of_file = name_of(paths[0]) if len(paths) == 1 and path_kind(paths[0]) == "file" else "run"
    return next(iter(reader.source.tags), of_file)
