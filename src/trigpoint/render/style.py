"""Colours, and text that cannot do anything to a terminal."""

from __future__ import annotations

import re
from typing import NamedTuple

COLORS = {"path": "35", "line": "32", "match": "1;31", "dim": "2", "bold": "1"}
"""What fingers and eyes know from ripgrep."""

_UNSEEN = (
    "\x00-\x08\x0a-\x1f\x7f-\x9f"  # control characters but the tab: escape sequences, bells, line ends
    "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # zero width, direction, line separators
    "\ud800-\udfff"  # bytes that are not UTF-8
    "\U000e0000-\U000e0fff"  # tags and variation selectors that hide text
)
_IN_TEXT = re.compile(f"[{_UNSEEN}]")
_IN_PATH = re.compile(f"[\t{_UNSEEN}]")


class Look(NamedTuple):
    """How the reader sees: with colours or not; as a person at a terminal or as a program behind a pipe."""

    color: bool = False
    terminal: bool = False

    def paint(self, text: str, color: str) -> str:
        """The text in one of COLORS."""
        return f"\x1b[{COLORS[color]}m{text}\x1b[0m" if self.color and text else text


def visible(text: str) -> str:
    """One line that stays one line: what cannot be seen is written as an escape, tabs stay.

    A byte that is no UTF-8 is written as ``\\xff``, as Python and git do.
    """
    return _IN_TEXT.sub(_escape, text)


def visible_path(path: str) -> str:
    """A path as ``visible`` text, tabs escaped too."""
    return _IN_PATH.sub(_escape, path)


def escaped_json(text: str) -> str:
    """JSON text in which everything that cannot be seen is a JSON escape, so that it is valid UTF-8 and harmless.

    Such characters stand only inside strings there, so the meaning stays. A lone surrogate becomes U+FFFD: many
    parsers refuse its escape.
    """
    return _IN_TEXT.sub(_escape_json, text)


def _escape_json(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if 0xDC80 <= code <= 0xDCFF:  # surrogateescape
        return f"\\x{code - 0xDC00:02x}"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def cut(text: str, width: int) -> str:
    """At most ``width`` characters, the last one an ellipsis when something is missing."""
    return text if len(text) <= width else text[: width - 1] + "…"


def marked(line: str, words: re.Pattern[str] | None, look: Look) -> str:
    """A visible line with the words painted as matches."""
    if not look.color or words is None:
        return line
    return words.sub(lambda match: look.paint(match[0], "match"), line)
