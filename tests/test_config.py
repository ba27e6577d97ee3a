from pathlib import Path

import pytest

from trigpoint.config import SETTINGS, Settings, find_root, index_folder, keys_of, load, show
from trigpoint.errors import ConfigError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "user").mkdir()
    return tmp_path / "project"


def loaded(root: Path, flags: dict | None = None, **environ: str) -> Settings:
    return load(
        root, flags, {"TRIGPOINT_CACHE_DIR": str(root.parent / "cache"), **environ}, root.parent / "user"
    )


def write(folder: Path, text: str, name: str = "trigpoint.toml") -> None:
    (folder / name).write_text(text)


def test_each_origin_is_stronger_than_the_one_before(root: Path) -> None:
    def now(flags: dict | None = None, **environ: str) -> tuple[int, str]:
        settings = loaded(root, flags, **environ)
        return settings.search_limit, settings.origins["search.limit"]

    assert now() == (10, "default")
    write(root.parent / "user", "search.limit = 11")
    assert now() == (11, str(root.parent / "user" / "trigpoint.toml"))
    write(root, "[search]\nlimit = 12")
    assert now() == (12, "trigpoint.toml")
    assert now(TRIGPOINT_SEARCH_LIMIT="13") == (13, "TRIGPOINT_SEARCH_LIMIT")
    assert now({"search.limit": 14}, TRIGPOINT_SEARCH_LIMIT="13") == (14, "flag")


def test_pyproject_is_a_project_file(root: Path) -> None:
    write(root, '[tool.trigpoint]\nlexical = "fts5"\nchunk = {max_tokens = 500}', "pyproject.toml")
    settings = loaded(root)
    assert (settings.lexical, settings.chunk_max_tokens) == ("fts5", 500)
    assert settings.origins["lexical"] == "pyproject.toml"


def test_a_pyproject_of_others_is_not_even_parsed(root: Path) -> None:
    write(root, "this is not TOML", "pyproject.toml")
    assert loaded(root).lexical == "tantivy"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("serach.limit = 5", "did you mean search.limit"),
        ("search.limit = 0", "a number from 1 to 1,000"),
        ('search.limit = "5"', "a whole number"),
        ("search.limit = true", "a whole number"),
        ('index.in_repository = "yes"', "true or false"),
        ('lexical = "lucene"', "one of: tantivy, fts5"),
        ("chunk.min_tokens = 900", "lower the first"),
        ('index.dir = "/"', "TRIGPOINT_INDEX_DIR"),
        ('cache.dir = "/"', "TRIGPOINT_CACHE_DIR"),
        ("search.limit", "mend it"),
    ],
)
def test_a_bad_project_file_is_an_error_with_a_way_out(root: Path, text: str, says: str) -> None:
    write(root, text)
    with pytest.raises(ConfigError) as caught:
        loaded(root)
    assert says in caught.value.hint
    assert "trigpoint.toml" in caught.value.message


def test_an_unknown_variable_is_an_error(root: Path) -> None:
    with pytest.raises(ConfigError, match="TRIGPOINT_SEARCH_LIMT") as caught:
        loaded(root, TRIGPOINT_SEARCH_LIMT="5")
    assert "did you mean TRIGPOINT_SEARCH_LIMIT" in caught.value.hint


def test_two_project_files_contradict_each_other(root: Path) -> None:
    write(root, "search.limit = 5")
    write(root, "[tool.trigpoint]\nsearch.limit = 6", "pyproject.toml")
    with pytest.raises(ConfigError, match=r"both trigpoint\.toml and"):
        loaded(root)


def test_index_dir_against_in_repository(root: Path) -> None:
    assert loaded(root).index_dir == index_folder(root.parent / "cache", root)
    write(root, "index.in_repository = true")
    settings = loaded(root)
    assert settings.index_dir == root / ".trigpoint"
    assert settings.origins["index.dir"] == "index.in_repository, trigpoint.toml"
    assert loaded(root, TRIGPOINT_INDEX_DIR=str(root / "elsewhere")).index_dir == root / "elsewhere"
    with pytest.raises(ConfigError, match="both say where"):
        loaded(root, TRIGPOINT_INDEX_DIR="x", TRIGPOINT_INDEX_IN_REPOSITORY="true")


def test_a_user_file_cannot_give_all_projects_one_index(root: Path) -> None:
    write(root.parent / "user", 'index.dir = "/tmp/one"')
    with pytest.raises(ConfigError, match=r"index\.dir cannot be set in"):
        loaded(root)


@pytest.mark.parametrize(
    ("environ", "color", "origin"),
    [
        ({}, "auto", "default"),
        ({"NO_COLOR": "1"}, "never", "NO_COLOR"),
        ({"NO_COLOR": ""}, "auto", "default"),
        ({"TERM": "dumb"}, "never", "TERM"),
        ({"NO_COLOR": "1", "TRIGPOINT_COLOR": "always"}, "always", "TRIGPOINT_COLOR"),
    ],
)
def test_colours_follow_the_customs_of_terminals(root: Path, environ: dict, color: str, origin: str) -> None:
    settings = loaded(root, **environ)
    assert (settings.color, settings.origins["color"]) == (color, origin)


def test_every_setting_is_shown_with_its_origin(root: Path) -> None:
    rows = show(loaded(root, {"workers": 2}))
    assert [row.key for row in rows] == [setting.key for setting in SETTINGS]
    assert {row.key: row.origin for row in rows}["workers"] == "flag"
    assert all(row.words for row in rows)


def test_every_default_keeps_to_its_own_limits() -> None:
    for setting in SETTINGS:
        assert not setting.choices or setting.default in setting.choices, setting.key
        if setting.minimum is not None and setting.maximum is not None:
            assert setting.minimum <= float(setting.default) <= setting.maximum, setting.key


def test_two_folders_of_one_name_have_two_indexes(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    folders = [index_folder(cache, tmp_path / place / "app") for place in "ab"]
    assert folders[0] != folders[1]
    assert all(folder.name.startswith("app-") and folder.parent == cache for folder in folders)
    assert index_folder(cache, tmp_path / "日本\udcff").name.startswith("___-")


def test_the_project_is_the_nearest_folder_that_looks_like_one(tmp_path: Path) -> None:
    deep = tmp_path / "project" / "src" / "deep"
    deep.mkdir(parents=True)
    cache = tmp_path / "cache"
    assert find_root(deep, cache) == deep
    index_folder(cache, tmp_path / "project").mkdir(parents=True)
    assert find_root(deep, cache) == tmp_path / "project"
    (tmp_path / "project" / "src" / ".git").touch()
    assert find_root(deep, cache) == tmp_path / "project" / "src"


def test_python_names_of_settings() -> None:
    assert keys_of({"search_limit": 5, "workers": 1, "nonsense": 2}) == {
        "search.limit": 5,
        "workers": 1,
        "nonsense": 2,
    }
