from __future__ import annotations

import pytest

from trigpoint.sources.marks import marks_of

CASES = """
test         tests/unit/a.py  test/a.c  spec/models/user_spec.rb  src/__tests__/a.js  pkg/testdata/in.py  e2e/login.ts
test         test_app.py  app_test.py  conftest.py  a_test.go  a.spec.ts  a.test.tsx  a-test.js  a.cy.ts  app.e2e-spec.ts
test         src/AppTest.java  AppTests.cs  HTTPTest.java  TestApp.java  LoginIT.java  AppSpec.scala  FooSuite.scala
test         Shop.Tests/Cart.cs  ShopTests/Cart.swift  src/androidTest/A.kt  src/integrationTest/A.java  CartTest.php
test         a_test.exs  a_test.dart  a_spec.lua  a.bats  test-plot.R  a_unittest.cc  test_main.c  src/tests.rs  app/tests.py
test         t/integration/tasks.py  t/t0001-init.sh
-test        src/t/a.py  t.py  latest/contest.py  contest/a.go  src/testing/runner.py  attest.py  Latest.java  Contest.java  protest.ts
-test        fastest.rs  testimony.py  manifest.java  Unit.java  LIMIT.java  greatest/hits.py  inspect.py  aspect/x.rb
doc          docs/conf.py  README  README.md  CHANGELOG.rst  LICENSE  LICENSE-MIT  a/guide.mdx  notes.txt  doc/a.c
-doc         history.py  security.go  license.ts  requirements.txt  CMakeLists.txt  docstring.py  news/models.py
example      examples/a.py  demo/x.ts  sample/x.go  example_test.go  Button.stories.tsx  .env.example  example.py
-example     resample.py  democracy/a.py  counterexample/a.py
config       pyproject.toml  tsconfig.build.json  package.json  .eslintrc.js  vite.config.ts  Dockerfile  a/Makefile
config       .github/workflows/ci.yml  CMakeLists.txt  pom.xml  requirements-dev.txt  .gitignore  docker-compose.yml
-config      config.py  src/config/load.go  configure.ts  builder.py
data         fixtures.json  a.csv  pic.svg  a/b.jsonl  layout.xml
-data        package.json  tsconfig.json  pom.xml  data/models.py  database.py
vendored     node_modules/x/i.js  vendor/a.go  third_party/z/b.c  pip/_vendor/r.py  3rdparty/a.h  Pods/A/a.m
-vendored    vendoring/a.py  my_modules/a.js  src/vendor.py
generated    a_pb2.py  a.pb.go  a.g.dart  Form.Designer.cs  __generated__/q.ts  package-lock.json  yarn.lock  go.sum  a.js.map
-generated   generator.py  generate.go  locks.py  map.ts
minified     a.min.js  a-min.css
-minified    admin.js  minify.js
type-stub    index.d.ts  a.d.mts  a.pyi
-type-stub   a.ts  d.ts
legacy       compat.py  _compat.py  src/legacy/a.js  old_compat.rb
-legacy      compatible.py  legacyish/a.py
benchmark    benches/a.rs  benchmarks/x.py  bench_sort.py
-benchmark   workbench/a.py
"""


@pytest.mark.parametrize(
    ("mark", "path"),
    [(row.split()[0], path) for row in CASES.strip().splitlines() for path in row.split()[1:]],
)
def test_mark(mark: str, path: str) -> None:
    assert (mark.lstrip("-") in marks_of(path)) is not mark.startswith("-")


def test_plain_source_has_no_marks() -> None:
    for path in (
        "src/app/main.py",
        "lib/a.rb",
        "cmd/x/main.go",
        "main.rs",
        "目录/文件.py",
        "new\nline.py",
        "",
    ):
        assert marks_of(path) == frozenset()
