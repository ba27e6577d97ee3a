"""A closed snapshot is kept for the next one, as long as nothing was published since."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trigpoint.stores.local import LocalStore
from trigpoint.stores.samples import fill, found, sample


@pytest.fixture(params=["tantivy", "fts5"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "index", lexical=request.param)


def test_the_same_generation_is_not_opened_twice(store: LocalStore) -> None:
    fill(store, sample("a.py", "alpha"))
    first = store.snapshot()
    first.close()
    second = store.snapshot()
    assert second is first
    assert found(second, "alpha") == ["a.py:2"]
    third = store.snapshot()
    assert third is not second  # one that is in use is nobody else's
    second.close()
    third.close()
    store.close()


def test_a_publication_by_another_store_is_seen(store: LocalStore, tmp_path: Path) -> None:
    fill(store, sample("a.py", "alpha"))
    store.snapshot().close()
    fill(LocalStore(tmp_path / "index", lexical="tantivy"), sample("a.py", "beta"))
    snapshot = store.snapshot()
    assert snapshot.generation == 2
    assert [item.symbol.name for item in snapshot.symbols_of("a.py")] == ["beta"]
    snapshot.close()
    store.close()


def test_an_index_made_anew_is_another_one(store: LocalStore, tmp_path: Path) -> None:
    fill(store, sample("a.py", "alpha"))
    store.snapshot().close()
    shutil.rmtree(tmp_path / "index")
    gone = store.snapshot()
    assert gone.generation == 0
    gone.close()
    fill(store, sample("b.py", "beta"))
    snapshot = store.snapshot()
    assert snapshot.generation == 1
    assert [row.path for row in snapshot.files()] == ["b.py"]
    snapshot.close()
    store.close()


def test_kept_snapshots_do_not_hold_the_journal(store: LocalStore, tmp_path: Path) -> None:
    fill(store, sample("a.py", "alpha"))
    store.snapshot().close()
    fill(LocalStore(tmp_path / "index", lexical="tantivy"), sample("b.py", "beta"))
    journal = tmp_path / "index" / "trigpoint.sqlite3-wal"
    assert not journal.exists() or journal.stat().st_size == 0
    store.close()
