"""Code inside other files: parsed in place, with the lines of the file."""

from __future__ import annotations

import pytest

from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect

VUE = '<template>\n  <p/>\n</template>\n<script setup lang="ts">\nimport A from "./a"\nfunction go(a: number) {\n  return a\n}\n</script>\n'
SVELTE = "<script>\n  export let x;\n  function go() {\n    a();\n  }\n</script>\n<p>{x}</p>\n"
ASTRO = '---\nimport A from "./A.astro"\nfunction go() { return 1 }\n---\n<A/>\n'
HTML = "<html>\n<script>\nfunction go() {\n}\n</script>\n</html>\n"
PHP = "<html>\n<?php function go() {\n return 1;\n}\n?>\n<p>\n<?php class A {\n function m() {}\n} ?>\n</p>\n"
ERB = "<div id='top'>\n<%# def no; %>\n<% def go(x) %>\n<%= link_to x, home_path -%>\n<% items.each do |i| %>\n<%= i.name %>\n<% end %>\n<% end %>\n</div>\n"
EJS = "<ul>\n<% function go(a) { %>\n<li><%= format(a) %></li>\n<% } %>\n<% go(1) %>\n</ul>\n"
EEX = "<p>\n<%= for x <- @xs do %>\n<%= render(x) %>\n<% end %>\n</p>\n"
GQL = "const q = gql`\n  query GetUser($id: ID!) {\n    user(id: $id) { name ...${F} }\n  }\n`;\nconst n = 1;\nconst other = /* GraphQL */ `\n  fragment Parts on User { id }\n`;\n"
SQL_JS = (
    "async function load(id) {\n  return db.query(sql`\n    SELECT * FROM orders WHERE id = ${id}\n  `);\n}\n"
)
SQL_PY = 'def load():\n    run("""-- sql\n        CREATE TABLE carts (id int);\n        SELECT * FROM users\n    """)\n\n\ndef plain():\n    run("""SELECT * FROM nothing""")\n'
SQL_RB = "def load\n  run(<<~SQL)\n    SELECT * FROM beds\n  SQL\nend\n"

FILES = [
    ("a.vue", VUE, "function go 6-8", ""),
    ("a.svelte", SVELTE, "function go 3-5", "a 4"),
    ("a.astro", ASTRO, "function go 3-3", ""),
    ("a.html", HTML, "function go 3-4", ""),
    ("a.php", PHP, "function go 2-4; class A 7-9; method A.m 8-8", ""),
    ("a.html.erb", ERB, "element top 1-9; function go 3-8", "link_to 4; home_path 4; each 5"),
    ("a.ejs", EJS, "function go 2-4", "format 3; go 5"),
    ("a.html.heex", EEX, "", "render 3"),
    ("a.js", GQL, "query GetUser 2-4; fragment Parts 8-8; variable n 6-6", ""),
    ("b.ts", SQL_JS, "function load 1-5", "orders 3"),
    ("a.py", SQL_PY, "function load 1-5; table carts 3-3; function plain 8-9", "users 4"),
    ("a.rb", SQL_RB, "function load 1-5", "beds 3"),
]


@pytest.mark.parametrize(("path", "text", "symbols", "uses"), FILES, ids=[one[0] for one in FILES])
def test_code_inside_is_found_on_its_lines(path: str, text: str, symbols: str, uses: str) -> None:
    found = outline_of(text, detect(path, text), path)
    have = {
        f"{one.kind.replace('constant', 'variable')} {one.qualified} {one.start}-{one.end}"
        for one in found.symbols
    }
    used = {f"{one.name} {one.line}" for one in found.references}
    assert {one for one in symbols.split("; ") if one} - have == set(), have
    assert {one for one in uses.split("; ") if one} - used == set(), used
    assert not [one for one in (*have, *used) if "nothing" in one or " no " in one]


def test_what_a_string_uses_belongs_to_the_function_around_it() -> None:
    found = outline_of(SQL_PY, "python", "a.py")
    (use,) = [one for one in found.references if one.name == "users"]
    assert found.symbols[use.scope].name == "load"
