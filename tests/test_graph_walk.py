"""Walks: least distances, cycles, hubs, candidates, ways. On graphs that are written out, and on linked code."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import CLOCK, hops, snapshot_of, snapshot_with
from trigpoint.graph.ask import Wish, ask, path
from trigpoint.graph.walk import Reach, shortest, walk, within
from trigpoint.model import StoredEdge, StoredSymbol, Symbol


class Written:
    """A graph of numbered functions, one line each; edges are (source, target) or with kind and confidence."""

    def __init__(self, *edges: tuple[object, ...], tops: Sequence[int] = ()) -> None:
        self.edges = [
            StoredEdge(edge[0], edge[1], *(edge[2:] or ("calls", 1.0)), line, 0, "lexical")  # type: ignore[arg-type]
            for line, edge in enumerate(edges, 1)
        ]
        self.tops = tops

    def nodes(self, ids: Sequence[int]) -> list[StoredSymbol]:
        return [
            StoredSymbol(
                one,
                "a.py",
                "python",
                Symbol(f"f{one}", f"f{one}", "file" if one in self.tops else "function", one, one, one, 0),
                one,
            )
            for one in ids
        ]

    def edges_from(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> list[StoredEdge]:
        return [edge for edge in self.edges if edge.source in ids and self._fits(edge, kinds, least)]

    def edges_to(self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0) -> list[StoredEdge]:
        return [edge for edge in self.edges if edge.target in ids and self._fits(edge, kinds, least)]

    def _fits(self, edge: StoredEdge, kinds: Sequence[str], least: float) -> bool:
        return (not kinds or edge.kind in kinds) and edge.confidence >= least


CALLS = ("calls",)


def reached(graph: Written, seeds: Sequence[int], reach: Reach) -> dict[int, int]:
    return {step.symbol.id: step.hop for step in walk(graph, seeds, reach).steps}


def test_each_node_comes_once_with_its_least_distance() -> None:
    graph = Written((1, 2), (2, 3), (1, 3), (3, 1), (3, 4))
    assert reached(graph, [1], Reach(CALLS, hops=9)) == {2: 1, 3: 1, 4: 2}
    assert reached(graph, [4], Reach(CALLS, backward=True, hops=9)) == {3: 1, 1: 2, 2: 2}


def test_kinds_and_confidence_bound_a_walk() -> None:
    graph = Written((1, 2), (1, 3, "imports", 1.0), (1, 4, "calls", 0.45))
    assert reached(graph, [1], Reach(CALLS, least=0.8)) == {2: 1}
    assert reached(graph, [1], Reach(CALLS)) == {2: 1, 4: 1}
    assert reached(graph, [1], Reach(("calls", "imports"), least=0.8)) == {2: 1, 3: 1}


def test_confidence_is_the_least_along_the_surest_way() -> None:
    graph = Written((1, 2, "calls", 0.9), (1, 3, "calls", 0.5), (2, 4, "calls", 0.95), (3, 4, "calls", 1.0))
    steps = {step.symbol.id: step for step in walk(graph, [1], Reach(CALLS, hops=2)).steps}
    assert steps[4].sure == 0.9
    assert steps[4].near == 2


def test_a_hub_on_the_way_is_cut_and_reported_but_not_what_was_asked_about() -> None:
    graph = Written((1, 2), *((2, other) for other in range(10, 20)))
    went = walk(graph, [1], Reach(CALLS, hops=2, fan=3))
    assert [step.symbol.id for step in went.steps] == [2, 10, 11, 12]
    assert [hub.id for hub in went.hubs] == [2]
    assert len(walk(graph, [2], Reach(CALLS, fan=3)).steps) == 10


def test_more_says_whether_there_is_something_beyond() -> None:
    graph = Written((1, 2), (2, 3))
    assert walk(graph, [1], Reach(CALLS, hops=1)).more
    assert not walk(graph, [1], Reach(CALLS, hops=2)).more


def test_nobody_walks_through_the_top_of_a_file() -> None:
    graph = Written((3, 2, "imports", 1.0), (2, 1, "imports", 1.0), tops=(2,))
    assert reached(graph, [1], Reach(("imports",), backward=True, hops=5)) == {2: 1}


def test_loops_are_steps_only_when_asked_for() -> None:
    graph = Written((1, 1), (2, 1))
    assert reached(graph, [1], Reach(CALLS, backward=True)) == {2: 1}
    assert reached(graph, [1], Reach(CALLS, backward=True, loops=True)) == {1: 1, 2: 1}


def test_what_is_inside_belongs_to_it() -> None:
    graph = Written((1, 2, "contains", 1.0), (2, 3, "contains", 1.0))
    assert within(graph, graph.nodes([1])) == [1, 2, 3]


def test_a_shortest_way_from_either_end() -> None:
    graph = Written((1, 2), (2, 3), (3, 4), (1, 5), (5, 4))
    way = shortest(graph, [1], [4], Reach(CALLS))
    assert way is not None
    assert [(edge.source, edge.target) for edge in way] == [(1, 5), (5, 4)]
    assert shortest(graph, [4], [1], Reach(CALLS)) is None
    assert shortest(graph, [1], [1, 4], Reach(CALLS)) == ()


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_walks_and_ways_agree_with_a_plain_search(
    edges: list[tuple[int, int]], first: int, last: int
) -> None:
    graph = Written(*edges)
    distances = {first: 0}
    todo = [first]
    for node in todo:
        for source, target in edges:
            if source == node and target not in distances:
                distances[target] = distances[node] + 1
                todo.append(target)
    assert reached(graph, [first], Reach(CALLS, hops=20)) == {
        node: far for node, far in distances.items() if far
    }
    way = shortest(graph, [first], [last], Reach(CALLS))
    assert (None if way is None else len(way)) == distances.get(last)
    assert all(
        before.target == after.source for before, after in zip(way or (), (way or ())[1:], strict=False)
    )


# the same on code


def test_impact_goes_backward_through_cycles_and_diamonds() -> None:
    snapshot = snapshot_of(CLOCK)
    found = dict(hops(ask("impact", "tick", snapshot, Wish(depth=9))))
    assert found == {
        "even": 1, "odd": 2, "left": 2, "right": 2, "top": 3, "Face.show": 4, "face.py": 4, "test_face": 5,
    }  # fmt: skip


def test_impact_shows_one_of_each_file_before_a_second_of_any() -> None:
    rows = ask("impact", "top", snapshot_of(CLOCK), Wish()).rows
    paths = [row.symbol.path for row in rows]
    assert paths[: len(set(paths))] == list(dict.fromkeys(paths))
    assert rows[0].name == "Face.show"
    assert [row.test for row in rows if row.symbol.path == "tests/test_face.py"] == [True]


def test_impact_says_how_far_it_goes_and_where_it_was_cut() -> None:
    answer = ask("impact", "tick", snapshot_of(CLOCK), Wish(depth=1))
    assert answer.affected is not None
    assert (answer.affected.symbols, answer.affected.files) == (1, 1)
    assert (
        any(
            "cut at depth 1" in note
            for note in ask("impact", "tick", snapshot_of(CLOCK), Wish(depth=2)).lacks()
        )
        is False
    )
    assert any(
        "cut at depth 2" in note for note in ask("impact", "even", snapshot_of(CLOCK), Wish(depth=2)).lacks()
    )


def test_deps_go_forward_and_a_class_has_those_of_its_methods() -> None:
    assert dict(hops(ask("deps", "Face", snapshot_of(CLOCK), Wish()))) == {"top": 1, "left": 2, "right": 2}
    assert dict(hops(ask("deps", "Face", snapshot_of(CLOCK), Wish(depth=1)))) == {"top": 1}


def test_callers_of_a_class_are_those_that_make_one() -> None:
    answer = ask("callers", "Face", snapshot_of(CLOCK), Wish())
    assert [(row.name, row.line) for row in answer.rows] == [("make", 11), ("test_face", 5)]
    assert answer.rows[0].sites[0].text == "return Face(2)"


def test_a_function_that_calls_itself_is_its_own_caller() -> None:
    snapshot = snapshot_of("# a.py\ndef fact(n):\n    return n and fact(n - 1)\n")
    assert hops(ask("callers", "fact", snapshot, Wish())) == [("fact", 1)]
    assert hops(ask("impact", "fact", snapshot, Wish())) == []


def test_a_way_and_the_way_back() -> None:
    snapshot = snapshot_of(CLOCK)
    assert [row.name for row in path("make", "tick", snapshot, Wish()).rows] == []
    assert [row.name for row in path("Face", "tick", snapshot, Wish()).rows] == [
        "top",
        "left",
        "even",
        "tick",
    ]
    back = path("tick", "Face.show", snapshot, Wish())
    assert [row.name for row in back.rows] == ["top", "left", "even", "tick"]
    assert any("way back" in note for note in back.notes)


LOOSE = {
    "a.py": "def use():\n    return stir()\n",
    "b.py": "from a import use\n\n\ndef stir():\n    return use()\n",
}


def test_uses_that_lead_nowhere_are_counted() -> None:
    answer = ask("callers", "stir", snapshot_with(LOOSE), Wish())
    assert not answer.rows
    assert answer.unresolved.uses == 1
    assert "1 use of this name could not be resolved: a.py:2" in answer.lacks()
    assert ask("callers", "use", snapshot_with(LOOSE), Wish()).unresolved.uses == 0


@pytest.mark.parametrize("guesses", [False, True])
def test_candidates_are_counted_until_they_are_asked_for_and_never_facts(guesses: bool) -> None:
    from trigpoint.model import Edge
    from trigpoint.stores.conformance_edges import linked
    from trigpoint.stores.memory import MemoryStore
    from trigpoint.stores.samples import fill, sample

    store = MemoryStore()
    fill(store, sample("a.py", "alpha", "beta"))
    snapshot = linked(store, Edge("a.py", 1, "a.py", 0, "calls", 0.45, 3, 4, "ambiguous"))
    answer = ask("callers", "alpha", snapshot, Wish(guesses=guesses))
    assert [row.certain for row in answer.rows] == ([False] if guesses else [])
    assert answer.hidden == (0 if guesses else 1)
    assert any("--guesses" in line for line in answer.lacks()) is not guesses
