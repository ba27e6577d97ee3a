"""Counting answers: what is kept of them, where, by whom, and what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint
from mcp_client import wired
from planting import planted
from trigpoint.model import ANSWERS
from trigpoint.surfaces.cli import main

TREE = {"src/secretly_named.py": "def pump_water(valve):\n    return valve.open()\n\n\n" + "# filler\n" * 400}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    root = planted(tmp_path / "project", TREE)
    monkeypatch.chdir(root)
    with trigpoint.open(root) as engine:
        engine.index()
    return root


def stats(capsys: pytest.CaptureFixture[str]) -> dict:
    capsys.readouterr()
    main(["stats", "--json"])
    return json.loads(capsys.readouterr().out)


def tally(project: Path) -> Path:
    with trigpoint.open(project) as engine:
        return engine.settings.index_dir / ANSWERS


def test_every_surface_counts_and_a_warmed_server_does_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats"]) == 1
    assert "no answer was counted yet" in capsys.readouterr().out
    assert main(["search", "pump water"]) == 0
    assert main(["context", "pump water"]) == 0
    with trigpoint.open(project) as engine:
        engine.search("pump water")
        engine.context("pump water")
        assert engine.stats().total[1:3] == (2, 2)
    with wired(project, project.parent / "cache") as client:
        client.shake_hands()
        client.call("search", query="pump water")
        client.call("context", query="pump water")
    found = stats(capsys)
    assert (found["total"]["searches"], found["total"]["contexts"]) == (3, 3)
    (day,) = found["days"]
    assert 0 < day["given_tokens"] < day["files_tokens"]
    assert day["files_tokens"] == pytest.approx(
        6 * (project / "src/secretly_named.py").stat().st_size // 4, abs=6
    )


def test_no_word_of_question_or_path_is_kept(project: Path) -> None:
    assert main(["search", "pump water"]) == 0
    kept = tally(project).read_text()
    assert kept.split(" ")[1] == "search"
    assert not [word for word in ("pump", "secretly", "src", "valve") if word in kept]
    assert tally(project).stat().st_mode & 0o077 == 0


def test_the_setting_turns_it_off(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRIGPOINT_STATS", "off")
    assert main(["search", "pump water"]) == 0 and main(["context", "pump water"]) == 0
    assert not tally(project).exists()
    assert stats(capsys)["counting"] is False
    (project / "trigpoint.toml").write_text("stats = true\n")  # a project may not turn it on again
    assert main(["search", "pump water"]) == 2


def test_an_index_in_the_project_leaves_the_tally_in_the_cache(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "trigpoint.toml").write_text("[index]\nin_repository = true\n")
    assert main(["search", "pump water"]) == 0
    found = stats(capsys)
    assert found["total"]["searches"] == 1
    assert Path(found["file"]).is_relative_to(tmp_path / "cache")
    assert list(project.rglob(ANSWERS)) == []


def test_a_folder_that_cannot_be_written_costs_no_answer(project: Path) -> None:
    tally(project).mkdir()  # as unwritable for root as for anybody
    assert main(["search", "pump water"]) == 0 and main(["context", "pump water"]) == 0


def test_lines_of_many_processes_stay_whole(project: Path) -> None:
    script = "import sys, trigpoint\nwith trigpoint.open('.') as e:\n    for _ in range(150): e.search('pump', update=False)"
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [one.wait(120) for one in running] == [0, 0, 0]
    lines = tally(project).read_text().splitlines()
    assert len(lines) == 450 and len(set(lines)) == 1
    with tally(project).open("a") as file:
        file.write("2026-01-01 search 1")  # a full disk
    with trigpoint.open(project) as engine:
        assert engine.stats().total.searches == 450


def test_days_are_told_apart_and_removed_with_the_index(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tally(project).write_text(
        "2026-01-02 context 100 1000\n2026-01-01 search 10 200\n2026-01-02 search 20 2000\n"
    )
    found = stats(capsys)
    assert [day["day"] for day in found["days"]] == ["2026-01-01", "2026-01-02"]
    assert found["days"][1] == {
        "day": "2026-01-02",
        "searches": 1,
        "contexts": 1,
        "given_tokens": 120,
        "files_tokens": 3000,
    }
    assert main(["stats"]) == 0
    shown = capsys.readouterr().out
    assert "2026-01-02" in shown and "4 %" in shown and "upper bound" in shown
    assert main(["clean"]) == 0
    assert not tally(project).parent.exists()


def test_counting_loads_nothing(project: Path) -> None:
    script = "import sys\nfrom trigpoint.surfaces.cli import main\nmain(['search', 'pump_water'])\nprint(*sys.modules)"
    on, off = (
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "TRIGPOINT_STATS": word},
        )
        for word in ("on", "off")
    )
    assert set(on.stdout.splitlines()[-1].split()) == set(off.stdout.splitlines()[-1].split())
