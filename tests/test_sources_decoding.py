from __future__ import annotations

import pytest

from trigpoint.sources.decoding import decode

FRENCH = "# crème brûlée à la carte\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "guessed"),
    [
        (b"", "", "utf-8", False),
        (b"def saw(): pass\n", "def saw(): pass\n", "utf-8", False),
        ("文件\n".encode(), "文件\n", "utf-8", False),
        (b"\xef\xbb\xbfdef saw(): pass\n", "def saw(): pass\n", "utf-8-sig", False),
        (b"\xff\xfe" + "a = 1\r\n".encode("utf-16-le"), "a = 1\r\n", "utf-16-le", False),
        (b"\xfe\xff" + "a = 1\n".encode("utf-16-be"), "a = 1\n", "utf-16-be", False),
        (b"\xff\xfe\0\0" + "a\n".encode("utf-32-le"), "a\n", "utf-32-le", False),
        ("function f() {}\n".encode("utf-16-le"), "function f() {}\n", "utf-16-le", True),
        ("function f() {}\n".encode("utf-16-be"), "function f() {}\n", "utf-16-be", True),
        (
            b"# -*- coding: latin-1 -*-\n" + FRENCH.encode("latin-1"),
            "# -*- coding: latin-1 -*-\n" + FRENCH,
            "latin-1",
            False,
        ),
        (b"# coding=gbk\nx = '\xce\xc4'\n", "# coding=gbk\nx = '文'\n", "gbk", False),
        (
            b'<?xml version="1.0" encoding="iso-8859-15"?>\n\xa4\n',
            '<?xml version="1.0" encoding="iso-8859-15"?>\n€\n',
            "iso8859-15",
            False,
        ),
        (b"# coding: no-such-thing\n\xe9\n", "# coding: no-such-thing\né\n", "cp1252", True),
        (FRENCH.encode("latin-1"), FRENCH, "cp1252", True),
        ("/* “smart” – */\n".encode("cp1252"), "/* “smart” – */\n", "cp1252", True),
        (b"/* \x81 */\n", "/* \x81 */\n", "latin-1", True),
        (b"a\x0c\nb\x0b\nc\r\nd\re\n", "a\x0c\nb\x0b\nc\r\nd\re\n", "utf-8", False),
        (b"only\rold\rmac\r", "only\rold\rmac\r", "utf-8", False),
        ("a\u2028b\u0085c\n".encode(), "a\u2028b\u0085c\n", "utf-8", False),
    ],
)
def test_text(data: bytes, text: str, encoding: str, guessed: bool) -> None:
    assert decode(data) == (text, encoding, guessed)


@pytest.mark.parametrize(
    "data",
    [b"a\0b\n", b"\x7fELF\x02\x01\x01\0\0\0", b"\0", b"\xff\xfe\0\0\0\0\0\0", bytes(range(1, 256)) * 4],
)
def test_not_text(data: bytes) -> None:
    assert decode(data) is None


def test_one_bad_byte_does_not_garble_the_rest() -> None:
    decoded = decode("текст и ещё текст\n".encode() + b"\xff\n")
    assert decoded is not None
    assert decoded.text == "текст и ещё текст\n\ufffd\n"
    assert decoded.guessed


def test_a_broken_utf16_file_is_still_lines() -> None:
    decoded = decode(b"\xff\xfebad")
    assert decoded is not None and decoded.guessed


def test_text_can_always_be_written_as_utf8() -> None:
    for data in (b"\xed\xa0\x80", b"\xff\xfe\x00\xd8a\x00", b"\xe9\xa0", FRENCH.encode("latin-1")):
        decoded = decode(data)
        assert decoded is not None
        decoded.text.encode("utf-8")
