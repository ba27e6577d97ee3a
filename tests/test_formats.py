"""Text formats have outlines with exact lines, and no text makes one of them raise."""

from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigpoint.indexing.chunk import ChunkLimits, chunk
from trigpoint.indexing.formats.entries import LIMIT
from trigpoint.indexing.formats.table import FORMATS, embedded, readable
from trigpoint.model import MODULE, Outline, SourceFile


def brief(outline: Outline) -> list[tuple[str, str, int, int]]:
    return [(one.kind, one.qualified, one.start, one.end) for one in outline.symbols]


def source(text: str, language: str, path: str = "file") -> SourceFile:
    return SourceFile(path, language, "", text, "utf-8", len(text))


MARKDOWN = """---
title: not a heading
# nor this
---
# Install `foo` [here](http://x) #
text

- item
  ```sh
  # not a heading
  ```
Sub title
---------
## Deep {#id}
~~~
# no
```
# no
~~~

# Second
<!--
# hidden
-->
### Skip
"""


def test_markdown_sections_nest_and_fences_hide_what_looks_like_headings():
    outline = FORMATS["markdown"](MARKDOWN)
    assert brief(outline) == [
        ("section", "Install foo here", 5, 19),
        ("section", "Install foo here.Sub title", 12, 13),
        ("section", "Install foo here.Deep", 14, 19),
        ("section", "Second", 21, 25),
        ("section", "Second.Skip", 25, 25),
    ]
    assert not {10, 16, 18} & set(outline.splits)


def test_a_big_markdown_section_is_not_cut_inside_its_fence():
    fence = "```\n" + "".join(f"code line number {n}\n\n" for n in range(120)) + "```\n"
    text = (
        "# Title\n\n"
        + "Words and more words here.\n\n" * 60
        + fence
        + "\n"
        + "Then some other words.\n\n" * 40
    )
    chunks = chunk(source(text, "markdown"), FORMATS["markdown"](text), ChunkLimits())
    assert len(chunks) > 1
    assert all(one.text.count("```") % 2 == 0 for one in chunks)


RST = """=====
Title
=====

Intro
-----
text text
more

code::

  Not
  ---

Sub
~~~
Second
------

===  ===
a    b
===  ===
"""


def test_rst_levels_follow_the_order_of_adornments():
    assert brief(FORMATS["rst"](RST)) == [
        ("section", "Title", 1, 22),
        ("section", "Title.Intro", 5, 22),
        ("section", "Title.Intro.Sub", 15, 22),
    ]


def test_asciidoc_sections_are_not_found_in_blocks():
    text = "= Doc\n== A\n----\n== no\n----\n=== B\n== C\n"
    assert [one[1:] for one in brief(FORMATS["asciidoc"](text))] == [
        ("Doc", 1, 7),
        ("Doc.A", 2, 6),
        ("Doc.A.B", 6, 6),
        ("Doc.C", 7, 7),
    ]


SQL = """-- users
CREATE TABLE IF NOT EXISTS "public"."users" (
  id int, note text default 'a;b -- no'
);
/* c ; */
CREATE OR REPLACE FUNCTION app.bump(x int) RETURNS int AS $fn$
BEGIN
  UPDATE accounts SET a = 1; -- ;
  RETURN 1;
END;
$fn$ LANGUAGE plpgsql;
CREATE UNIQUE INDEX CONCURRENTLY idx_u ON public.users (id);
DELIMITER $$
CREATE DEFINER=`root`@`localhost` PROCEDURE p1()
BEGIN
  SELECT 1; SELECT 'it\\'s; ok';
END$$
create procedure p2() begin select 1; end$$
DELIMITER ;
CREATE TRIGGER t1 BEFORE INSERT ON users FOR EACH ROW
BEGIN
  IF NEW.a THEN SET NEW.b = CASE WHEN 1 THEN 2 END; END IF;
  INSERT INTO log VALUES (1);
END;
INSERT INTO users SELECT * FROM old_users JOIN b.c ON 1=1;
create materialized view v as select * from users
"""


def test_sql_statements_know_strings_comments_dollar_quotes_and_delimiters():
    outline = FORMATS["sql"](SQL)
    assert brief(outline) == [
        ("table", "public.users", 1, 4),
        ("function", "app.bump", 5, 11),
        ("index", "idx_u", 12, 12),
        ("procedure", "p1", 14, 17),
        ("procedure", "p2", 18, 18),
        ("trigger", "t1", 20, 24),
        ("view", "v", 26, 26),
    ]
    assert [one.name_line for one in outline.symbols[:2]] == [2, 6]
    uses = {(one.name, one.line, one.scope) for one in outline.references}
    assert {
        ("accounts", 8, 1),
        ("users", 12, 2),
        ("log", 23, 5),
        ("old_users", 25, MODULE),
        ("c", 25, MODULE),
    } <= uses
    assert outline.splits == (1, 5, 12, 14, 18, 20, 25, 26)


HTML = """<!-- <script>no()</script> -->
<div id="a"><p id='b'>é</p>
</div>
<script type="application/json">{"a":1}</script>
<p>漢</p><script>function f(){ return "</div>" }
g()</script>
<script lang="ts" setup>const a: number = 1</script>
"""


def test_scripts_keep_their_lines_and_byte_columns():
    found = {one.language: one.text for one in embedded(HTML, "html")}
    assert sorted(found) == ["javascript", "typescript"]
    for text, words in ((found["javascript"], b"function f()"), (found["typescript"], b"const a: number")):
        assert text.encode().index(words) == HTML.encode().index(words)
        assert text.count("\n") == HTML.count("\n")
        assert "no()" not in text and "{" + '"a"' not in text
    assert brief(FORMATS["html"](HTML)) == [("element", "a", 2, 3), ("element", "a.b", 2, 2)]


def test_components_have_their_blocks_and_their_script_language():
    vue = '<template>\n  <p v-if="a > 1" id="x"/>\n</template>\n<script setup lang="ts">\nconst a = 1\n</script>\n'
    assert [one[1:] for one in brief(FORMATS["vue"](vue))] == [
        ("template", 1, 3),
        ("template.x", 2, 2),
        ("script", 4, 6),
    ]
    (script,) = embedded(vue, "vue")
    assert (script.language, script.text.split("\n")[4]) == ("typescript", "const a = 1")
    astro = "---\nimport A from './A.astro'\n---\n<A/>\n<script>go()</script>\n"
    (front,) = embedded(astro, "astro")
    assert front.language == "typescript"
    assert front.text.split("\n")[1] == "import A from './A.astro'" and "go()" in front.text
    assert embedded("def f(): pass\n", "python") == ()


def test_keys_nest_to_three_levels_in_json_yaml_and_toml():
    text = '// c\n{"a": {"b": {"c": {"d": 1}}},\n "é": "x", "list": [\n   {"n": 1},\n   {"n": 2}\n ]}\n'
    outline = FORMATS["json"](text)
    assert [one[1:] for one in brief(outline)] == [
        ("a", 2, 2),
        ("a.b", 2, 2),
        ("a.b.c", 2, 2),
        ("é", 3, 3),
        ("list", 3, 6),
    ]
    assert outline.symbols[-1].name_column == len(' "é": "x", '.encode())
    assert outline.splits == (4, 5)
    yaml = 'a: 1\n"b c":\n  - x: 1\n    y: 2\njobs:\n  build:\n    run: |\n      text: no\n---\nk: {e: 1}\n'
    assert [one[1:] for one in brief(FORMATS["yaml"](yaml))] == [
        ("a", 1, 1),
        ("b c", 2, 4),
        ("jobs", 5, 8),
        ("jobs.build", 6, 8),
        ("jobs.build.run", 7, 8),
        ("k", 10, 10),
        ("k.e", 10, 10),
    ]
    toml = 'title = "x"\n[tool.ruff]\nlint = {select = ["E"]}\n\n[[bin]]\nname = "a"\n'
    assert [one[1:] for one in brief(FORMATS["toml"](toml))] == [
        ("title", 1, 1),
        ("tool.ruff", 2, 3),
        ("tool.ruff.lint", 3, 3),
        ("tool.ruff.lint.select", 3, 3),
        ("bin", 5, 6),
        ("bin.name", 6, 6),
    ]


def test_ini_sections_and_continued_keys():
    text = '[core]\n; c\na = 1\n  continued\n\n[remote "origin"]\nurl=x\n'
    assert brief(FORMATS["ini"](text)) == [
        ("section", "core", 1, 4),
        ("key", "core.a", 3, 4),
        ("section", 'remote "origin"', 6, 7),
        ("key", 'remote "origin".url', 7, 7),
    ]


def test_dockerfile_stages_are_not_found_in_heredocs_or_continuations():
    text = (
        "ARG BASE=x\nFROM --platform=linux/amd64 ${BASE}:1 AS build\nRUN <<EOF\nFROM nothing\nEOF\n"
        "RUN apt \\\n  # comment\n  FROM_x\nCOPY --from=build /a /b\nFROM build\nENV A=1\n"
    )
    outline = FORMATS["dockerfile"](text)
    assert brief(outline) == [
        ("variable", "BASE", 1, 1),
        ("stage", "build", 2, 9),
        ("stage", "build", 10, 11),
        ("variable", "build.A", 11, 11),
    ]
    assert [(one.name, one.line) for one in outline.references] == [("build", 9), ("build", 10)]
    assert [(one.module, one.alias) for one in outline.imports] == [("${BASE}:1", "build")]


def test_makefile_targets_carry_their_comment_recipe_and_prerequisites():
    text = (
        "CC ?= gcc\nVAR := $(shell echo a:b)\ninclude common.mk\n.PHONY: all\nall: build | out ## help\n"
        "\t@echo hi \\\n\t  more\n\n# compile\n%.o: %.c $(HDRS)\n\t$(CC) -c $<\ndefine tpl\nfoo: bar\nendef\n"
    )
    outline = FORMATS["makefile"](text)
    assert brief(outline) == [
        ("variable", "CC", 1, 1),
        ("variable", "VAR", 2, 2),
        ("target", "all", 5, 7),
        ("target", "%.o", 9, 11),
        ("macro", "tpl", 12, 14),
    ]
    assert [one.doc for one in outline.symbols if one.kind == "target"] == ["help", "compile"]
    assert {(one.name, one.scope) for one in outline.references} >= {("build", 2), ("out", 2), ("%.c", 3)}
    assert [one.module for one in outline.imports] == ["common.mk"]


PROTOBUF = """syntax = "proto3";
import "google/a.proto";
// import "no.proto";
// A user.
message User {
  message Inner { string a = 1; }
  enum Kind { X = 0; }
  string s = 3 [default = "}"];
}
service Svc {
  rpc Get(stream .pkg.User) returns (User.Inner) {
    option (x) = { get: "/v1" };
  }
  rpc Put(User) returns (User);
}
"""


def test_protobuf_messages_services_and_rpcs():
    outline = FORMATS["protobuf"](PROTOBUF)
    assert brief(outline) == [
        ("message", "User", 3, 9),
        ("message", "User.Inner", 6, 6),
        ("enum", "User.Kind", 7, 7),
        ("service", "Svc", 10, 15),
        ("method", "Svc.Get", 11, 13),
        ("method", "Svc.Put", 14, 14),
    ]
    assert [one.module for one in outline.imports] == ["google/a.proto"]
    assert {(one.name, one.scope) for one in outline.references} == {("User", 4), ("Inner", 4), ("User", 5)}


def test_graphql_types_fields_and_operations():
    text = (
        '"""Doc { brace"""\ntype Query implements Node @key(fields: "id") {\n  # c {\n  user(id: ID!, x: In = {a: 1}): User\n'
        "  b: [Int!]!\n}\nunion U = A | B\nscalar Date\nquery GetUser($id: ID!) { user(id: $id) { ...F } }\n"
        "fragment F on User { name }\nschema { query: Query }\n"
    )
    assert brief(FORMATS["graphql"](text)) == [
        ("type", "Query", 1, 6),
        ("field", "Query.user", 4, 4),
        ("field", "Query.b", 5, 5),
        ("union", "U", 7, 7),
        ("scalar", "Date", 8, 8),
        ("query", "GetUser", 9, 9),
        ("fragment", "F", 10, 10),
        ("schema", "schema", 11, 11),
    ]


def test_terraform_blocks_by_address():
    text = (
        '# web\nresource "aws_instance" "web" {\n  ami = "a}b" # }\n  user_data = <<-EOF\n    resource "no" "no" {\n'
        '    }}\n  EOF\n}\nvariable "region" {}\ndata "aws_ami" "u" {}\nmodule "net" {\n  source = "./net"\n}\nlocals {\n}\n'
    )
    outline = FORMATS["terraform"](text)
    assert brief(outline) == [
        ("resource", "aws_instance.web", 1, 8),
        ("variable", "var.region", 9, 9),
        ("data", "data.aws_ami.u", 10, 10),
        ("module", "module.net", 11, 13),
        ("locals", "locals", 14, 15),
    ]
    assert [one.module for one in outline.imports] == ["./net"]


def test_styles_by_selector():
    text = (
        '@import "a";\n/* x { */\n.btn, a:hover { color: red; &:focus { b: c } }\n'
        '@media (min-width: 1px) {\n  .nav[rel="x"] > li { x: url(http://a); }\n}\n:root { --x: 1 }\n'
    )
    outline = FORMATS["scss"](text)
    assert [(*one[2:], one[1]) for one in brief(outline)] == [
        (2, 3, ".btn, a:hover"),
        (3, 3, ".btn, a:hover.&:focus"),
        (4, 6, "@media (min-width: 1px)"),
        (5, 5, '@media (min-width: 1px)..nav[rel="x"] > li'),
        (7, 7, ":root"),
    ]


def notebook(indent: int | None) -> str:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Tide study\n", "Compare harbour gauges."]},
        {"cell_type": "code", "outputs": [], "source": []},
        {
            "cell_type": "code",
            "outputs": [{"text": ["def spread(values):\n", "QUJD\n"] * 20}],
            "source": ["%matplotlib inline\n", "def spread(values):\n", '    return "é\\n", max(values)'],
        },
        {"cell_type": "code", "outputs": [], "source": ["%%bash\n", "ls"]},
    ]
    kernel = {"kernelspec": {"language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4}, indent=indent, ensure_ascii=False)


def test_a_notebook_is_read_on_the_lines_of_its_file():
    raw = notebook(1)
    file = readable(source(raw, "ipynb", "study.ipynb"))
    rows, raws = file.text.split("\n"), raw.split("\n")
    at = next(n for n, row in enumerate(rows, 1) if row.startswith("def spread"))
    assert (
        raws[at - 1].strip() == r'"def spread(values):\n",' and rows[at] == '    return "é\\n", max(values)'
    )
    assert "QUJD" not in file.text and len(rows) == len(raws) + 1
    outline = FORMATS["ipynb"](file.text)
    assert [one[1] for one in brief(outline)] == ["cell 1", "cell 1.Tide study", "cell 3", "cell 4"]
    assert (outline.symbols[2].start, outline.symbols[2].end) == (at - 2, at + 1)
    (code,) = embedded(file.text, "ipynb")
    assert code.language == "python"
    assert [row for row in code.text.split("\n") if row] == rows[at - 1 : at + 1]
    chunks = chunk(file, outline, ChunkLimits())
    assert "".join(one.text for one in chunks) == file.text
    assert [one.symbols for one in chunks if one.tokens] == [(0, 1), (2,), (3,)]
    assert max(one.end - one.start for one in chunks if one.tokens) < 15


@pytest.mark.parametrize(
    "raw", [notebook(None), notebook(1).replace('"# Tide study\\n",\n', '"# Tide study\\n", ')]
)
def test_a_notebook_without_a_line_for_each_line_is_read_cell_by_cell(raw: str):
    text = readable(source(raw, "ipynb")).text
    assert text.startswith("# notebook, kernel python; lines are of the cells, not of the file\n")
    outline = FORMATS["ipynb"](text)
    assert [(one.name, one.start, one.end) for one in outline.symbols if one.kind == "cell"] == [
        ("cell 1", 2, 4),
        ("cell 3", 5, 8),
        ("cell 4", 9, 11),
    ]


def test_what_is_no_notebook_is_left_as_it_is():
    for raw in ("{}", "[1, 2]", "not json", '{"cells": ', ""):
        file = source(raw, "ipynb")
        assert readable(file).text == raw or raw == '{"cells": '
        assert embedded(raw, "ipynb") == () and FORMATS["ipynb"](raw) == Outline()
    other = source("x = 1\n", "python")
    assert readable(other) is other


SAMPLES = {
    "markdown": MARKDOWN,
    "rst": RST,
    "sql": SQL,
    "html": HTML,
    "vue": HTML,
    "astro": "---\nconst a = 1\n---\n" + HTML,
    "protobuf": PROTOBUF,
    "ipynb": notebook(1),
    "json": notebook(2),
    "yaml": "a: &x\n  b: |\n    t\n  c: [1, {d: e}]\n? k\n: v\n<<: *x\n",
    "toml": '[a."b.c"]\nd = """\nx\n"""\n[[e]]\nf = [1,\n 2]\n',
    "makefile": "A = b\nall: $(x) ${y} z\n\tcmd\ndefine d\n",
    "dockerfile": "FROM a AS b\nRUN <<E\nx\n",
    "terraform": 'resource "a" "b" {\n x = <<E\n}\nE\n}\n',
    "graphql": "type A { b(c: D): E }\n",
    "css": "@media x { a { b: c } }\n",
    "ini": "[a]\nb = c\n",
    "asciidoc": "= A\n== B\n",
}
JUNK = st.text(st.sampled_from("{}[]()<>\"'`$#/*-=:;,.\\|~!&@% \t\r\n\x00\x0c\u2028aAé漢\udce9"), max_size=60)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(FORMATS)), st.integers(0, 1200), st.integers(0, 60), JUNK)
def test_no_text_makes_a_format_raise_and_lines_stay_in_the_file(
    language: str, cut: int, gap: int, junk: str
):
    sample = SAMPLES.get(language, SAMPLES["css"])
    file = readable(source(sample[:cut] + junk + sample[cut + gap :], language))
    outline = FORMATS[language](file.text)
    count = file.text.count("\n") + 1
    for one in outline.symbols:
        assert 1 <= one.start <= one.name_line <= one.end <= count
        assert MODULE <= one.container < len(outline.symbols)
    for part in embedded(file.text, language):
        assert part.text.count("\n") == file.text.count("\n")
    chunks = chunk(file, outline, ChunkLimits(40, 5))
    assert "".join(one.text for one in chunks if not one.derived) == file.text


BIG = {
    "json": "[" + ",\n".join('{"a": {"b": [1, 2]}}' for _ in range(20_000)) + "]",
    "yaml": "".join(f"k{n}:\n  a: 1\n  b: [1, 2]\n" for n in range(15_000)),
    "sql": "INSERT INTO t VALUES " + ",\n".join(f"({n}, 'it''s {n}')" for n in range(25_000)) + ";",
    "graphql": "type A {\n" + "".join(f"  f{n}(a: Int): B\n" for n in range(20_000)) + "}\n",
    "css": "".join(f".a{n} {{ b: c }}\n" for n in range(25_000)),
    "protobuf": "message A {\n" + "".join(f"  string f{n} = {n};\n" for n in range(20_000)) + "}\n",
    "markdown": "[" * 20_000 + "\n" + "# a\n\ntext\n" * 30_000 + "`" * 50_000,
    "rst": "a\n=\n\n" * 60_000,
    "html": "<div>" * 300 + "<p id=x>" * 20_000,
    "makefile": "$(a)$(b) " * 20_000 + "\n" + "x: y\n\tz\n" * 20_000,
    "terraform": "".join(f'resource "a" "b{n}" {{\n}}\n' for n in range(10_000)),
    "dockerfile": "FROM a\n" + "RUN b \\\n c\n" * 20_000,
    "ini": "[a]\n" + "b = c\n d\n" * 20_000,
    "less": "word another\n" * 40_000,
    "vue": '<script "' * 50_000,
}


@pytest.mark.parametrize("language", sorted(BIG))
def test_big_files_cost_little_and_are_capped(language: str):
    began = process_time()
    outline = FORMATS[language](BIG[language])
    embedded(BIG[language], language)
    chunk(source(BIG[language], language), outline, ChunkLimits())
    assert process_time() - began < 3.0
    assert len(outline.symbols) <= LIMIT
