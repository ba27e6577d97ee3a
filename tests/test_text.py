from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.text import identifiers, lines, tokens
from trigpoint.text.identifiers import (
    fold,
    index_tokens,
    name_words,
    path_words,
    query_terms,
    split,
    tokens_of,
)
from trigpoint.text.stems import STEM_MARK, stem

SPLITS = {
    "parseConfig": "parse config",
    "ParseConfig": "parse config",
    "parse_config": "parse config",
    "parse-config": "parse config",
    "HTTPServer2": "http server 2",
    "getUserByID2": "get user by id 2",
    "userIDs": "user ids",
    "parseHTTPUrl": "parse http url",
    "utf8": "utf 8",
    "sha256sum": "sha 256 sum",
    "__init__": "init",
    "_": "",
    "": "",
    "A": "a",
    "XMLHttpRequest": "xml http request",
    "SCREAMING_CASE": "screaming case",
    "a.b::c": "a b c",
    "café": "café cafe",
    "ÉcoleNormale": "école ecole normale",
    "HTTPÉcole": "http école ecole",
    "Имя_Файла": "имя файла фаила",
    "用户列表": "用 户 列 表 用户 户列 列表",
    "get用户2": "get 用 户 用户 2",
    "サーバー": "サ ー バ サー ーバ バー",
}


@pytest.mark.parametrize(("name", "parts"), SPLITS.items())
def test_identifiers_are_split(name, parts):
    assert split(name) == tuple(parts.split())


def test_case_styles_meet_in_the_folded_name():
    assert fold("HTTP_Server") == fold("httpServer") == "httpserver"
    assert "parseurl" in tokens_of("parse_url")
    assert "parseurl" in tokens_of("parseUrl")
    assert name_words("parse_url") == ("parse", "url", "parseurl")


def test_tokens_keep_the_exact_name_and_mark_stems():
    assert tokens_of("AuthenticationService") == (
        "authenticationservice",
        "authentication",
        "~authent",
        "service",
        "~servic",
    )
    assert index_tokens("for x in parsing_all: parsing_all()").count("parsing_all") == 2
    assert index_tokens("") == []
    assert index_tokens("e\u0301cole") == ["\xe9cole", "ecole", "~ecol"]


def test_words_meet_by_their_stem_but_weaker():
    asked = {term.text: term.weight for term in query_terms(["parses"], [])}
    assert asked["parses"] > asked["~pars"]
    assert set(tokens_of("parsing")) & set(asked) == {"~pars"}
    plain = {term.text: term.weight for term in query_terms(["tokens"], [])}
    assert plain["tokens"] > plain["token"] == plain["~token"]


def test_a_name_counts_more_than_its_parts():
    asked = {term.text: term.weight for term in query_terms([], ["Auth.get_user()"])}
    assert asked["get_user"] > asked["getuser"] > asked["get"] > asked[STEM_MARK + "get"]
    assert asked["auth"] == asked["get_user"]
    assert [term.text for term in query_terms(["user", "user"], [])].count("user") == 1


def test_the_words_of_a_path():
    words = path_words("src/HttpServer/test_it.spec.ts")
    assert {"src", "httpserver", "http", "server", "test_it", "testit", "test", "it", "spec", "ts"} <= set(
        words
    )
    assert "目录" in path_words("目录/文件.py")


@pytest.mark.parametrize(
    ("word", "root"), [("connections", "connect"), ("id", "id"), ("größe", "größe"), ("a1s", "a1s")]
)
def test_only_words_are_stemmed(word, root):
    assert stem(word) == root


def test_the_pure_stemmer_agrees_with_the_compiled_one():
    from snowballstemmer.porter_stemmer import PorterStemmer

    pure = PorterStemmer()
    words = [
        "authentication",
        "parsing",
        "parsed",
        "services",
        "relational",
        "happy",
        "agreed",
        "sky",
        "hopping",
        "generalizations",
        "was",
    ]
    assert [stem(word) for word in words] == [pure.stemWord(word) for word in words]


def test_a_token_is_what_is_made_of_any_word_of_it():
    assert len(tokens_of("x" * 5000)[0]) == len(query_terms([], ["x" * 6000])[0].text)


@given(st.text(max_size=60))
def test_any_text_gives_clean_tokens(text):
    found = index_tokens(text)
    assert all(token and not any(char.isspace() for char in token) for token in found)
    asked = {term.text for term in query_terms([], [text])}
    assert {word.lower() for word in identifiers.words_in(text)} <= asked
    assert all(STEM_MARK not in token.removeprefix(STEM_MARK) for token in found)


@given(st.text(alphabet="ab\n\r\x0c\u2028é", max_size=40))
def test_lines_end_at_lf_only(text):
    starts = lines.line_starts(text)
    pieces = text.split("\n")
    count = len(pieces) - (pieces[-1] == "")
    assert lines.count_lines(text) == count == len(starts) - 1
    assert [lines.slice_lines(text, starts, n, n) for n in range(1, count + 1)] == [
        piece + "\n" if number < len(pieces) - 1 else piece
        for number, piece in enumerate(pieces)
        if number < count
    ]
    assert lines.slice_lines(text, starts, 1, count + 5) == text
    assert len(lines.byte_line_starts(text.encode())) == len(starts)
    for offset in range(len(text)):
        line, column = lines.position(starts, offset)
        assert starts[line - 1] + column == offset


def test_columns_are_bytes_inside_and_characters_outside():
    line = "é = 用户 x"
    assert lines.character_column(line, len("é = 用户 ".encode())) == 8
    assert lines.byte_column(line, 8) == len("é = 用户 ".encode())
    assert lines.character_column("plain", 2) == 3
    assert lines.character_column("plain", 99) == 6
    assert lines.character_column(line, 1) == 1


def test_tokens_are_counted_exactly():
    text = "def parse_config(path):\n    return json.loads(path.read_text())\n" * 20
    exact = tokens.count(text)
    assert tokens.counts([text, ""]) == [exact, 0]
    assert tokens.count("path \udcff") > 0


def test_nothing_heavy_is_imported_to_split_a_name():
    code = (
        "import sys; from trigpoint.text.identifiers import query_terms; query_terms(['parsing'], ['getUser']);"
        "assert not {'toktok', 'numpy', 'tree_sitter'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
