"""An index that was brought up to date step by step has the edges of one made anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linking import dump, index, sites, tree
from trigpoint.indexing.run import Options, update
from trigpoint.model import Edge, Progress
from trigpoint.ports import Store
from trigpoint.sources.directory import DirectorySource
from trigpoint.stores.local import LocalStore
from trigpoint.stores.memory import MemoryStore

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "pkg/__init__.py": (
        "",
        "from .core import make\n",
        "from .core import *\n",
        "from .core import make as build\nfrom .other import make\n",
        "from . import core\n__all__ = ['core']\n",
    ),
    "pkg/core.py": (
        "class Base:\n    def run(self):\n        return self.stop()\n    def stop(self):\n        pass\n\ndef make():\n    return Base()\n",
        "from .other import Other as Base\n\ndef make() -> Base:\n    ...\n",
        "from .other import Other\n\nclass Base(Other):\n    def stop(self):\n        pass\n\ndef make():\n    made = Base()\n    return made\n",
        "__all__ = ['make']\nclass Base:\n    pass\ndef make():\n    return Base()\nthing = make()\n",
        "def make():\n    pass\ndef make():\n    return thing\nthing = 1\n",
    ),
    "pkg/other.py": (
        "class Other:\n    def run(self):\n        return 1\n    def stop(self):\n        return 2\n\ndef make():\n    return Other()\n",
        "class Other:\n    @property\n    def part(self) -> 'Piece':\n        return 0\n\nclass Piece:\n    def run(self): ...\n    def stop(self): ...\n",
        "from pkg.core import *\n",
        "def make():\n    import pkg.core\n    return pkg.core.make()\n",
    ),
    "pkg/use.py": (
        "from pkg import make\n\ndef go():\n    made = make()\n    made.run()\n    return made.stop()\n",
        "import pkg.core as c\nfrom .core import Base\n\nclass Mine(Base):\n    def go(self):\n        self.run()\n        super().stop()\n        return c.make().part.run()\n",
        "from pkg.core import *\nfrom pkg.other import *\n\ndef go(x: Base, y: 'Other'):\n    x.run(); y.stop(); make()\n    y.part.stop()\n",
        "import pkg\n\nclass Holder:\n    def __init__(self):\n        self.it = pkg.make()\n    def go(self):\n        self.it.run()\n",
    ),
    "far.py": (
        "from pkg.use import go, Holder, Mine\n\ngo()\nHolder().it.stop()\nMine().run()\n",
        "from pkg.use import *\nfrom pkg import *\n\nbuild()\ncore.make().run()\nmake().run()\n",
    ),
    "tests/test_far.py": (
        "from far import go\nfrom pkg.core import thing\n\ndef test_go():\n    go()\n    thing.run()\n",
    ),
    "src/pkg/core.py": ("def make():\n    return 3\n",),
    "src/pkg/__init__.py": ("",),
}

_CHOICE = st.tuples(st.sampled_from(sorted(VARIANTS)), st.integers(-1, 4))
_STEPS = st.lists(st.lists(_CHOICE, min_size=1, max_size=3), min_size=1, max_size=6)


def changed(files: Mapping[str, str], step: list[tuple[str, int]]) -> dict[str, str]:
    """The tree with some files in another variant, or gone."""
    made = dict(files)
    for path, number in step:
        made.pop(path, None)
        if number >= 0:
            made[path] = VARIANTS[path][number % len(VARIANTS[path])]
    return made


def whole() -> dict[str, str]:
    return {path: variants[0] for path, variants in VARIANTS.items() if not path.startswith("src/")}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_STEPS)
def test_step_by_step_is_as_good_as_anew(steps: list[list[tuple[str, int]]]) -> None:
    files = whole()
    store = MemoryStore()
    index(store, files)
    for step in steps:
        files = changed(files, step)
        assert dump(index(store, files)) == dump(index(MemoryStore(), files))


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=_STEPS)
def test_the_local_store_keeps_the_same_edges(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, int]]]
) -> None:
    files = whole()
    kept = MemoryStore()
    store = LocalStore(tmp_path_factory.mktemp("index"))
    for step in steps:
        files = changed(files, step)
        snapshot = index(store, files)
        assert dump(snapshot) == dump(index(kept, files))
        snapshot.close()


@pytest.fixture(params=["memory", "local"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else LocalStore(tmp_path)


HELP = """
    # help.py
    def aid():
        return 1
    # serve.py
    from help import aid, extra

    def serve():
        return aid() + extra()
    # idle.py
    def idle():
        return 0
"""


def test_editing_a_callee_keeps_its_callers_and_a_missing_one_that_comes_gets_them(store: Store) -> None:
    files = tree(HELP)
    assert list(sites(index(store, files), "help.py", "aid")) == [("serve.py", "serve", 4)]
    files["help.py"] = "\n\ndef aid():\n    return 2\n\n\ndef extra():\n    return 3\n"
    snapshot = index(store, files)
    assert list(sites(snapshot, "help.py", "aid")) == [("serve.py", "serve", 4)]
    assert list(sites(snapshot, "help.py", "extra")) == [("serve.py", "serve", 4)]
    del files["help.py"]
    assert list(index(store, files).edges()) == []


HUB = """
    # hub.py
    class Hub:
        def run(self):
            return 1
    # near.py
    from hub import Hub

    def near(hub: Hub, other):
        with hub as held:
            hub.get()
        other.get()
    # far.py
    from hub import Hub

    def far(table):
        return Hub().run(), table.get(1)
"""


def test_a_common_name_concerns_only_those_who_may_mean_it(store: Store, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    files = tree(HUB) | {f"user{n}.py": f"import hub\n\ndef user{n}(x):\n    x.get()\n" for n in range(20)}
    files |= {f"idle{n}.py": "def idle():\n    return 0\n" for n in range(70)}
    root.mkdir()
    assert linked_again(store, root, files) == set(files)
    hub = files["hub.py"]
    assert linked_again(store, root, {"hub.py": hub + "\ndef get():\n    pass\n"}) == {"hub.py", "near.py"}
    assert linked_again(store, root, {"hub.py": hub + "    def get(self):\n        pass\n"}) == {
        "hub.py",
        "near.py",
    }
    assert list(sites(store.snapshot(), "hub.py", "Hub.get")) == [("near.py", "near", 5)]
    entered = hub + "    def __enter__(self):\n        pass\n"
    assert "near.py" in linked_again(store, root, {"hub.py": entered})
    assert list(sites(store.snapshot(), "hub.py", "Hub.__enter__")) == [("near.py", "near", 4)]


def test_only_what_is_concerned_is_linked_again(store: Store, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    files = tree(HELP) | {
        f"more{n}.py": f"from help import aid\n\ndef more{n}():\n    aid()\n" for n in range(20)
    }
    files |= {f"idle{n}.py": "def idle():\n    return 0\n" for n in range(70)}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    assert linked_again(store, root, {}) == set(files)
    other_body = "def aid():\n    other = len('x')\n    return 1\n"
    assert linked_again(store, root, {"help.py": other_body}) == {"help.py"}
    one_more = other_body + "\ndef extra():\n    pass\n"
    assert linked_again(store, root, {"help.py": one_more}) == {"help.py", "serve.py"}
    assert len(linked_again(store, root, {"help.py": "def extra():\n    pass\n"})) == 22


def linked_again(store: Store, root: Path, texts: Mapping[str, str]) -> set[str]:
    """The files whose edges were written by an update after these files were written."""
    events: list[Progress] = []
    for path, text in texts.items():
        (root / path).write_text(text)
    update(DirectorySource(root), store, Options(), events.append)
    return {event.path for event in events if event.phase == "link"}


def test_edges_are_dumped_with_site_and_reason(store: Store) -> None:
    found = list(index(store, tree(HELP)).edges())
    assert Edge("serve.py", 0, "help.py", 0, "calls", 0.95, 4, 11, "import") in found
    assert [edge.kind for edge in found] == ["imports", "imports", "calls"]
