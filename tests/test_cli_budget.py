"""The token budget holds for all that is written, not only for the code in it."""

import json
import os
from pathlib import Path

import pytest

from trigpoint.surfaces.cli import main
from trigpoint.text.tokens import count

FUNCTION = '''\
def rates_{n}(table, day):
    """Exchange rates of table {n} for one day, with the weekend taken from Friday."""
    for attempt in range({n}, 100):
        if (found := table.lookup(day, attempt)) is not None:
            return found * {n} + attempt
    return table.default


'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    for file in range(12):
        path = root / f"rates_{file}.py"
        path.write_text("".join(FUNCTION.format(n=file * 10 + n) for n in range(8)))
        os.utime(path, (1_700_000_000, 1_700_000_000))
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("extra", [[], ["--json"], ["--jsonl"]], ids=str)
@pytest.mark.parametrize("tokens", [256, 500, 2000])
def test_the_whole_answer_keeps_to_its_budget(
    extra: list[str], tokens: int, project: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["search", "exchange rates table", "--tokens", str(tokens), *extra]) == 0
    first = capsys.readouterr().out
    assert count(first) <= tokens
    if extra and tokens == 2000:
        assert count(first) > 1000
        paths = {item["path"] for item in _results(first) if item["window"]}
        assert len(paths) > 2
        assert "to keep to 2,000 tokens" in first
    main(["search", "exchange rates table", "--tokens", str(tokens), *extra])
    assert capsys.readouterr().out == first


def _results(shown: str) -> list:
    lines = [json.loads(line) for line in shown.splitlines()]
    return (
        lines[0]["results"] if "results" in lines[0] else [line for line in lines if line["type"] == "result"]
    )
