"""Settings, and the only reader of environment variables and configuration files.

Precedence, highest first: flag, environment (TRIGPOINT_*), project file (trigpoint.toml, or [tool.trigpoint] in
pyproject.toml), user file, default. `trig config` prints each value and where it came from.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from trigpoint.errors import ConfigError
from trigpoint.model_settings import (
    MODEL_SETTINGS,
    NOT_BY_A_PROJECT,
    NOT_IN_A_FILE,
    Setting,
    Value,
)
from trigpoint.operations import MAX_LIMIT, MAX_TOKENS, MIN_TOKENS, PIPELINES, TIERS

_SEPARATED = f"separated by {os.pathsep}; searched beside the project"

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "cache.dir", "", "folder of all indexes; empty for the user's cache folder", places=NOT_BY_A_PROJECT
    ),
    Setting(
        "index.dir", "", "folder of this project's index; empty for one in cache.dir", places=NOT_IN_A_FILE
    ),
    Setting("index.in_repository", False, "keep the index in .trigpoint/ of the project"),
    Setting("lexical", "tantivy", "engine of the word index", choices=("tantivy", "fts5")),
    *MODEL_SETTINGS,
    Setting("max_file_bytes", 1_000_000, "larger files are listed, not read", minimum=1, maximum=100_000_000),
    Setting(
        "file_time_limit_seconds", 10.0, "a file that takes longer is set aside", minimum=0.1, maximum=600
    ),
    Setting("workers", 0, "processes that read files; 0 for one a core", minimum=0, maximum=256),
    Setting("trees.kept", 4, "other branches whose indexes are kept", minimum=0, maximum=100),
    Setting("trees.days", 30.0, "how long after they were last used", minimum=0, maximum=10_000),
    Setting("trees.megabytes", 2_000, "how large they may be together", minimum=0, maximum=1_000_000),
    Setting("records.days", 30.0, "how long records that left the index are kept", minimum=0, maximum=10_000),
    Setting(
        "records.megabytes", 200, "how large they may be together; 0 for none", minimum=0, maximum=1_000_000
    ),
    Setting("chunk.max_tokens", 800, "largest chunk, estimated", minimum=50, maximum=8_000),
    Setting("chunk.min_tokens", 100, "smaller neighbours are merged", minimum=0, maximum=4_000),
    Setting("search.limit", 10, "most results", minimum=1, maximum=MAX_LIMIT),
    Setting("search.tokens", 2_000, "most tokens of an answer", minimum=MIN_TOKENS, maximum=MAX_TOKENS),
    Setting("search.tier", "balanced", "how much work an answer is worth", choices=TIERS),
    Setting("search.pipeline", "auto", "how code is found; auto routes by the question", choices=PIPELINES),
    Setting(
        "search.rrf_k", 60, "damping of ranks when rankings are fused", minimum=1, maximum=1_000
    ),  # Cormack et al. 2009
    Setting(
        "search.update_max_files",
        500,
        "most changed files brought in before an answer",
        minimum=0,
        maximum=100_000,
    ),
    Setting("search.background", True, "bring more than that in behind the answer of a command"),
    Setting(
        "context.max_tokens",
        10_000,
        "no answer to an agent is longer, whatever it asks for",
        minimum=MIN_TOKENS,
        maximum=MAX_TOKENS,
    ),
    Setting(
        "search.similarity", 0.0, "least likeness in meaning of what the vectors find", minimum=0, maximum=1
    ),
    Setting("search.graph_hops", 0, "hops of a walk; 0 for those of the intent", minimum=0, maximum=20),
    Setting(
        "search.graph_fan",
        0,
        "neighbours past which a hub is cut; 0 for the intent's",
        minimum=0,
        maximum=10_000,
    ),
    Setting("search.boosts", "", "added to the score by path: src/**=0.5, legacy=-0.3"),
    Setting("layers.workspace", "", f"further folders of the same work, {_SEPARATED}"),
    Setting("layers.repository", "", f"folders of other repositories, {_SEPARATED}"),
    Setting("layers.global", "", f"folders of dependency sources, {_SEPARATED}"),
    Setting(
        "layers.repository_share", 0.5, "share of their score that hits there keep", minimum=0, maximum=1
    ),
    Setting("layers.global_share", 0.1, "share of their score that hits there keep", minimum=0, maximum=1),
    Setting(
        "mcp.token",
        "",
        "what an HTTP client of trig mcp must show; empty for a new one each start",
        places=NOT_BY_A_PROJECT,
    ),
    Setting(
        "stats",
        True,
        "count answers beside the index, for trig stats; no question and no path is kept",
        places=NOT_BY_A_PROJECT,
    ),
    Setting("color", "auto", "colours on a terminal", choices=("auto", "always", "never")),
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS}


class Settings(NamedTuple):
    """What the engine is set to. ``index_dir`` and ``cache_dir`` are resolved; ``origins`` says where each key came from."""

    root: Path
    cache_dir: Path
    index_dir: Path
    index_in_repository: bool
    lexical: str
    embedder: str
    embedding_model: str
    embedding_endpoint: str
    embedding_key_variable: str
    embedding_dimensions: int
    embedding_max_tokens: int
    embedding_batch_tokens: int
    embedding_query_prompt: str
    embedding_document_prompt: str
    embedding_revision: str
    embedding_tries: int
    embedding_seconds: float
    vectors_search: str
    rerank_by: str
    rerank_top: int
    rerank_seconds: float
    rerank_model: str
    rerank_endpoint: str
    rerank_key_variable: str
    rerank_window: int
    rerank_step: int
    rerank_tokens: int
    max_file_bytes: int
    file_time_limit_seconds: float
    workers: int
    trees_kept: int
    trees_days: float
    trees_megabytes: int
    records_days: float
    records_megabytes: int
    chunk_max_tokens: int
    chunk_min_tokens: int
    search_limit: int
    search_tokens: int
    search_tier: str
    search_pipeline: str
    search_rrf_k: int
    search_update_max_files: int
    search_background: bool
    context_max_tokens: int
    mcp_token: str
    search_similarity: float
    search_graph_hops: int
    search_graph_fan: int
    search_boosts: str
    layers_workspace: str
    layers_repository: str
    layers_global: str
    layers_repository_share: float
    layers_global_share: float
    stats: bool
    color: str
    origins: Mapping[str, str]


class Shown(NamedTuple):
    """One line of `trig config`."""

    key: str
    value: Value
    origin: str
    words: str


def show(settings: Settings) -> tuple[Shown, ...]:
    """Each setting with its value and where that came from."""
    rows = []
    for setting in SETTINGS:
        value = getattr(settings, setting.attribute)
        shown = str(value) if isinstance(value, Path) else value
        rows.append(Shown(setting.key, shown, settings.origins[setting.key], setting.words))
    return tuple(rows)


class _Layer(NamedTuple):
    """The values of one origin. ``place`` is the kind of origin, ``name`` what a person is shown."""

    place: str
    name: str
    values: Mapping[str, Value]


def load(
    root: Path,
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    user_dir: Path | None = None,
) -> Settings:
    """The settings of a project. ``flags`` are keys with values; None reads the real environment and user folder.

    Raises ConfigError for an unknown key, a bad value, or settings that contradict each other.
    """
    environ = os.environ if environ is None else environ
    root = root.resolve()
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    ranks: dict[str, int] = {}
    layers = (
        _Layer("default", "default", {setting.key: setting.default for setting in SETTINGS}),
        *_user_layers(user_dir),
        *_project_layers(root),
        *_color_layers(environ),
        *_environment_layers(environ),
        _layer("flag", "flag", flags or {}),
    )
    for rank, layer in enumerate(layers):
        for key, value in layer.values.items():
            values[key], origins[key], ranks[key] = value, layer.name, rank
    _refuse_contradictions(values, origins)
    if values["index.in_repository"] and ranks["index.in_repository"] > ranks["index.dir"]:
        values["index.dir"] = str(root / ".trigpoint")
        origins["index.dir"] = f"index.in_repository, {origins['index.in_repository']}"
    return _settle(root, values, origins)


def _settle(root: Path, values: dict[str, Value], origins: dict[str, str]) -> Settings:
    cache = _folder(values["cache.dir"]) or _user_folder("cache")
    attributes: dict[str, Any] = {_BY_KEY[key].attribute: value for key, value in values.items()}
    attributes["cache_dir"] = cache
    attributes["index_dir"] = _folder(values["index.dir"]) or index_folder(cache, root)
    return Settings(root=root, origins=origins, **attributes)


def _folder(value: Value) -> Path | None:
    return Path(str(value)).expanduser().absolute() if value else None


def _user_folder(kind: str) -> Path:
    if sys.platform == "linux":  # what platformdirs does there, without the 5 ms that it takes to import
        given = os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip()
        return Path(given or Path.home() / {"cache": ".cache", "config": ".config"}[kind]) / "trigpoint"
    import platformdirs

    folder = platformdirs.user_cache_dir if kind == "cache" else platformdirs.user_config_dir
    return Path(folder("trigpoint", appauthor=False))


def user_file(name: str) -> Path:
    """A file beside the user's settings."""
    return _user_folder("config") / name


def index_folder(cache: Path, root: Path) -> Path:
    """Where the index of ``root`` lies in a cache folder: a name that people know, and a digest that no two share."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in root.name)[:40]
    return cache / f"{name or 'root'}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:16]}"


_MARKERS = ("trigpoint.toml", ".git", ".trigpoint")


def find_root(start: Path, cache: Path | None = None) -> Path:
    """The project around a folder: the nearest one upward that holds trigpoint.toml, .git or .trigpoint,
    or that has an index in ``cache`` (None: the cache folder of the user's settings). Else the folder itself.
    """
    start = start.resolve()
    cache = cache or load(start).cache_dir
    for folder in (start, *start.parents):
        if any((folder / marker).exists() for marker in _MARKERS) or index_folder(cache, folder).exists():
            return folder
    return start


def _user_layers(user_dir: Path | None) -> tuple[_Layer, ...]:
    path = (user_dir or _user_folder("config")) / "trigpoint.toml"
    data = _toml(path)
    return () if data is None else (_layer("user", str(path), _flat(data)),)


def _project_layers(root: Path) -> tuple[_Layer, ...]:
    own = _toml(root / "trigpoint.toml")
    shared = _toml(root / "pyproject.toml", only_with=b"trigpoint")
    table = (shared or {}).get("tool", {}).get("trigpoint")
    if own is not None and table is not None:
        raise ConfigError(
            "both trigpoint.toml and [tool.trigpoint] in pyproject.toml have settings",
            "move them into one file",
        )
    if own is not None:
        return (_layer("project", "trigpoint.toml", _flat(own)),)
    return () if table is None else (_layer("project", "pyproject.toml", _flat(table)),)


def _color_layers(environ: Mapping[str, str]) -> tuple[_Layer, ...]:
    if environ.get("NO_COLOR"):
        return (_Layer("environment", "NO_COLOR", {"color": "never"}),)
    if environ.get("TERM") == "dumb":
        return (_Layer("environment", "TERM", {"color": "never"}),)
    return ()


def _environment_layers(environ: Mapping[str, str]) -> tuple[_Layer, ...]:
    """One layer a variable, all of one rank for people: each value is shown with the variable it came from."""
    variables = sorted(name for name in environ if name.startswith("TRIGPOINT_"))
    return tuple(_layer("environment", name, {_key_of(name): environ[name]}) for name in variables)


def _key_of(variable: str) -> str:
    if variable not in _BY_VARIABLE:
        raise ConfigError(f"no setting belongs to {variable}", _suggest(variable, list(_BY_VARIABLE)))
    return _BY_VARIABLE[variable].key


def _toml(path: Path, only_with: bytes = b"") -> dict[str, Any] | None:
    """The parsed file, or None when there is none, or when it does not hold ``only_with``."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", "make it readable, or move it away"
        ) from error
    if only_with not in content:
        return None
    import tomllib  # 10 ms that most searches do without

    try:
        return tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}", "mend it, or move it away") from error


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _layer(place: str, name: str, given: Mapping[str, Any]) -> _Layer:
    """A layer of checked values."""
    return _Layer(place, name, {key: _checked(key, value, place, name) for key, value in given.items()})


def _checked(key: str, value: Any, place: str, name: str) -> Value:
    setting = _BY_KEY.get(key)
    if setting is None:
        raise ConfigError(f"no setting is called {key} ({name})", _suggest(key, list(_BY_KEY)))
    if place not in setting.places:
        raise ConfigError(
            f"{key} cannot be set in {name}", f"set {setting.variable} or give --set {key}=… instead"
        )
    converted = _converted(value, type(setting.default), written=place in ("flag", "environment"))
    if converted is None:
        kind = _KINDS[type(setting.default)]
        raise ConfigError(f"{key} cannot be {value!r} ({name})", f"it is {kind}")
    if setting.choices and converted not in setting.choices:
        raise ConfigError(
            f"{key} cannot be {value!r} ({name})", f"it is one of: {', '.join(setting.choices)}"
        )
    low, high = setting.minimum, setting.maximum
    if low is not None and high is not None and not low <= float(converted) <= high:
        raise ConfigError(f"{key} cannot be {value} ({name})", f"it is a number from {low:,} to {high:,}")
    return converted


_KINDS: dict[type, str] = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_TRUTH = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def _converted(value: Any, kind: type, *, written: bool) -> Value | None:
    """The value as the kind of its setting, or None. Only what is ``written`` as text anyway is parsed."""
    if isinstance(value, Path) and kind is str:
        return str(value)
    if isinstance(value, str) and kind is not str:
        return _parsed(value, kind) if written else None
    if isinstance(value, bool) or kind is bool:
        return value if isinstance(value, bool) and kind is bool else None
    return kind(value) if isinstance(value, (int, float) if kind is float else kind) else None


def _parsed(text: str, kind: type) -> Value | None:
    if kind is bool:
        return _TRUTH.get(text.lower())
    try:
        return kind(text)  # type: ignore[no-any-return]
    except ValueError:
        return None


def _suggest(word: str, known: list[str]) -> str:
    import difflib  # only for people who mistyped

    close = difflib.get_close_matches(word, known, n=1)
    meant = f"did you mean {close[0]}? " if close else ""
    return meant + "`trig config` lists them all"


def service_key(variable: str) -> str:
    """The key of a service: "" where the environment has none. It is kept in no setting and shown nowhere."""
    return os.environ.get(variable, "").strip() if variable else ""


def _refuse_contradictions(values: Mapping[str, Value], origins: Mapping[str, str]) -> None:
    """Raise ConfigError for settings that cannot both hold."""
    low, high = "chunk.min_tokens", "chunk.max_tokens"
    if float(values[low]) > float(values[high]):
        raise ConfigError(
            f"{low} {values[low]} ({origins[low]}) is more than {high} {values[high]} ({origins[high]})",
            "lower the first, raise the second, or leave both out",
        )
    _refuse_embedder(str(values["embedder"]), origins["embedder"])
    both = values["index.dir"] and values["index.in_repository"]
    if both and _place(origins["index.dir"]) == _place(origins["index.in_repository"]):
        raise ConfigError(
            "index.dir and index.in_repository both say where the index lies",
            f"leave one out ({origins['index.dir']}, {origins['index.in_repository']})",
        )


def _refuse_embedder(name: str, origin: str) -> None:
    """Raise ConfigError for one that is unknown, and for an address that a project names."""
    if name in ("static", "none"):  # without the table, which a search has no need of
        return
    from trigpoint.embedders.choice import row_of

    row_of(name)
    if "://" in name and origin in ("trigpoint.toml", "pyproject.toml"):
        raise ConfigError(
            f"embedder cannot be an address in {origin}",
            "a project may not say where code is sent: set it yourself",
        )


def _place(origin: str) -> str:
    return "environment" if origin.startswith("TRIGPOINT_") else origin


def keys_of(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Keys for the names that Python allows: ``search_limit`` is ``search.limit``. Unknown names are left as they are."""
    known = {setting.attribute: setting.key for setting in SETTINGS}
    return {known.get(name, name): value for name, value in attributes.items()}
