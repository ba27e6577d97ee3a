"""Every code block of the pages is run, every path and link in them exists, and the generated pages are up to date.

`console` blocks run in a small project (below): each `$ ` line must print what follows it, where `...` stands for
anything, on a line or as a line. `python` and `toml` blocks run and are loaded there. Other blocks are only shown.
A block under `<!-- not run: why -->` is left out; the reason is written for readers of the source.
"""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import trigpoint
from trigpoint.config import load

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/**/*.md")])
BLOCK = re.compile(
    r"(?P<why><!-- not run: [^>]+ -->\n+)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
GENERATED = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]

UPLOAD = '''\
import time


class Session:
    def upload(self, part):
        return self.client.put(part)


def send_with_backoff(session, part, attempts=3):
    """Send a part; a failed upload is retried, each time after a longer pause."""
    for attempt in range(attempts):
        try:
            return session.upload(part)
        except ConnectionError:
            time.sleep(2**attempt)
    raise ConnectionError(part)
'''
CONFIG = '''\
from pathlib import Path


def parse_config(path: Path) -> dict:
    """Read the settings file of the uploader."""
    lines = path.read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)
'''


def blocks(*kinds: str) -> list:
    found = []
    for page in PAGES:
        for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if match["kind"] in kinds and not match["why"]:
                line = page.read_text(encoding="utf-8")[: match.start("text")].count("\n") + 1
                found.append(pytest.param(match["text"], id=f"{page.relative_to(ROOT)}:{line}"))
    return found


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project that the blocks talk about."""
    root = tmp_path / "app"
    (root / "src").mkdir(parents=True)
    (root / "src" / "upload.py").write_text(UPLOAD)
    (root / "src" / "config.py").write_text(CONFIG)
    (root / "questions.jsonl").write_text('{"id": "q1", "query": "who retries a failed upload"}\n')
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "trig").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m trigpoint "$@"\n')
    (binaries / "trig").chmod(0o755)
    monkeypatch.setenv("PATH", f"{binaries}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("block", blocks("console"))
def test_commands_print_what_the_page_shows(block: str, example: Path) -> None:
    for command, expected in transcript(block):
        ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert ran.returncode in (0, 1), f"{command}\n{ran.stderr}"
        assert like(expected, ran.stdout), f"$ {command}\n{ran.stdout}\n--- the page says ---\n{expected}"


def transcript(block: str) -> list[tuple[str, str]]:
    """Commands and the output under each."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def like(expected: str, real: str) -> bool:
    """Whether the output is the expected one, ``...`` standing for anything; nothing expected is nothing claimed."""
    pattern = ".*".join(re.escape(part) for part in re.split(r"\.\.\.", expected.strip()))
    return not expected.strip() or re.fullmatch(pattern, real.strip(), re.DOTALL) is not None


@pytest.mark.parametrize("block", blocks("python"))
def test_python_runs(block: str, example: Path) -> None:
    exec(compile(block, "block", "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("block", blocks("toml"))
def test_settings_load(block: str, example: Path) -> None:
    tomllib.loads(block)
    name = "pyproject.toml" if "[tool." in block else "trigpoint.toml"
    (example / name).write_text(block)
    load(example)


@pytest.mark.parametrize("name", GENERATED)
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == GENERATED[name](), "run `make docs`"


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [
        re.match(r"[\w-]+", text)[0]
        for text in project["dependencies"] + project["optional-dependencies"]["dev"]
    ]
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert [
        name for name in names if name.replace("tree-sitter-", "-") not in page and name not in page
    ] == []


def test_the_version_is_said_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == trigpoint.__version__
    assert f"## {trigpoint.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in link]
    missing = [link for link in links if not (page.parent / link).exists()]
    named = re.findall(r"`((?:src|tests|docs|benchmarks|\.ci)/[\w./-]+)`", text)
    missing += [path for path in named if not path.startswith("src/upload") and not (ROOT / path).exists()]
    assert not missing


def test_architecture_names_every_module_of_the_top_level() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "trigpoint"
    modules = [
        path.name for path in package.iterdir() if path.suffix == ".py" and not path.name.startswith("__")
    ]
    folders = [f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()]
    assert [name for name in modules + folders if name not in text] == []
