"""The settings of a search: each has an effect, and a bad one says what would be good."""

from pathlib import Path

import pytest

import trigpoint
from planting import planted

TREE = {
    "src/store.py": "def save_order(order):\n    return write(order)\n\n\ndef write(order):\n    return flush(order)\n\n\ndef flush(order):\n    return order\n",
    "legacy/store.py": "def save_order(order):\n    # save the order\n    return order\n",
    "web/page.py": "from src.store import save_order\n\n\ndef page(order):\n    return save_order(order)\n\n\ndef other(order):\n    return save_order(order)\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_CHUNK_MIN_TOKENS", "0")
    return planted(tmp_path / "shop", TREE)


def search(root: Path, question: str, **settings: object) -> trigpoint.Pack:
    with trigpoint.open(root, **settings) as engine:
        return engine.search(question)


def paths(pack: trigpoint.Pack) -> list[str]:
    return [one.hit.chunk.path for one in pack.hits]


def test_boosts_move_folders_up_and_down_and_say_so(project: Path) -> None:
    up = search(project, "where is an order saved", search_boosts="legacy/**=3")
    down = search(project, "where is an order saved", search_boosts="legacy=-3, src/**=1")
    assert paths(up)[0] == "legacy/store.py" and paths(down)[-1] == "legacy/store.py"
    assert any(reason.name == "signal:boost" and reason.value == 3 for reason in up.hits[0].hit.evidence)


@pytest.mark.parametrize("bad", ["legacy", "legacy=much", "=1", "legacy=99"])
def test_a_bad_boost_is_refused(project: Path, bad: str) -> None:
    with pytest.raises(trigpoint.UsageError, match=r"search\.boosts") as caught:
        search(project, "order", search_boosts=bad)
    assert "src/**=0.5" in caught.value.hint


def test_similarity_keeps_far_chunks_out_of_the_vector_leg(project: Path) -> None:
    question = "how is an order put away"
    legs = [
        sum(
            reason.name == "leg:vector"
            for one in search(project, question, search_similarity=least).hits
            for reason in one.hit.evidence
        )
        for least in (0.0, 1.0)
    ]
    assert legs[0] > 0 == legs[1]


def test_hops_and_fan_change_a_walk(project: Path) -> None:
    near = search(project, "what does save_order depend on", search_graph_hops=1)
    far = search(project, "what does save_order depend on", search_graph_hops=2)
    names = [{one.hit.name for one in pack.hits if "hop" in str(one.hit.evidence)} for pack in (near, far)]
    assert "flush" in names[1] - names[0]
    wide = search(project, "what breaks if write changes", search_graph_hops=3)
    cut = search(project, "what breaks if write changes", search_graph_hops=3, search_graph_fan=1)
    reached = [
        {one.hit.name for one in pack.hits if "hop 2" in str(one.hit.evidence)} for pack in (wide, cut)
    ]
    assert {"page", "other"} <= reached[0] and len(reached[1]) < len(reached[0])
