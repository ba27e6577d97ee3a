"""The clients: one row each, with where its files lie, what our entry looks like in them and where it reads rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trigpoint.surfaces.install.edits import Edit, JsonEntry, JsonItem, Section, TomlEntry, WholeFile
from trigpoint.surfaces.mcp.guide import GUIDE

NAME = "trigpoint"
SUMMARY = (
    "Find the code that answers a question, a bug report or a task, with callers, tests and what a change breaks. "
    "Use it before grep, find or reading whole files."
)

Entry = Callable[[str, Sequence[str]], dict[str, Any]]


def plain(command: str, args: Sequence[str]) -> dict[str, Any]:
    """The shape that most clients share."""
    return {"command": command, "args": list(args)}


def typed(command: str, args: Sequence[str]) -> dict[str, Any]:
    """The same with its transport."""
    return {"type": "stdio", **plain(command, args)}


def local(command: str, args: Sequence[str]) -> dict[str, Any]:
    """One list for the program and its arguments."""
    return {"type": "local", "command": [command, *args], "enabled": True}


class Rules(NamedTuple):
    """Where a client reads rules. Without a ``head`` they are a section of a file that is shared with others."""

    user: str = ""
    project: str = ""
    head: str = ""


class Client(NamedTuple):
    """One client. Paths begin with a folder in braces (FOLDERS); of several, separated by |, the first that exists counts."""

    name: str
    title: str
    user: str
    project: str  # "" where a project has no configuration of its own
    format: str  # json (no comments), jsonc, toml
    keys: tuple[str, ...]
    entry: Entry
    rules: Rules
    signs: tuple[str, ...]  # one of these folders or files shows that the client is there
    programs: tuple[str, ...] = ()  # or one of these on the path
    other: tuple[str, ...] = ()  # the keys of a second form, where the file is written in that one


_SKILL = f"---\nname: {NAME}\ndescription: {SUMMARY}\n---\n\n"
_SKILLS = "skills/trigpoint/SKILL.md"

CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            "{claude-json}/.claude.json",
            "{project}/.mcp.json",
            "json",
            ("mcpServers", NAME),
            typed,
            Rules(f"{{claude}}/{_SKILLS}", f"{{project}}/.claude/{_SKILLS}", _SKILL),
            ("{claude}", "{claude-json}/.claude.json"),
            ("claude",),
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            "{claude-desktop}/claude_desktop_config.json",
            "",
            "json",
            ("mcpServers", NAME),
            plain,
            Rules(),
            ("{claude-desktop}",),
        ),
        Client(
            "codex",
            "Codex",
            "{codex}/config.toml",
            "{project}/.codex/config.toml",
            "toml",
            ("mcp_servers", NAME),
            plain,
            Rules("{codex}/AGENTS.md", "{project}/AGENTS.md"),
            ("{codex}",),
            ("codex",),
        ),
        Client(
            "cursor",
            "Cursor",
            "{home}/.cursor/mcp.json",
            "{project}/.cursor/mcp.json",
            "jsonc",
            ("mcpServers", NAME),
            plain,
            Rules(
                "",
                "{project}/.cursor/rules/trigpoint.mdc",
                f"---\ndescription: {SUMMARY}\nalwaysApply: true\n---\n\n",
            ),
            ("{home}/.cursor",),
            ("cursor",),
        ),
        Client(
            "vscode",
            "VS Code",
            "{code}/mcp.json",
            "{project}/.vscode/mcp.json",
            "jsonc",
            ("servers", NAME),
            typed,
            Rules(
                "",
                "{project}/.github/instructions/trigpoint.instructions.md",
                f'---\ndescription: {SUMMARY}\napplyTo: "**"\n---\n\n',
            ),
            ("{code}",),
            ("code",),
        ),
        Client(
            "zed",
            "Zed",
            "{zed}/settings.json",
            "{project}/.zed/settings.json",
            "jsonc",
            ("context_servers", NAME),
            lambda command, args: {**plain(command, args), "env": {}},
            Rules("{zed}/AGENTS.md", "{project}/AGENTS.md"),
            ("{zed}",),
            ("zed",),
        ),
        Client(
            "gemini",
            "Gemini CLI",
            "{home}/.gemini/settings.json",
            "{project}/.gemini/settings.json",
            "jsonc",
            ("mcpServers", NAME),
            plain,
            Rules("{home}/.gemini/GEMINI.md", "{project}/GEMINI.md"),
            ("{home}/.gemini",),
            ("gemini",),
        ),
        Client(
            "opencode",
            "opencode",
            "{config}/opencode/opencode.json|{config}/opencode/opencode.jsonc",
            "{project}/opencode.json|{project}/opencode.jsonc",
            "jsonc",
            ("mcp", NAME),
            local,
            Rules("{config}/opencode/AGENTS.md", "{project}/AGENTS.md"),
            ("{config}/opencode",),
            ("opencode",),
            ("mcp", "servers", NAME),
        ),
        Client(
            "windsurf",
            "Windsurf",
            "{home}/.codeium/windsurf/mcp_config.json",
            "",
            "jsonc",
            ("mcpServers", NAME),
            plain,
            Rules("{home}/.codeium/windsurf/memories/global_rules.md"),
            ("{home}/.codeium/windsurf",),
            ("windsurf",),
        ),
    )
}
"""From the public documentation of each client, November 2026. opencode 2 reads the form of 1 too, so that one is written
unless its own is in use."""

FOLDERS: dict[str, tuple[str, str, str]] = {
    "code": (
        "{config}/Code/User",
        "{home}/Library/Application Support/Code/User",
        "{appdata}/Code/User",
    ),
    "zed": ("{config}/zed", "{home}/.config/zed", "{appdata}/Zed"),
    "claude-desktop": (
        "{config}/Claude",
        "{home}/Library/Application Support/Claude",
        "{appdata}/Claude",
    ),
}
"""Folders that differ between systems: on Linux, on macOS, on Windows."""

HOOKS: dict[str, tuple[str, str]] = {
    "claude-code": ("{claude}/settings.json", "{project}/.claude/settings.json"),
}
"""Where a client that runs hooks keeps them: of the user, of the project."""
HOOK_KEYS = ("hooks", "SessionStart")
HOOK_TOKENS = 600


class Places(NamedTuple):
    """Where things lie on this machine."""

    home: Path
    project: Path
    system: str  # sys.platform
    environ: Mapping[str, str]

    def folder(self, name: str) -> str:
        """One of the folders that paths begin with."""
        home, given = str(self.home), self.environ.get
        own = {
            "home": home,
            "project": str(self.project),
            "config": given("XDG_CONFIG_HOME") or f"{home}/.config",
            "appdata": given("APPDATA") or f"{home}/AppData/Roaming",
            "claude": given("CLAUDE_CONFIG_DIR") or f"{home}/.claude",
            "claude-json": given("CLAUDE_CONFIG_DIR") or home,
            "codex": given("CODEX_HOME") or f"{home}/.codex",
        }
        if name in own:
            return own[name]
        linux, mac, windows = FOLDERS[name]
        return str(self.path({"darwin": mac, "win32": windows}.get(self.system, linux)))

    def path(self, written: str) -> Path:
        """A path of the table on this machine."""
        paths = [Path(self._filled(one)) for one in written.split("|")]
        return next((one for one in paths if one.exists()), paths[0])

    def _filled(self, written: str) -> str:
        name, _, rest = written.removeprefix("{").partition("}")
        return self.folder(name) + rest


class Target(NamedTuple):
    """One thing that goes into one file."""

    client: str
    what: str  # server, rules, hook
    path: Path
    edit: Edit


class Launch(NamedTuple):
    """How a client starts us."""

    command: str
    args: tuple[str, ...] = ()


def targets(
    client: Client, places: Places, launch: Launch, *, project: bool, hooks: bool
) -> Iterator[Target]:
    """All that goes into the files of one client, of the project or of the user."""
    written = client.project if project else client.user
    if not written:
        return
    yield Target(client.name, "server", places.path(written), _server(client, launch))
    rules = client.rules.project if project else client.rules.user
    if rules:
        edit = WholeFile(client.rules.head + GUIDE) if client.rules.head else Section(GUIDE)
        yield Target(client.name, "rules", places.path(rules), edit)
    if hooks and client.name in HOOKS:
        path = places.path(HOOKS[client.name][project])
        yield Target(client.name, "hook", path, hook(launch))


def _server(client: Client, launch: Launch) -> Edit:
    value = client.entry(launch.command, (*launch.args, "mcp"))
    if client.format == "toml":
        return TomlEntry(client.keys, value)
    return JsonEntry(client.keys, value, client.format == "json", client.other)


HOOK_MARK = f" map --tokens {HOOK_TOKENS}"


def hook(launch: Launch) -> JsonItem:
    """At the start of a session the index is brought up to date and a short map of the project is put before the agent."""
    words = " ".join(f'"{word}"' if " " in word else word for word in (launch.command, *launch.args))
    value = {
        "matcher": "startup",
        "hooks": [{"type": "command", "command": words + HOOK_MARK, "timeout": 60}],
    }
    return JsonItem(HOOK_KEYS, value, HOOK_MARK, strict=True)


def detected(places: Places, on_path: Callable[[str], str | None]) -> Iterator[str]:
    """The names of the clients that are on this machine."""
    for client in CLIENTS.values():
        if any(places.path(one).exists() for one in client.signs) or any(map(on_path, client.programs)):
            yield client.name
