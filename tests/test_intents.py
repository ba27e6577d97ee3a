"""The intent table: each row is reached by its examples, and each column has its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import trigpoint
from planting import planted
from trigpoint.model import Pack
from trigpoint.search import intents, run
from trigpoint.search.intents import INTENTS, Intent, intent_of
from trigpoint.search.pack import MODES
from trigpoint.search.plan import TIERS, Plan
from trigpoint.search.understand import understand

TREE = {
    "pump.py": '"""Pumps."""\n\n\ndef prime_pump(pump):\n    return pump\n\n\ndef drain_pump(pump):\n    return pump\n',
    "valve.py": "from pump import prime_pump\n\n\ndef open_valve(valve):\n    return prime_pump(valve)\n" * 1,
    "docs/pump.md": "# Pump\n\nHow a pump is primed.\n",
}


@pytest.mark.parametrize(("row", "text"), [(row.name, text) for row in INTENTS for text in row.examples])
def test_every_example_reaches_its_row(row: str, text: str) -> None:
    assert intent_of(understand(text)).name == row


def test_rows_name_legs_and_packings_that_exist() -> None:
    for row in INTENTS:
        assert {leg for leg, _ in row.legs} <= set(run.LEGS), row.name
        assert row.packing in MODES, row.name


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Pack]]:
    """Ask a small project, with one column of every row changed."""
    root = planted(tmp_path / "works", TREE)
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        engine.index()

        def ask(text: str, limit: int | None = None, tier: str | None = None, **columns: object) -> Pack:
            changed: tuple[Intent, ...] = tuple(row._replace(**columns) for row in INTENTS)
            monkeypatch.setattr(intents, "INTENTS", changed)
            return engine.search(text, limit=limit, tier=tier)

        yield ask


def paths(pack: Pack) -> list[str]:
    return [one.hit.chunk.path for one in pack.hits]


def reasons(pack: Pack) -> set[str]:
    return {reason.name for one in pack.hits for reason in one.hit.evidence}


def test_the_legs_column_decides_who_votes(asked: Callable[..., Pack]) -> None:
    question = "how is a pump primed"
    assert "leg:lexical" in reasons(asked(question, legs=(("lexical", 1.0),)))
    assert "leg:path" not in reasons(asked(question, legs=(("lexical", 1.0),)))
    assert "leg:path" in reasons(asked(question, legs=(("lexical", 1.0), ("path", 1.0))))


def test_the_weight_of_a_leg_counts(asked: Callable[..., Pack]) -> None:
    def share(weight: float) -> float:
        pack = asked("how is a pump primed", legs=(("lexical", 1.0), ("path", weight)))
        return max(r.value for one in pack.hits for r in one.hit.evidence if r.name == "leg:path")

    assert share(2.0) > share(0.5)


def test_the_symbol_budget_bounds_the_hits_and_a_limit_overrides_it(asked: Callable[..., Pack]) -> None:
    assert len(asked("pump", symbols=1).hits) == 1
    assert len(asked("pump", limit=3, symbols=1).hits) > 1


def test_the_token_budget_is_that_of_the_row(asked: Callable[..., Pack]) -> None:
    assert asked("how is a pump primed", tokens=1234).budget == 1234


def test_the_packing_column_decides_what_is_shown(asked: Callable[..., Pack]) -> None:
    question = "how is a pump primed"
    code = asked(question, packing="depth first").hits[0].window
    outline = asked(question, packing="outline").hits[0].window
    assert code is not None and outline is not None
    assert "return pump" in code.text
    assert "return pump" not in outline.text


def test_the_outline_of_a_file_is_sent_once(asked: Callable[..., Pack]) -> None:
    packs = asked("how is a pump primed", packing="outline")
    shown = [one.hit.chunk.path for one in packs.hits if one.window is not None and one.window.outline]
    assert shown and len(shown) == len(set(shown))


def test_the_repeat_column_decides_how_long_one_file_may_go_on(tmp_path: Path) -> None:
    body = "".join(
        f"def pump_{n}(x):\n" + "    x = x + 'pump'\n" * 60 + "    return x\n\n\n" for n in range(6)
    )
    root = planted(tmp_path / "works", {"pump.py": body, "other.py": "def other(pump):\n    return pump\n"})
    rows = tuple(
        row._replace(repeat=repeat) for repeat in (0.01, 1.0) for row in INTENTS if row.name == "concept"
    )
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        engine.index()
        kept = []
        for row in rows:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(intents, "INTENTS", (row,))
                kept.append([one.hit.score for one in engine.search("how does a pump go", limit=5).hits])
    assert min(kept[1]) > min(kept[0])


@pytest.mark.parametrize("name", sorted(TIERS))
def test_a_tier_is_a_plan_of_its_own(name: str) -> None:
    plan = Plan(tier=name).checked()
    assert plan.work == TIERS[name]
    assert name in plan.name(INTENTS[-1])


def test_fast_finds_names_only_as_they_are_written(asked: Callable[..., Pack]) -> None:
    legs = (("symbol", 1.0),)
    assert not asked("how is a pump drained", tier="fast", legs=legs).hits
    assert asked("how does drain pump go", tier="balanced", legs=legs).hits


def test_a_plan_that_cannot_be_carried_out_is_refused() -> None:
    for plan in (Plan(tier="hasty"), Plan(limit=0)):
        with pytest.raises(trigpoint.UsageError):
            plan.checked()


def test_the_signals_column_weighs_them_otherwise(asked: Callable[..., Pack]) -> None:
    def share(pack: Pack, name: str) -> float:
        return max((r.value for one in pack.hits for r in one.hit.evidence if r.name == name), default=0.0)

    question = "how is a pump primed"
    plain, heavy, none = (
        asked(question, signals=given) for given in ((), (("file-name", 8.0),), (("file-name", 0.0),))
    )
    assert share(heavy, "signal:file-name") > share(plain, "signal:file-name") > 0
    assert share(none, "signal:file-name") == 0
    assert share(plain, "signal:covered") == 0
    assert share(asked(question, signals=(("covered", 1.0),)), "signal:covered") > 0


def test_a_task_wants_the_place_that_holds_most_of_its_words(tmp_path: Path) -> None:
    tree = {
        "loud.py": "def log(valve):\n    valve.valve(valve, valve.valve)\n    return valve\n",
        "quiet.py": "def note(valve):\n    # the pressure of a batch that was skipped\n    return valve.spare\n",
    }
    root = planted(tmp_path / "works", tree)
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        engine.index()
        pack = engine.search("fix the pressure of a valve for a skipped batch")
    assert pack.intent == "task"
    first = pack.hits[0].hit
    assert first.chunk.path == "quiet.py"
    values = {one.hit.chunk.path: {r.name: r.value for r in one.hit.evidence} for one in pack.hits}
    assert values["quiet.py"]["signal:covered"] > values["loud.py"]["signal:covered"] > 0


def test_a_glob_means_the_files_that_a_filter_would(tmp_path: Path) -> None:
    """``*`` went through folders here, and stopped at them in a filter."""
    body = "def py():\n    'The py of a hy file, in py.'\n    return py\n"
    root = planted(tmp_path / "works", {"hy/one.py": "x = 1\n", "hy/core/py.py": body, "hy/notes.md": "py\n"})
    with trigpoint.open(root, cache_dir=str(tmp_path / "cache")) as engine:
        engine.index()
        named = [
            one.hit.chunk.path
            for one in engine.search("hy/*.py").hits
            if any(reason.name == "signal:written-path" for reason in one.hit.evidence)
        ]
        assert named == ["hy/one.py"]
        assert engine.search("hy/*.py").hits[0].hit.chunk.path == "hy/one.py"
        assert {one.hit.chunk.path for one in engine.search("hy/**/*.py").hits[:2]} == {
            "hy/one.py",
            "hy/core/py.py",
        }
