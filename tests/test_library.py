"""The public door: what `import trigpoint` offers, and what it costs."""

import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint


def test_all_is_sorted_and_true() -> None:
    assert trigpoint.__all__ == sorted(trigpoint.__all__)
    for name in trigpoint.__all__:
        assert getattr(trigpoint, name) is not None


def test_every_error_is_public_and_has_a_hint() -> None:
    from trigpoint import errors

    public = {name for name in vars(errors) if name.endswith("Error")}
    assert public <= set(trigpoint.__all__)
    assert errors.UsageError("what", "do this").hint == "do this"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = trigpoint.nonsense


def test_importing_is_light() -> None:
    script = "import sys, trigpoint; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    ).stdout.split()
    assert not {"trigpoint.engine", "trigpoint.model", "sqlite3", "tantivy"} & set(loaded)


def test_open_takes_settings_by_their_python_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "a.py").write_text("def alpha():\n    return 1\n")
    with trigpoint.open(tmp_path, search_limit=5, lexical="fts5") as project:
        assert project.settings.search_limit == 5
        assert project.search("alpha").hits[0].hit.chunk.path == "a.py"
    with pytest.raises(trigpoint.ConfigError, match="serach_limit"):
        trigpoint.open(tmp_path, serach_limit=5)
    with pytest.raises(trigpoint.NotFoundError):
        trigpoint.open(tmp_path / "nowhere")
