"""Installing into the clients of agents: into real configuration files of every client and out again, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trigpoint
from planting import planted
from trigpoint.operations import CLIENTS as NAMES
from trigpoint.surfaces.cli import main
from trigpoint.surfaces.install import jsonc
from trigpoint.surfaces.install.clients import CLIENTS, NAME, Launch, Places, targets
from trigpoint.surfaces.mcp.guide import GUIDE

ROOT = Path(__file__).parent.parent

ZED = """// Zed settings
{
  "theme": "One Dark", // mine
  /* "context_servers": {} is not here yet */
  "tabs": [1, 2,],
  "vim_mode": true, // with a comma
}
"""
CLAUDE = '{"numStartups": 3, "mcpServers": {"other": {"command": "x"}}, "oauth": "secret é"}'
CODEX = """# mine
model = "gpt"   # keep  this

[mcp_servers.other]
command = "y"

[tui]
"quoted key" = 1
"""
OPENCODE_2 = '{\n\t"mcp": {\n\t\t"servers": {}\n\t}\n}\n'
CURSOR = '{\r\n    "mcpServers": {\r\n        "a": {"command": "b"}\r\n    }\r\n}'
AGENTS = "# House rules\n\nBe kind."
HOME = {
    ".claude.json": CLAUDE,
    ".codex/config.toml": CODEX,
    ".codex/AGENTS.md": AGENTS,
    ".config/zed/settings.json": ZED,
    ".config/opencode/opencode.jsonc": OPENCODE_2,
    ".cursor/mcp.json": CURSOR,
    ".gemini/settings.json": "",
    ".config/Code/User/settings.json": "{}",
    ".codeium/windsurf/mcp_config.json": '{"mcpServers": {}}',
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with some clients, and a project as the current folder."""
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "/usr/bin/git")
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.chdir(
        planted(tmp_path / "project", {"a.py": "a = 1\n", ".git/HEAD": "ref: refs/heads/main\n"})
    )
    return planted(tmp_path / "home", HOME)


def everything(folder: Path) -> dict[str, bytes]:
    """Each file with its bytes, but our own memory."""
    found = {str(one.relative_to(folder)): one for one in folder.rglob("*") if one.is_file()}
    return {name: one.read_bytes() for name, one in found.items() if "trigpoint/installed.json" not in name}


def folders(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_dir()}


def ran(capsys: pytest.CaptureFixture[str], *argv: str, status: int = 0) -> dict:
    assert main([*argv, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def served(client: str, home: Path) -> dict:
    """Our entry as the client reads it: with a reader of its format that is not ours."""
    row = CLIENTS[client]
    path = Places(home, Path.cwd(), sys.platform, {}).path(row.user)
    text = path.read_text()
    if row.format == "toml":
        tree = tomllib.loads(text)
    else:
        lines = [line.split("//")[0] for line in text.split("\n")]
        tree = json.loads(
            "\n".join(lines)
            .replace('/* "context_servers": {} is not here yet */', "")
            .replace(",]", "]")
            .replace(",\n}", "\n}")
        )
    keys = row.keys if client != "opencode" else row.other
    for key in keys:
        tree = tree[key]
    return tree


def test_the_table_is_what_the_command_line_offers() -> None:
    assert tuple(CLIENTS) == NAMES


@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_every_client_gets_in_and_out_without_a_trace(
    scope: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = home.parent
    before, before_folders = everything(here), folders(here)
    clients = [name for name, row in CLIENTS.items() if scope == "--user" or row.project]
    named = [word for name in clients for word in ("--client", name)]
    first = ran(capsys, "install", scope, "--hooks", *named)
    assert first["clients"] == clients
    assert {one["how"] for one in first["changes"]} <= {"created", "changed", "unchanged"}
    middle = everything(here)
    assert middle.keys() > before.keys()
    again = ran(capsys, "install", scope, "--hooks", *named)
    assert {one["how"] for one in again["changes"]} == {"unchanged"}
    assert everything(here) == middle
    out = ran(capsys, "uninstall", scope)
    assert {one["how"] for one in out["changes"]} <= {"restored", "deleted", "kept"}
    assert everything(here) == before
    assert folders(here) - before_folders == set()
    assert ran(capsys, "uninstall", scope, status=1)["changes"] == []


@pytest.mark.parametrize("client", CLIENTS)
def test_the_entry_is_read_by_others_and_starts_us(
    client: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "install", "--client", client)
    entry = served(client, home)
    command = entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]
    assert command[-1] == "mcp"
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    if client == "codex":  # one is enough: the command is the same
        answer = subprocess.run(
            command, input=json.dumps(hello) + "\n", capture_output=True, text=True, timeout=60, check=False
        )
        assert json.loads(answer.stdout.splitlines()[0])["id"] == 1


def test_nothing_else_in_a_file_moves(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(
        capsys,
        "install",
        "--client",
        "zed",
        "--client",
        "codex",
        "--client",
        "cursor",
        "--client",
        "claude-code",
    )
    assert json.loads((home / ".claude.json").read_text())["oauth"] == "secret é"
    for name, text in {
        ".config/zed/settings.json": ZED,
        ".codex/config.toml": CODEX,
        ".cursor/mcp.json": CURSOR,
    }.items():
        now = (home / name).read_bytes().decode()
        lines = iter(now.splitlines())
        for line in text.splitlines():  # in order, each as it was but for a comma
            assert any(one in (line, line + ",") for one in lines), line
    assert "\n" not in (home / ".cursor/mcp.json").read_bytes().decode().replace("\r\n", "")
    assert "oauth" not in (home / ".config/trigpoint/installed.json").read_text()


def test_without_a_client_it_finds_those_that_are_there(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ran(capsys, "install", "--dry-run")
    assert found["clients"] == [
        "claude-code",
        "codex",
        "cursor",
        "vscode",
        "zed",
        "gemini",
        "opencode",
        "windsurf",
    ]
    shutil.rmtree(home)
    none = ran(capsys, "install", status=1)
    assert none["clients"] == [] and "no client was found" in none["notes"][0]
    program = home.parent / "bin" / "codex"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert ran(capsys, "install", "--dry-run")["clients"] == ["codex"]


def test_a_dry_run_shows_the_difference_and_writes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(home)
    assert main(["install", "--client", "zed", "--client", "codex", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert '+    "trigpoint": {' in shown and "+[mcp_servers.trigpoint]" in shown
    assert "--- /dev/null" in shown and "nothing was written" in shown
    assert [line for line in shown.splitlines() if line.startswith("-") and not line.startswith("---")] == [
        "-Be kind."
    ]
    assert everything(home) == before and not (home / ".config/trigpoint").exists()


def test_what_a_person_changed_in_between_stays(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ["--client", "zed", "--client", "codex", "--client", "gemini", "--client", "claude-code"]
    ran(capsys, "install", "--hooks", *named)
    zed, codex, gemini = (
        home / name for name in (".config/zed/settings.json", ".codex/config.toml", ".gemini/GEMINI.md")
    )
    zed.write_text(zed.read_text().replace('"One Dark"', '"Gruvbox"'))
    codex.write_text(codex.read_text() + '\n[profiles.x]\nmodel = "o"\n')
    gemini.write_text("Mine comes first.\n\n" + gemini.read_text())
    skill = home / ".claude/skills/trigpoint/SKILL.md"
    skill.write_text(skill.read_text() + "\nAnd mine.\n")
    hooks = home / ".claude/settings.json"
    hooks.write_text(hooks.read_text().replace("[", '[\n{"hooks": []},', 1))
    ran(capsys, "uninstall")
    assert zed.read_text() == ZED.replace('"One Dark"', '"Gruvbox"').replace(
        ", // with a comma", ', // with a comma\n  "context_servers": {},'
    )
    assert tomllib.loads(codex.read_text()) == {**tomllib.loads(CODEX), "profiles": {"x": {"model": "o"}}}
    assert codex.read_text().startswith(CODEX)
    assert gemini.read_text() == "Mine comes first.\n"
    assert "And mine." in skill.read_text()  # changed by hand: not ours any more
    assert json.loads(hooks.read_text()) == {"hooks": {"SessionStart": [{"hooks": []}]}}


def test_without_the_record_our_entries_are_found_by_their_names(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "install", "--client", "cursor", "--client", "codex")
    (home / ".config/trigpoint/installed.json").write_text("{broken")
    assert ran(capsys, "uninstall")["clients"] == ["codex", "cursor"]
    assert everything(home) == {
        name: text.encode() if name != ".codex/AGENTS.md" else (AGENTS + "\n").encode()
        for name, text in HOME.items()
    }


def test_an_own_entry_of_that_name_comes_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = '{"mcpServers": {"trigpoint": {"command": "mine", "env": {"A": "b"}}, "z": 1}}'
    (home / ".cursor/mcp.json").write_text(own)
    ran(capsys, "install", "--client", "cursor")
    assert served("cursor", home)["args"][-1] == "mcp"
    ran(capsys, "uninstall", "--client", "cursor")
    assert (home / ".cursor/mcp.json").read_text() == own


def test_a_section_that_several_clients_read_goes_with_the_last(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = Path("AGENTS.md")
    ran(capsys, "install", "--project", "--client", "codex", "--client", "opencode")
    text = rules.read_text()
    assert text.count(GUIDE.strip()) == 1
    kept = ran(capsys, "uninstall", "--project", "--client", "codex")
    assert [one["how"] for one in kept["changes"]] == ["deleted", "kept"]
    assert rules.read_text() == text
    ran(capsys, "uninstall", "--project", "--client", "opencode")
    assert not rules.exists()


def test_a_newer_version_replaces_and_still_undoes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(capsys, "install", "--client", "codex")
    for target in targets(
        CLIENTS["codex"],
        Places(home, Path.cwd(), "linux", {}),
        Launch("/old/trig"),
        project=False,
        hooks=False,
    ):
        assert not target.edit.there(target.path.read_text()) or target.what == "rules"
    program = home.parent / "bin" / "trig"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    beside = Path(sys.executable).with_name("trig")
    if not beside.exists():
        assert ran(capsys, "install", "--client", "codex")["changes"][0]["how"] == "changed"
        assert served("codex", home)["command"] == str(program)
    ran(capsys, "uninstall", "--client", "codex")
    assert everything(home) == {name: text.encode() for name, text in HOME.items()}


@pytest.mark.parametrize(
    ("client", "name", "broken"),
    [
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {'),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": [1]}'),
        ("claude-code", ".claude.json", '{"a": 1, // a comment\n"b": 2}'),
        ("zed", ".config/zed/settings.json", '{"a": 1 "b": 2}'),
        ("codex", ".codex/config.toml", "[mcp_servers\n"),
        ("codex", ".codex/config.toml", "mcp_servers = 3\n"),
        ("gemini", ".gemini/settings.json", "\udcff".encode("utf-8", "surrogateescape")),
        ("gemini", ".gemini/settings.json", "[" * 400 + "]" * 400),
    ],
)
def test_a_configuration_that_cannot_be_read_is_left_alone(
    client: str, name: str, broken: str | bytes, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(home, {name: broken})
    before = everything(home)
    assert main(["install", "--client", "windsurf", "--client", client]) == 2
    said = capsys.readouterr().err
    assert name in said and "nothing was changed" in said
    assert everything(home) == before


def test_when_one_file_cannot_be_written_all_stay(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".gemini/GEMINI.md").mkdir()
    before = everything(home)
    assert main(["install", "--client", "cursor", "--client", "gemini"]) == 2
    assert everything(home) == before
    assert "nothing was changed" in capsys.readouterr().err


def test_links_and_rights_stay(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real, link = home / "dotfiles.json", home / ".claude.json"
    link.rename(real)
    real.chmod(0o600)
    link.symlink_to(real)
    ran(capsys, "install", "--client", "claude-code")
    assert link.is_symlink() and NAME in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600
    assert (home / ".config/trigpoint/installed.json").stat().st_mode & 0o777 == 0o600


def test_wrong_requests_are_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for argv, words in (
        (["install", "--project", "--user"], "together"),
        (["install", "--project", "--client", "windsurf"], "no configuration of a project"),
        (["install", "--client", "emacs"], "emacs"),
    ):
        assert main(argv) == 2
        assert words in capsys.readouterr().err


def test_the_folders_of_each_system(tmp_path: Path) -> None:
    def code(system: str, **environ: str) -> str:
        return Places(Path("/h"), Path("/p"), system, environ).path(CLIENTS["vscode"].user).as_posix()

    assert code("linux") == "/h/.config/Code/User/mcp.json"
    assert code("darwin") == "/h/Library/Application Support/Code/User/mcp.json"
    assert code("win32", APPDATA="C:/R") == "C:/R/Code/User/mcp.json"
    moved = Places(Path("/h"), Path("/p"), "linux", {"CODEX_HOME": "/x", "CLAUDE_CONFIG_DIR": "/y"})
    assert moved.path(CLIENTS["codex"].user).as_posix() == "/x/config.toml"
    assert moved.path(CLIENTS["claude-code"].user).as_posix() == "/y/.claude.json"


PROGRAMS = os.environ.get("CLIENT_PROGRAMS", "")


@pytest.mark.skipif(not PROGRAMS, reason="CLIENT_PROGRAMS names no folder with claude, codex, opencode (npm)")
@pytest.mark.parametrize(
    ("client", "program", "asked"),
    [
        ("claude-code", "claude", ["mcp", "list"]),
        ("codex", "codex", ["mcp", "list"]),
        ("opencode", "opencode", ["mcp", "list"]),
    ],
)
def test_real_clients_see_the_server(
    client: str, program: str, asked: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.which(program, path=PROGRAMS)
    if path is None:
        pytest.skip(f"{PROGRAMS} has no {program}")

    def listed() -> str:
        environ = {
            **os.environ,
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}{os.pathsep}{os.defpath}",
        }
        done = subprocess.run(
            [path, *asked], capture_output=True, text=True, timeout=120, check=False, env=environ
        )
        return done.stdout + done.stderr

    (home / ".claude.json").write_text("{}")
    (home / ".codex/config.toml").write_text("")
    (home / ".config/opencode/opencode.jsonc").write_text("{}")
    assert "trigpoint" not in listed()
    ran(capsys, "install", "--client", client)
    assert "trigpoint" in listed()
    ran(capsys, "uninstall", "--client", client)
    assert "trigpoint" not in listed()


# the editor of JSON by itself

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(
    tree=st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    indent=st.sampled_from([None, 2, "\t"]),
    data=st.data(),
)
def test_json_is_edited_as_python_would(tree: dict, indent: int | str | None, data: st.DataObject) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=False)
    keys = ("servers", data.draw(st.text(min_size=1, max_size=5)))
    tree.pop("servers", None)
    text = jsonc.drop(text, ("servers",), strict=True)
    assert json.loads(text) == tree
    put = jsonc.put(text, keys, {"command": ["é", 1]}, strict=True)
    assert json.loads(put) == {**tree, "servers": {keys[1]: {"command": ["é", 1]}}}
    assert json.loads(jsonc.drop(put, keys, strict=True)) == {**tree, "servers": {}}
    more = (
        jsonc.put_item(text, ("list",), 1, strict=True)
        if not isinstance(tree.get("list"), list) and "list" not in tree
        else text
    )
    if more is not text:
        assert json.loads(jsonc.put_item(more, ("list",), 2, strict=True))["list"] == [1, 2]


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='{}[]",:/*\\ \n1tnull', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        node = jsonc.read(text, strict=True)
        expected = json.loads(text) if node is not None else None
    except jsonc.Malformed:
        with pytest.raises(ValueError):
            json.loads(text)
        return
    assert node is None or jsonc.data(text, node) == expected


# the plugin in this repository


def test_the_plugin_agrees_with_the_installer() -> None:
    folder = ROOT / "plugins" / "trigpoint"
    manifest = json.loads((folder / ".claude-plugin" / "plugin.json").read_text())
    shop = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())
    row = CLIENTS["claude-code"]
    assert manifest["name"] == NAME == shop["name"] and manifest["version"] == trigpoint.__version__
    assert manifest["mcpServers"] == {NAME: row.entry("trig", ["mcp"])}
    skill = (folder / "skills" / "trigpoint" / "SKILL.md").read_text()
    assert skill == row.rules.head + GUIDE
    (plugin,) = shop["plugins"]
    assert plugin["name"] == NAME and (ROOT / plugin["source"]).resolve() == folder
    assert plugin["description"] == manifest["description"]
    assert "hooks" not in manifest and not (folder / "hooks").exists()  # only on request


def test_starting_up_knows_nothing_of_clients(home: Path) -> None:
    script = "import sys\nfrom trigpoint.surfaces.cli import main\nmain(['--help'])\nmain(['search', 'a'])\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert not [
        name
        for name in done.stdout.splitlines()[-1].split()
        if "tomlkit" in name or "surfaces.install" in name
    ]
