"""What a search process pays before it answers: no module that only indexing needs, and no vocabulary."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint
from trigpoint.text.tokens import ESTIMATE, TOKENIZER, counter, counts, safe_counts

HEAVY = {
    "dataclasses",
    "inspect",
    "numpy",
    "tomllib",
    "toktok",
    "tree_sitter",
    "trigpoint.indexing.chunk",
    "trigpoint.indexing.grammar",
    "trigpoint.indexing.outline",
    "trigpoint.indexing.pool",
    "trigpoint.indexing.record",
    "trigpoint.indexing.run",
    "trigpoint.indexing.worker",
    "trigpoint.sources.entries",
    "trigpoint.stores.local.writer",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    path = root / "pump.py"
    path.write_text("def start_pump(valve):\n    return valve.open()\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    with trigpoint.open(root) as engine:
        engine.index()
        assert engine.search("pump").freshness.state == "fresh"
    monkeypatch.chdir(root)
    return root


def loaded(*argv: str) -> set[str]:
    """The modules of a process that has run a command."""
    script = f"import sys\nfrom trigpoint.surfaces.cli import main\nassert main({list(argv)!r}) == 0\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "asked", [["start_pump"], ["start_pump", "--json"], ["start pump", "--tier", "fast"]], ids=str
)
def test_a_warm_search_loads_nothing_of_indexing(asked: list[str], project: Path) -> None:
    assert not loaded("search", *asked) & HEAVY


def test_a_question_in_words_loads_the_arithmetic_of_vectors_and_no_parser(project: Path) -> None:
    modules = loaded("search", "start pump")
    assert "numpy" in modules
    assert not modules & {"tree_sitter", "toktok"}


def test_a_token_budget_is_counted_exactly(project: Path) -> None:
    assert "toktok" in loaded("search", "start pump", "--tokens", "400", "--json")
    with trigpoint.open(project) as engine:
        assert engine.search("pump", tokens=400).tokenizer == TOKENIZER
        assert engine.search("pump").tokenizer == ESTIMATE
    with trigpoint.open(project, search_tokens=400) as engine:
        assert engine.search("pump").tokenizer == TOKENIZER


def test_estimates_err_on_the_safe_side() -> None:
    here = Path(__file__).parent
    texts = [path.read_text(encoding="utf-8")[:6_000] for path in sorted(here.glob("*.py"))]
    texts += [
        "x",
        "",
        "日本語の文章です。",
        "a=1;b=[2,3];c={'d':4}",
        "0123456789abcdef" * 40,
        "\t\t\tif x:\n\n\n",
    ]
    exact, safe = counts(texts), safe_counts(texts)
    assert counter(TOKENIZER)(texts) == exact
    assert counter(ESTIMATE)(texts) == safe
    assert sum(safe) < 1.6 * sum(exact)
    assert all(many >= 0.95 * number for many, number in zip(safe, exact, strict=True))
