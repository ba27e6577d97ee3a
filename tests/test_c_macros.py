"""C and C++ before parsing: conditionals that cut through statements and macros in place of attributes cost no symbol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.indexing.outline import outline
from trigpoint.languages.c.conditionals import settled

PIECES = [
    "#if A\n", "#ifdef B\n", "#else\n", "#elif C\n", "#endif\n", "#define X {\n", "{", "}", "(", ")", ";\n", "int f", "if (a) ",
    "else ", '"{"', "/* } */", "// {\n", "'{'", 'R"(', "API_X ", "class ", "struct EXPORT_Y ", "\r\n", "\\\n", ",", "é",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_what_the_parser_reads_has_the_same_places(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    read = settled(source)
    assert len(read) == len(source)
    assert [at for at, one in enumerate(read) if one in b"\r\n"] == [
        at for at, one in enumerate(source) if one in b"\r\n"
    ]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("int a(void)\n{\n#ifdef X\n  if (p) {\n#else\n  if (q) {\n#endif\n  }\n}\nint b(void) { return 1; }\n", ["a", "b"]),
        ("#ifdef X\nint a(long n)\n#else\nint a(int n)\n#endif\n{\n}\nint b(void) {}\n", ["a", "b"]),
        ("#if X\nint a(void) { return 1; }\n#else\nint b(void) { return 2; }\n#endif\n", ["a", "b"]),
        ("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a(void);\n#ifdef __cplusplus\n}\n#endif\nint b(void);\n", ["a", "b"]),
        ("int t[] = {\n#ifdef X\n  1,\n#else\n  2,\n#endif\n};\nint b(void) {}\n", ["t", "b"]),
        ("#if 0\nint a(void) {\n#endif\nint b(void) {\n}\n#define AFTER 1\n", ["a", "b", "AFTER"]),
        ("PUBLIC ALLOC(1)\nvoid *a(int n);\nBEGIN_DECLS\nstruct b { int x; };\n", ["a", "b", "x"]),
        ("COLD static int a(void) { return 0; }\nEXPORT_FN(b)\n{\n}\n", ["a", "b"]),
    ],
)  # fmt: skip
def test_no_symbol_is_lost(source: str, names: list[str]) -> None:
    found = {symbol.name for symbol in outline(source.encode(), "c").symbols}
    assert found >= set(names)


def test_a_class_behind_a_macro_keeps_its_name_bases_and_members() -> None:
    source = b"class EXPORT_API Pump : public Base {\n public:\n  int flow() LOCKED(mutex_) { return run(); }\n};\n"
    found = outline(source, "cpp")
    assert [symbol.qualified for symbol in found.symbols] == ["Pump", "Pump.flow"]
    assert found.symbols[0].bases == ("Base",)
    assert [(one.name, found.symbols[one.scope].name) for one in found.references if one.kind == "call"] == [
        ("run", "flow")
    ]


def test_a_file_of_capitals_is_no_trap() -> None:
    source = b"FOO_BAR\n" * 20_000
    assert len(settled(source)) == len(source)
