"""Layers: other folders of the work, other repositories and dependencies are asked beside the project, and count less."""

import os
from pathlib import Path

import pytest

import trigpoint
from planting import planted
from trigpoint.errors import ConfigError

BODY = '''
def {name}(session):
    """Sign the session cookie with the secret key."""
    return session.key
'''


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    planted(tmp_path / "app", {"app.py": BODY.format(name="sign_in_app"), "other.py": "def other(): ...\n"})
    planted(tmp_path / "near", {"near.py": BODY.format(name="sign_near")})
    planted(tmp_path / "lib", {"src/lib.py": BODY.format(name="sign_in_lib")})
    planted(tmp_path / "deps", {"dep.py": BODY.format(name="sign_in_dep")})
    return tmp_path


def opened(work: Path, **more: object) -> trigpoint.Engine:
    return trigpoint.open(
        work / "app",
        **{
            "layers_workspace": str(work / "near"),
            "layers_repository": str(work / "lib"),
            "layers_global": str(work / "deps"),
            **more,
        },
    )


def test_near_code_stands_above_far_code_and_says_so(work: Path) -> None:
    with opened(work) as project:
        assert "../deps (global): 1 files" in project.index().note
        pack = project.search("where is the session cookie signed")
    paths = [one.hit.chunk.path for one in pack.hits]
    assert paths[:2] in (["app.py", "../near/near.py"], ["../near/near.py", "app.py"])
    assert paths[2] == "../lib/src/lib.py" and "../deps/dep.py" in paths[3:]
    scores = {one.hit.chunk.path: one.hit.score for one in pack.hits}
    assert scores["../deps/dep.py"] == pytest.approx(scores["../lib/src/lib.py"] * 0.2)
    far = next(one for one in pack.hits if one.hit.chunk.path == "../deps/dep.py")
    assert "layer:global" in {reason.name for reason in far.hit.evidence}
    assert far.window is not None and "sign_in_dep" in far.window.text


def test_the_shares_are_settings(work: Path) -> None:
    with opened(work, layers_global_share=1.0, layers_repository_share=0.0) as project:
        project.index()
        paths = [one.hit.chunk.path for one in project.search("session cookie signed").hits]
    assert paths.index("../deps/dep.py") < paths.index("../lib/src/lib.py")


def test_what_is_not_indexed_is_named_and_never_slows_a_question(work: Path) -> None:
    with opened(work) as project:
        pack = project.search("session cookie signed")
        assert pack.hits[0].hit.chunk.path == "app.py"
        assert not any(one.hit.chunk.path.startswith("..") for one in pack.hits)
        assert any("../deps (global) is not indexed yet" in note for note in pack.notes)


def test_near_layers_are_fresh_and_dependencies_wait_for_trig_index(work: Path) -> None:
    with opened(work) as project:
        project.index()
        planted(work / "near", {"fresh.py": "def brand_new_thing(): ...\n"})
        planted(work / "deps", {"fresh.py": "def brand_new_thing(): ...\n"})
        assert [one.hit.chunk.path for one in project.search("brand_new_thing").hits] == ["../near/fresh.py"]
        project.index()
        found = [one.hit.chunk.path for one in project.search("brand_new_thing").hits]
        assert found == ["../near/fresh.py", "../deps/fresh.py"]


def test_a_path_of_an_answer_can_be_read(work: Path) -> None:
    with opened(work) as project:
        window = project.read("../lib/src/lib.py", 2, 3)
        assert window.span.path == "../lib/src/lib.py" and "sign_in_lib" in window.text
        with pytest.raises(trigpoint.TrigpointError):
            project.read("../lib/../outside.py")


def test_a_name_is_found_in_the_layers_and_a_file_of_theirs_is_outlined(work: Path) -> None:
    planted(work / "near", {"spelled.py": "def signInApp(): ...\n"})
    planted(work / "deps", {"again.py": BODY.format(name="sign_in_app")})
    with opened(work) as project:
        assert [one.path for one in project.symbol("sign_in_dep")] == []
        project.index()
        assert [one.path for one in project.symbol("sign_in_dep")] == ["../deps/dep.py"]
        found = [one.path for one in project.symbol("sign_in_app")]
        assert found == ["app.py", "../deps/again.py", "../near/spelled.py"]
        assert [one.path for one in project.symbol("sign_in_app", limit=1)] == ["app.py"]
        (lib,) = project.outline("../lib/src/lib.py")
        assert (lib.path, lib.symbol.name) == ("../lib/src/lib.py", "sign_in_lib")


def test_a_project_names_folders_inside_itself_only(work: Path) -> None:
    planted(work / "app", {"vendor/dep.py": BODY.format(name="sign_vendored"), ".gitignore": "vendor/\n"})
    (work / "app" / "trigpoint.toml").write_text('[layers]\nglobal = "vendor"\n')
    with trigpoint.open(work / "app") as project:
        project.index()
        paths = [one.hit.chunk.path for one in project.search("session cookie signed").hits]
        assert paths[0] == "app.py" and "vendor/dep.py" in paths
    (work / "app" / "trigpoint.toml").write_text('[layers]\nglobal = "../deps"\n')
    with trigpoint.open(work / "app") as project, pytest.raises(ConfigError, match="outside the project"):
        project.search("session")


def test_a_folder_that_is_not_there_is_an_error(work: Path) -> None:
    folders = os.pathsep.join((str(work / "deps"), str(work / "gone")))
    with opened(work, layers_global=folders) as project, pytest.raises(ConfigError, match="no folder"):
        project.search("session")
