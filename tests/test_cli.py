"""The command as people and programs meet it: arguments in; standard output, standard error and exit status out."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from moments import hears_ctrl_c, until_it_writes
from trigpoint.surfaces.cli import main

UPLOAD = '''"""Uploads."""


class Uploader:
    """Sends parts."""

    def retry_upload(self, part):
        """Try a failed upload again."""
        return self.send(part)

    def send(self, part):
        return part
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "upload.py").write_text(UPLOAD)
    (root / "src" / "main.py").write_text(
        "from upload import Uploader\n\n\ndef start():\n    Uploader().retry_upload(1)\n"
    )
    (root / "photo.bin").write_bytes(b"\x00\x01\x02" * 100)
    for path in root.rglob("*.*"):
        os.utime(
            path, (1_700_000_000, 1_700_000_000)
        )  # older than any index: a file as young as it is read again
    monkeypatch.chdir(root)
    return root


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def json(self) -> dict:
        return json.loads(self.out)


@pytest.fixture
def trig(project: Path, capsys: pytest.CaptureFixture) -> object:
    def run(*argv: str) -> Ran:
        status = main(argv)
        return Ran(status, *capsys.readouterr())

    return run


def spawn(*argv: str, **options: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "trigpoint", *argv], capture_output=True, check=False, **options
    )


def test_a_search_needs_nothing_before_it(trig, project: Path) -> None:
    ran = trig("search", "retry_upload")
    assert (ran.status, ran.out.split("\n")[0]) == (0, "src/upload.py:7:    def retry_upload(self, part):")
    assert "trig: indexed 3 files" in ran.err
    assert sorted(path.name for path in project.iterdir()) == ["photo.bin", "src"]


def test_a_changed_file_is_brought_in_and_said_so(trig, project: Path) -> None:
    trig("index")
    (project / "src" / "new.py").write_text("def brand_new_thing():\n    return 1\n")
    ran = trig("search", "brand_new_thing")
    assert ran.out.startswith("src/new.py:1:def brand_new_thing():")
    assert "index updated" in ran.err
    (project / "src" / "newer.py").write_text("def even_newer_thing():\n    return 1\n")
    assert "newer.py" not in trig("search", "even_newer_thing", "--no-update").out


def test_nothing_found_is_status_1_and_an_empty_answer(trig) -> None:
    ran = trig("search", "lang:python xyzzy_plugh_quux", "--path", "nowhere")
    assert (ran.status, ran.out) == (1, "")


def test_a_language_goes_by_its_short_name_and_one_that_is_not_there_is_said(trig) -> None:
    assert trig("search", "retries", "--lang", "py").out == trig("search", "lang:python retries").out != ""
    ran = trig("search", "retries", "--lang", "pyton")
    assert (ran.status, ran.out) == (1, "")
    assert "no indexed file is in pyton; most are in: python" in ran.err


def test_a_command_that_was_mistyped_is_guessed(trig) -> None:
    assert "did you mean trig search? commands: index, search" in trig("searhc", "x").err


@pytest.mark.parametrize("query", ["", " ", "\n\t"])
def test_an_empty_query_is_a_usage_error(trig, query: str) -> None:
    ran = trig("search", query)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("trig: the query is empty\n  ask something")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["frob"], "there is no command 'frob'"),
        (["search", "q", "nowhere"], "nowhere is not a folder"),
        (["search", "q", "--set", "foo=1"], "no setting is called foo"),
        (["search", "q", "--limit", "0"], "limit cannot be 0"),
        (["search", "q", "--set", "search.lmit=3"], "no setting is called search.lmit"),
        (["outline", "nowhere.py"], "no such file"),
        (["read", "../outside.py"], "outside"),
        (["search", "--queries", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
    ],
)
def test_what_cannot_be_answered_is_status_2_with_a_hint(trig, argv: list[str], says: str) -> None:
    trig("index")
    ran = trig(*argv)
    assert (ran.status, ran.out) == (2, "")
    first, second, *_ = ran.err.split("\n")
    assert first.startswith("trig: ") and says in first
    assert second.startswith("  ")


def test_index_says_in_one_line_what_it_did(trig) -> None:
    ran = trig("index")
    assert ran.status == 0
    assert ran.out.startswith("3 files (3 added, 0 modified, 0 deleted, 0 unchanged)")
    assert "not fully indexed: 1 binary" in ran.out
    assert ran.err == ""
    assert trig("index", "--json").json()["unchanged"] == 3


def test_index_says_what_moved_and_what_it_had_seen_before(trig, project: Path) -> None:
    trig("index")
    file, moved = project / "src" / "upload.py", project / "moved.py"
    file.rename(moved)
    ran = trig("index")
    assert "3 files (0 added, 0 modified, 0 deleted, 1 renamed, 2 unchanged)" in ran.out
    moved.rename(file)
    (project / "copy.py").write_text(file.read_text())
    ran = trig("index")
    assert "4 files (1 added, 0 modified, 0 deleted, 1 renamed, 2 unchanged; 1 were seen before)" in ran.out
    file.unlink()
    (project / "moved.py").write_text(UPLOAD)
    found = trig("index", "--json").json()
    assert [found[key] for key in ("added", "modified", "deleted", "renamed", "reused")] == [0, 0, 0, 1, 1]


def test_an_empty_folder_is_a_clear_end(trig, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = trig("index", str(tmp_path / "empty"))
    assert ran.status == 1
    assert len(ran.out.splitlines()) >= 2


def test_json_and_jsonl(trig) -> None:
    answer = trig("search", "retry_upload", "--json").json()
    assert answer["schema"] == 1
    assert answer["results"][0]["symbol"].startswith("Uploader")
    lines = [json.loads(line) for line in trig("search", "retry_upload", "--jsonl").out.splitlines()]
    assert lines[0]["type"] == "result" and lines[-1]["type"] == "summary"


def test_filters_by_flag_and_inside_the_query(trig) -> None:
    for argv in (["upload", "--kind", "class"], ["upload kind:class"]):
        kinds = {found["kind"] for found in trig("search", *argv, "--json").json()["results"]}
        assert kinds == {"class"}, argv


def test_batch_answers_each_line(trig, project: Path) -> None:
    questions = [{"id": 7, "query": "retry_upload"}, {"id": "b", "query": ""}, {"id": "c", "query": "start"}]
    (project / "q.jsonl").write_text("\n".join(map(json.dumps, questions)) + "\n\n")
    ran = trig("search", "--queries", "q.jsonl", "--root", str(project), "--limit", "2", "--jsonl")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 0
    assert [line["id"] for line in lines] == [7, "b", "c"]
    assert lines[0]["results"][0]["path"] == "src/upload.py"
    assert lines[1]["results"] == []
    assert all(len(line["results"]) <= 2 for line in lines)


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', '{"id": 1, "query": 2}', '{"query": "x"}'])
def test_a_line_that_is_no_question_is_named(trig, project: Path, line: str) -> None:
    (project / "q.jsonl").write_text('{"id": 1, "query": "x"}\n' + line)
    ran = trig("search", "--queries", "q.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert "q.jsonl:2 is no question" in ran.err


def test_symbol_outline_and_read(trig, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trig("index")
    assert trig("symbol", "retry_upload").out.startswith("src/upload.py:7:")
    assert trig("symbol", "no_such_name").status == 1
    outline = trig("outline", "src/upload.py").out
    assert [line.split("\t")[1][:8] for line in outline.splitlines()] == ["class cl", "  method", "  method"]
    assert trig("read", "src/upload.py:4-5").out == 'class Uploader:\n    """Sends parts."""\n'
    monkeypatch.chdir(project / "src")
    (project / ".git").mkdir()
    assert trig("read", "src/upload.py:4").out == trig("read", "upload.py:4").out == "class Uploader:\n"


def test_each_question_makes_the_first_index_itself(trig, project: Path) -> None:
    assert trig("symbol", "retry_upload", "--no-update").status == 2
    ran = trig("symbol", "retry_upload")
    assert ran.out.startswith("src/upload.py:7:")
    assert "trig: indexed 3 files" in ran.err
    trig("clean")
    assert trig("outline", "src/upload.py", "--no-update").status == 2
    assert trig("outline", "src/upload.py").status == 0
    (project / "src" / "new.py").write_text("def brand_new_thing():\n    return 1\n")
    assert trig("symbol", "brand_new_thing", "--no-update").status == 1
    assert trig("symbol", "brand_new_thing").status == 0


def test_the_project_may_be_the_last_word(trig, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.parent)
    assert trig("callers", "retry_upload", "project").out.startswith("src/main.py:5:start:")
    assert trig("symbol", "Uploader", "project").out.startswith("src/upload.py:4:")
    assert trig("read", "src/upload.py:4", "project").out == "class Uploader:\n"
    ran = trig("callers", "retry_upload", "nowhere")
    assert (ran.status, ran.out) == (2, "") and "nowhere is not a folder" in ran.err


def test_status_names_each_file_that_is_not_indexed(trig) -> None:
    assert trig("status").status == 1
    trig("index")
    assert "photo.bin: skipped binary" in trig("status", "--files").out
    found = trig("status", "--json").json()
    assert (found["state"], found["files"], found["reasons"]) == ("ready", 3, {"binary": 1})


def test_doctor_and_clean(trig, tmp_path: Path) -> None:
    trig("index")
    assert trig("doctor").status == 0
    assert any((tmp_path / "cache").iterdir())
    ran = trig("clean")
    assert ran.status == 0 and ran.out
    assert trig("clean").status == 1


def test_config_shows_where_each_value_came_from(trig) -> None:
    rows = {row["key"]: row for row in trig("config", "--json", "--set", "search.limit=3").json()["settings"]}
    assert (rows["search.limit"]["value"], rows["search.limit"]["origin"]) == (3, "flag")
    assert rows["workers"]["origin"] == "TRIGPOINT_WORKERS"


def test_languages_has_a_row_for_python(trig) -> None:
    rows = trig("languages", "--json").json()["languages"]
    assert next(row for row in rows if row["language"] == "python")["definitions"] is True


def test_version_and_help_need_no_project(trig) -> None:
    assert trig("--version").out == "trig 0.1.0\n"
    assert trig("--help").out.startswith("trig: finds the code")
    assert trig("search", "--help").status == 0
    assert trig().status == 2


@pytest.mark.parametrize("argv", [["--help"], ["search", "--help"], ["config"]])
def test_help_is_light(argv: list[str], project: Path) -> None:
    script = f"import sys\nfrom trigpoint.surfaces.cli import main\nmain({argv!r})\nprint(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    heavy = {
        "sqlite3",
        "numpy",
        "tree_sitter",
        "tantivy",
        "toktok",
        "pathspec",
        "asyncio",
        "trigpoint.engine",
    }
    assert not heavy & set(ran.stderr.split())


def test_a_warm_search_imports_no_parser_and_no_numpy(trig, project: Path) -> None:
    trig("index")
    script = "import sys\nfrom trigpoint.surfaces.cli import main\nmain(['search', 'upload'])\nprint(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert not {"numpy", "tree_sitter", "multiprocessing", "asyncio"} & set(ran.stderr.split())


def test_a_reader_that_leaves_early_is_no_error(project: Path) -> None:
    spawn("index")
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        ran = subprocess.run(
            [sys.executable, "-m", "trigpoint", "search", "upload"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_output_is_utf8_whatever_the_locale_and_the_files(project: Path) -> None:
    name = os.fsencode(project / "src") + b"/odd\xff\nname.py"
    with open(name, "w", encoding="utf-8") as file:
        file.write("def odd_one():\n    return '日本 \x1b[2J'\n")
    environ = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for extra in ([], ["--json"], ["--jsonl"]):
        ran = spawn("search", "odd_one", *extra, env=environ)
        assert ran.returncode == 0
        assert b"\x1b" not in ran.stdout
        ran.stdout.decode()
    assert spawn("search", "odd_one", env=environ).stdout.startswith(
        rb"src/odd\xff\nname.py:1:def odd_one():"
    )


def test_ctrl_c_is_said_and_is_status_130(project: Path) -> None:
    for number in range(400):
        (project / f"m{number}.py").write_text(UPLOAD * 20)
    process = subprocess.Popen(
        [sys.executable, "-m", "trigpoint", "index"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_ctrl_c,
    )
    until_it_writes(process, project.parent)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    if process.returncode != 0:  # a fast machine may have been done before
        assert process.returncode == 130
        assert err.splitlines()[-1].startswith("trig: interrupted; what was done is kept")
    ran = spawn("index")
    assert (ran.returncode, ran.stdout[:9]) == (0, b"403 files")
