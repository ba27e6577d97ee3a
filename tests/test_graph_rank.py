"""PageRank by pushing, communities, the map and the drawing."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from graphs import CLOCK, snapshot_of, snapshot_with
from trigpoint.graph.communities import bridges, communities, hubs
from trigpoint.graph.drawing import Wanted, drawing
from trigpoint.graph.kept import as_bytes, from_bytes
from trigpoint.graph.layout import layout, packed
from trigpoint.graph.map import project_map, ranked
from trigpoint.graph.rank import DAMPING, central, csr, push

Arcs = list[tuple[int, int, float]]


def by_iteration(arcs: Arcs, seeds: dict[int, float]) -> dict[int, float]:
    """Personalised PageRank as the books have it; what reaches a dead end is lost."""
    graph = csr(arcs)
    total = sum(seeds.values())
    start = {node: seeds.get(node, 0.0) / total for node in graph.nodes}
    rank = dict.fromkeys(graph.nodes, 0.0)
    flow = start
    for _ in range(200):
        after = dict.fromkeys(graph.nodes, 0.0)
        for place, node in enumerate(graph.nodes):
            rank[node] += (1 - DAMPING) * flow[node]
            for arc in range(graph.starts[place], graph.starts[place + 1]):
                after[graph.nodes[graph.ends[arc]]] += DAMPING * flow[node] * graph.shares[arc]
        flow = after
    return rank


ARCS = st.lists(
    st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from([0.3, 0.5, 1.0])), min_size=1, max_size=30
)


@given(ARCS)
def test_pushing_comes_as_near_as_it_promises(arcs: Arcs) -> None:
    graph = csr(arcs)
    if not graph.nodes:
        return
    seeds = {graph.nodes[0]: 1.0}
    exact = by_iteration(arcs, seeds)
    found = push(graph, seeds, epsilon=1e-6)
    assert all(abs(found.get(node, 0.0) - exact[node]) < 1e-4 for node in graph.nodes)
    whole = central(graph, dict.fromkeys(graph.nodes, 1.0))
    assert math.isclose(
        sum(whole.values()), sum(by_iteration(arcs, dict.fromkeys(graph.nodes, 1.0)).values()), abs_tol=0.1
    )


def test_rank_flows_to_what_is_used() -> None:
    rank = central(
        csr([(1, 9, 1.0), (2, 9, 1.0), (3, 9, 1.0), (9, 4, 1.0)]), dict.fromkeys((1, 2, 3, 4, 9), 1.0)
    )
    assert rank[9] > rank[1]
    assert rank[4] > rank[1]


def test_the_largest_weight_of_two_arcs_counts_and_loops_do_not() -> None:
    graph = csr([(1, 2, 0.5), (1, 2, 1.0), (1, 3, 1.0), (2, 2, 1.0)])
    assert list(graph.shares) == [0.5, 0.5]
    assert graph.place(7) == -1


TWO = {(a, b): 1.0 for group in ("abcd", "efgh") for a in group for b in group if a < b} | {("d", "e"): 0.5}


def test_two_dense_groups_are_two_communities() -> None:
    found = communities(list("abcdefgh"), TWO)
    assert {found[node] for node in "abcd"} == {0}
    assert {found[node] for node in "efgh"} == {1}


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=40))
def test_communities_number_every_node_and_are_the_same_each_time(pairs: list[tuple[str, str]]) -> None:
    links = dict.fromkeys(pairs, 1.0)
    found = communities(list("abcdefgh"), links)
    assert set(found) == set("abcdefgh")
    assert set(found.values()) == set(range(len(set(found.values()))))
    assert communities(list("abcdefgh"), dict(reversed(links.items()))) == found


def test_hubs_and_bridges() -> None:
    links = {("a", "x"): 1.0, ("b", "x"): 1.0, ("c", "y"): 1.0, ("x", "p"): 1.0, ("x", "q"): 1.0}
    assert hubs(links, 1) == [("x", 2)]
    group = {"a": 0, "b": 0, "x": 0, "c": 1, "y": 1, "p": 1, "q": 2}
    assert bridges(links, group, 3) == [("x", 2)]


def test_the_map_has_landmarks_of_code_with_what_is_around_them() -> None:
    whole = project_map(snapshot_of(CLOCK))
    shown = {file.path: [one.symbol.symbol.qualified for one in file.landmarks] for file in whole.files}
    assert "tests/test_face.py" not in shown
    assert shown["clock.py"][0] == "tick"
    small = whole.first(1)
    assert sum(len(file.landmarks) for file in small.files) == 1
    assert "of" in small.lacks()[0]
    method = next(
        place for place, one in enumerate(whole.landmarks) if one.symbol.symbol.qualified == "Face.show"
    )
    alone = whole._replace(landmarks=(whole.landmarks[method], *whole.landmarks)).first(1)
    assert [one.symbol.symbol.qualified for one in alone.files[0].landmarks] == ["Face", "Face.show"]


def test_a_use_in_a_test_counts_little() -> None:
    files = {"a.py": "def used():\n    pass\n\n\ndef tested():\n    pass\n"}
    files |= {"b.py": "from a import used\n\n\ndef go():\n    used()\n"}
    files |= {
        f"tests/test_{n}.py": "from a import tested\n\n\ndef test_it():\n    tested()\n" for n in range(3)
    }
    order = [one.symbol.symbol.name for one in project_map(snapshot_with(files)).landmarks]
    assert order.index("used") < order.index("tested")


def test_a_drawing_of_symbols_and_one_of_files() -> None:
    snapshot = snapshot_of(CLOCK)
    symbols = drawing(snapshot, Wanted())
    names = [node.name for node in symbols.nodes]
    assert ("even", "tick") in {
        (names[link.source], names[link.target]) for link in symbols.links if link.kind == "calls"
    }
    files = drawing(snapshot, Wanted("file"))
    assert {node.path for node in files.nodes} == {"clock.py", "face.py", "tests/test_face.py"}
    assert all(node.kind == "file" for node in files.nodes)
    assert [node.path for node in drawing(snapshot, Wanted("file", limit=1)).nodes] == [files.nodes[0].path]
    only = drawing(snapshot, Wanted(paths=frozenset({"clock.py"})))
    assert {node.path for node in only.nodes} == {"clock.py"}


def test_a_layout_is_the_same_each_time_and_nothing_overlaps() -> None:
    made = drawing(snapshot_of(CLOCK), Wanted())
    first = layout(made)
    assert first == layout(made)
    discs = list(first.files.values())
    assert all(
        math.hypot(a.x - b.x, a.y - b.y) >= a.radius + b.radius for a in discs for b in discs if a is not b
    )
    assert len(first.nodes) == len(made.nodes)


@given(st.dictionaries(st.integers(0, 20), st.floats(1, 50), min_size=1, max_size=15))
def test_packed_discs_never_overlap(radii: dict[int, float]) -> None:
    discs = list(packed(radii, {(a, b): 1.0 for a in radii for b in radii}, 2.0).values())
    assert len(set(discs)) == len(radii)
    assert all(
        math.hypot(a.x - b.x, a.y - b.y) >= a.radius + b.radius + 1.9
        for a in discs
        for b in discs
        if a is not b
    )


def test_ranks_that_were_kept_are_the_same_and_others_are_refused() -> None:
    ranks = ranked(snapshot_of(CLOCK))
    kept = as_bytes(ranks)
    found = from_bytes(kept)
    assert found == ranks
    assert list(found.ranks) == list(ranks.ranks)
    assert from_bytes(b"") is None
    assert from_bytes(kept[:-1]) is None
    assert from_bytes(b"rnk0" + kept[4:]) is None
