import json

from hypothesis import given
from hypothesis import strategies as st

from trigpoint.render.style import Look, cut, escaped_json, visible, visible_path


def test_what_a_terminal_would_act_on_is_written_out() -> None:
    assert (
        visible("a\x1b[31mb\x07\x9b\u202ec\u200bd\U000e0041") == r"a\x1b[31mb\x07\x9b\u202ec\u200bd\U000e0041"
    )
    assert visible("tab\tstays") == "tab\tstays"
    assert visible_path("a\tb\nc\udcff") == r"a\tb\nc\xff"


def test_plain_text_of_all_scripts_is_left_alone() -> None:
    for text in ("naïve", "日本語", "עברית", "🎉", "a\\b"):
        assert visible(text) == text


@given(st.text(st.characters()))
def test_any_text_is_one_line_of_utf8_without_control_characters(text: str) -> None:
    shown = visible(text)
    assert len((shown + "x").splitlines()) == 1
    assert not any(ord(c) < 32 and c != "\t" for c in shown)
    shown.encode()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_keeps_its_meaning(text: str) -> None:
    shown = escaped_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(shown) == {"text": text}
    assert visible(shown) == shown


def test_json_of_a_lone_surrogate_is_valid_utf8() -> None:
    assert escaped_json(json.dumps("a\udcff", ensure_ascii=False)).encode() == '"a\ufffd"'.encode()


def test_paint_and_cut() -> None:
    assert Look().paint("a", "path") == "a"
    assert Look(color=True).paint("a", "path") == "\x1b[35ma\x1b[0m"
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"
