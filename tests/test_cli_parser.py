import pytest

from trigpoint.config import SETTINGS
from trigpoint.errors import UsageError
from trigpoint.operations import MAX_LIMIT, OPERATIONS, Operation, ReadRequest
from trigpoint.surfaces.cli import COMMANDS
from trigpoint.surfaces.parser import _GROUPS, build, overview, parse

EVERY = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=list(OPERATIONS))


def test_every_operation_has_its_command() -> None:
    assert list(COMMANDS) == list(OPERATIONS)


@EVERY
def test_the_parser_says_what_the_request_says(operation: Operation) -> None:
    actions = {action.dest: action for action in build(operation)._actions}
    for field in operation.fields():
        action = actions[field.name]
        assert field.argument.words in (action.help or "")
        assert action.choices == (field.argument.choices or None)
        assert bool(action.option_strings) is not field.argument.positional
    assert set(operation.arguments) == set(operation.request._fields)


@EVERY
def test_without_flags_the_request_has_its_defaults(operation: Operation) -> None:
    words = ["word" for field in operation.fields() if field.argument.positional]
    request = parse([operation.name, *words]).request
    expected = {
        field.name: "word" if field.argument.positional else field.default for field in operation.fields()
    }
    assert request._asdict() == expected


@EVERY
def test_settings_and_requests_have_the_same_limits(operation: Operation) -> None:
    settings = {setting.key: setting for setting in SETTINGS}
    for field in operation.fields():
        if field.argument.setting:
            setting = settings[field.argument.setting]
            assert setting.choices == field.argument.choices
            assert (setting.minimum, setting.maximum) == (field.argument.minimum, field.argument.maximum)
            assert field.default is None


def test_flags_become_the_request_and_the_settings() -> None:
    parsed = parse(
        [
            "search",
            "who",
            "--limit",
            "3",
            "proj",
            "--lang",
            "go",
            "--lang",
            "c",
            "--not-path",
            "t",
            "--no-update",
            "--json",
        ]
    )
    assert parsed.request.languages == ("go", "c")
    assert parsed.request.filters.not_paths == ("t",)
    assert parsed.request.update is False
    assert parsed.settings == {"search.limit": 3}
    assert (parsed.root, parsed.format) == ("proj", "json")


def test_a_text_that_begins_with_a_dash() -> None:
    assert parse(["search", "--", "-x"]).request.query == "-x"
    with pytest.raises(UsageError) as caught:
        parse(["search", "-x"])
    assert "write -- before" in caught.value.hint


@pytest.mark.parametrize(
    "argv",
    [
        ["frob"],
        ["search", "q", "--limit", "0"],
        ["search", "q", "--limit", "-1"],
        ["search", "q", "--limit", str(MAX_LIMIT + 1)],
        ["search", "q", "--limit", "many"],
        ["search", "q", "--tokens", "1"],
        ["search", "q", "--tier", "quick"],
        ["search", "q", "--set", "search.limit"],
        ["search", "q", "a", "--root", "b"],
        ["search", "q", "--lim", "3"],
        ["symbol"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_understood_is_a_usage_error_with_a_hint(argv: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        parse(argv)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        ("a.py", ("a.py", 1, None)),
        ("a.py:3", ("a.py", 3, 3)),
        ("a.py:3-9", ("a.py", 3, 9)),
        ("a:b.py:3-9", ("a:b.py", 3, 9)),
        ("new\nline.py:1-2", ("new\nline.py", 1, 2)),
        ("", ("", 1, None)),
    ],
)
def test_places_are_read_as_answers_write_them(place: str, lines: tuple) -> None:
    assert ReadRequest(place).lines == lines


@pytest.mark.parametrize("place", ["a.py:0", "a.py:0-3", "a.py:9-3"])
def test_a_range_that_is_none(place: str) -> None:
    with pytest.raises(UsageError):
        _ = ReadRequest(place).lines


@pytest.mark.parametrize(
    "words",
    [
        "callers NAME",
        "callees NAME",
        "deps NAME",
        "impact NAME",
        "symbol NAME",
        "outline FILE",
        "read FILE:1-2",
        "path A B",
        "search Q",
        "map",
        "callers --queries q.jsonl",
        "impact --diff main",
    ],
)
def test_the_last_word_is_the_project(words: str) -> None:
    argv = words.split()
    assert parse([*argv, "proj"]) == parse([*argv, "--root", "proj"])
    assert parse(argv).root is None
    with pytest.raises(UsageError):
        parse([*argv, "proj", "--root", "proj"])


def test_help_fits_one_screen() -> None:
    assert len(overview().splitlines()) <= 24
    assert all(len(line) < 100 for line in overview().splitlines())
    assert len(build(OPERATIONS["search"]).format_help().splitlines()) <= 60


def test_each_command_stands_in_one_group_of_the_first_page():
    grouped = [name for names in _GROUPS.values() for name in names.split()]
    assert sorted(grouped) == sorted(OPERATIONS)
