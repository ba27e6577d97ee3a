"""Plans are values: budgets, capabilities, stages and the planner need no index."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from trigpoint.errors import UsageError
from trigpoint.operations import PIPELINES as OFFERED
from trigpoint.search.pipelines.named import PIPELINES
from trigpoint.search.pipelines.planner import (
    RetrievalPlanner,
    build_planner_preload_stages,
    build_retrieve_plan,
)
from trigpoint.search.pipelines.values import (
    GraphExpansionPlan,
    RetrievalBudget,
    RetrievalCapabilities,
    RetrievalPathPlan,
    RetrievalStagePlan,
)
from trigpoint.search.plan import AUTO

ALL = RetrievalCapabilities(has_graph=True, has_llm_rerank=True)


def test_what_surfaces_offer_are_the_pipelines_there_are() -> None:
    assert (AUTO, *PIPELINES) == OFFERED


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: RetrievalBudget("slow"), "fast, balanced, thorough"),
        (lambda: RetrievalBudget(retrieve_top_k=0), "1 or more"),
        (lambda: RetrievalBudget(rerank_candidate_top_k=-1), "1 or more"),
        (lambda: RetrievalStagePlan("regex"), "dense, sparse"),
        (lambda: RetrievalStagePlan("dense", weight=0), "more than 0"),
        (lambda: RetrievalStagePlan("dense", params={"mask": 1}), "masks"),
        (lambda: GraphExpansionPlan(direction="up"), "both, forward, backward"),
        (lambda: GraphExpansionPlan(hops=0), "1 or more"),
        (lambda: GraphExpansionPlan(damping=1.0), "between 0 and 1"),
        (lambda: GraphExpansionPlan(edge_kinds=("likes",)), "calls"),
        (lambda: RetrievalPathPlan("p", "i", (), 5), "RetrievalStagePlan"),
        (lambda: RetrievalPathPlan("p", "i", (RetrievalStagePlan("dense"),), 5, "sum"), "rrf"),
        (lambda: RetrievalPathPlan("p", "i", build_retrieve_plan("hybrid"), 5, "none"), "weighted"),
        (lambda: RetrievalPathPlan("p", "i", build_retrieve_plan(), 5, enable_rerank=True), "embedding"),
        (lambda: RetrievalPathPlan("p", "i", build_retrieve_plan(), 5, graph_weight=0.5), "leave it 0"),
        (lambda: build_retrieve_plan("both"), "auto, dense, sparse, hybrid"),
        (lambda: RetrievalPlanner().normalize_budget("huge"), "fast, balanced, thorough"),
        (lambda: build_planner_preload_stages(RetrievalCapabilities(False, False)), "BM25"),
        (lambda: RetrievalPlanner().select("x", "fast", RetrievalCapabilities(False, False)), "BM25"),
    ],
)
def test_a_wrong_value_is_refused_with_what_would_be_right(make, hint: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert isinstance(caught.value, UsageError)
    assert hint in caught.value.hint


def test_values_are_frozen_and_normal() -> None:
    budget = RetrievalBudget(" Fast ")
    assert budget.tier == "fast"
    with pytest.raises(FrozenInstanceError):
        budget.tier = "balanced"  # type: ignore[misc]


def test_the_defaults_are_those_of_the_field() -> None:
    graph = GraphExpansionPlan()
    assert (graph.seed_top_k, graph.expand_top_k, graph.hops, graph.direction, graph.use_ppr, graph.damping) == (
        8, 80, 2, "both", False, 0.85,
    )  # fmt: skip
    tiers = [RetrievalPlanner().normalize_budget(one) for one in ("cheap", "default", "full")]
    assert [(one.tier, one.retrieve_top_k, one.rerank_candidate_top_k) for one in tiers] == [
        ("fast", 32, None),
        ("balanced", 100, 50),
        ("thorough", 128, 80),
    ]
    assert [(one.engine, one.weight, one.top_k) for one in build_retrieve_plan("auto")] == [
        ("dense", 0.6, 128),
        ("sparse", 0.4, 128),
    ]
    assert [(one.engine, one.weight, one.top_k) for one in build_retrieve_plan("hybrid")] == [
        ("dense", 0.6, 100),
        ("sparse", 0.4, 100),
    ]


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("who calls parse_args", (True, False, True)),
        ("blast radius of the cache", (False, False, True)),
        ("`Session.open`", (True, False, False)),
        ("ConnectionManager", (True, False, False)),
        ("src/app.py", (True, False, False)),
        ("how are uploads retried", (False, True, False)),
        ("parse config", (True, False, False)),
        ("the place that turns a list of rows into pages for readers", (False, True, False)),
        ("", (False, False, False)),
    ],
)
def test_questions_are_seen_for_what_they_are(question: str, seen: tuple) -> None:
    found = RetrievalPlanner().classify_query(question)
    assert (found.lexical, found.semantic, found.structural) == seen
    assert found.mixed == (sum(seen) >= 2)


@pytest.mark.parametrize(
    ("question", "budget", "there", "name", "rerank"),
    [
        ("who calls parse", "balanced", ALL, "structural_graph", "embedding"),
        ("who calls parse", "thorough", ALL, "structural_graph", "llm"),
        ("who calls parse", "fast", ALL, "fast_lexical", None),
        ("who calls parse", "balanced", RetrievalCapabilities(), "hybrid_fusion", "embedding"),
        ("how are uploads retried", "balanced", ALL, "semantic", "embedding"),
        ("how are uploads retried", "fast", ALL, "semantic", None),
        ("how are uploads retried", "balanced", RetrievalCapabilities(has_dense=False), "fast_lexical", None),
        ("parse_config", "balanced", RetrievalCapabilities(has_sparse=False), "semantic", "embedding"),
        ("how does parse_config work", "balanced", ALL, "hybrid_fusion", "embedding"),
        (
            "how does parse_config work",
            "balanced",
            RetrievalCapabilities(has_embedding_rerank=False),
            "hybrid_fusion",
            None,
        ),
    ],
)
def test_the_planner_takes_what_fits_the_question_the_budget_and_what_is_there(
    question: str, budget: str, there: RetrievalCapabilities, name: str, rerank: str | None
) -> None:
    plan = RetrievalPlanner().select(question, budget, there)
    assert (plan.name, plan.rerank_strategy) == (name, rerank)
    assert plan.rationale
    assert plan == RetrievalPlanner().select(question, budget, there)


def test_a_structural_plan_grows_with_the_budget() -> None:
    planner = RetrievalPlanner()
    balanced = planner.select("who calls parse", "balanced", ALL).graph
    thorough = planner.select("who calls parse", "thorough", ALL).graph
    small = planner.select("who calls parse", RetrievalBudget(retrieve_top_k=12), ALL).graph
    assert balanced is not None and thorough is not None and small is not None
    assert (balanced.seed_top_k, balanced.expand_top_k, balanced.use_ppr) == (8, 100, False)
    assert (thorough.seed_top_k, thorough.expand_top_k, thorough.use_ppr) == (10, 128, True)
    assert small.seed_top_k == 5
    one = planner.select("how does a_b work", RetrievalBudget(prefer_rrf=False), ALL)
    assert (one.fusion, one.uses_dense, one.uses_sparse, one.uses_graph) == ("weighted", True, True, False)
