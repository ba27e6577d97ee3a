from __future__ import annotations

import pytest

from trigpoint.stores.conformance import CHECKS
from trigpoint.stores.conformance_edges import EDGE_CHECKS
from trigpoint.stores.local import open_local
from trigpoint.stores.memory import MemoryStore


@pytest.fixture(params=["memory", "tantivy", "fts5"])
def open_store(request, tmp_path):
    if request.param == "memory":
        store = MemoryStore()
        return lambda: store
    return lambda: open_local(tmp_path / "index", request.param)


@pytest.mark.parametrize("check", (*CHECKS, *EDGE_CHECKS), ids=lambda check: check.__name__)
def test_every_store_conforms(check, open_store):
    check(open_store)
