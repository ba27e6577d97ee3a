"""Build files as structure: what a project is called, what it needs, where it begins, on the right lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect

PACKAGE_JSON = """{
  "name": "@shop/cart",
  "main": "./lib/index.js",
  "bin": { "cart": "bin/cart.js" },
  "workspaces": ["packages/a", "packages/b"],
  "scripts": {
    "build": "tsc -p ."
  },
  "dependencies": {
    "react": "^18.0.0",
    "@scope/util": "1"
  },
  "devDependencies": { "vitest": "2" }
}
"""
TSCONFIG = """{
  // words
  "extends": "../base.json",
  "compilerOptions": { "paths": { "@app/*": ["src/*"] } },
  "references": [{ "path": "../core" }]
}
"""
CARGO = """[package]
name = "shop"
build = "build.rs"

[lib]
name = "shop_core"
path = "src/core.rs"

[dependencies]
serde = { version = "1", features = ["derive"] }
beds = { path = "../beds" }

[dev-dependencies.tokio]
version = "1"

[workspace]
members = [
  "crates/a",
]
"""
PYPROJECT = """[build-system]
requires = ["hatchling>=1"]

[project]
name = "shop"
dependencies = [
    "httpx>=0.27",  # words
    'attrs',
]

[project.optional-dependencies]
dev = ["pytest"]

[project.scripts]
shop = "shop.cli:main"
"""
SETUP = """[metadata]
name = shop

[options]
install_requires =
    requests>=2
    attrs
"""
GOMOD = """module example.com/shop // words

go 1.22

require github.com/pkg/errors v0.9.1
require (
\tgolang.org/x/sync v0.7.0 // indirect
)
replace github.com/pkg/errors => ../errors
"""
POM = """<project>
  <parent>
    <groupId>org.base</groupId>
    <artifactId>base</artifactId>
  </parent>
  <artifactId>shop</artifactId>
  <!-- <artifactId>no</artifactId> -->
  <modules>
    <module>core</module>
  </modules>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
    </dependency>
  </dependencies>
</project>
"""
GRADLE = """plugins {
    id 'java'
}
// implementation 'no:no:1'
dependencies {
    implementation 'com.acme:cart:1.0'
    testImplementation("org.junit:junit:5")
    api project(':core:util')
}
task hello {
    doLast { println 'hi' }
}
"""
SETTINGS_GRADLE = "rootProject.name = 'shop'\ninclude ':core', ':app:web'\n"
CSPROJ = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><AssemblyName>Shop</AssemblyName></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Dapper" Version="2" />
    <ProjectReference Include="..\\Core\\Core.csproj" />
  </ItemGroup>
  <Target Name="Pack">
    <Exec Command="x" />
  </Target>
</Project>
"""
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(shop LANGUAGES CXX) # project(no)
find_package(Boost 1.70 REQUIRED)
add_library(core
  core.cpp
)
add_executable(shop main.cpp)
target_link_libraries(shop PRIVATE core Boost::boost)
add_subdirectory(tests)
function(greet name)
  message(${name})
endfunction()
"""
REQUIREMENTS = (
    "# words\nhttpx==0.27\nuvicorn[standard]>=0.30 ; python_version > '3'\n-r base.txt\n-e ./local\n"
)
COMPOSER = '{\n  "name": "a/shop",\n  "require": {\n    "php": ">=8",\n    "monolog/monolog": "^3"\n  }\n}\n'

FILES = [
    ("web/package.json", PACKAGE_JSON, "package @shop/cart 2; entry main 3; entry cart 4; script build 7; dependency react 10; dependency vitest 13",
     "dependency react 10; dependency @scope/util 11; dependency vitest 13; include ./lib/index.js 3; include bin/cart.js 4; include packages/b 5"),
    ("tsconfig.build.json", TSCONFIG, "key extends 3; alias @app/* 4", "include ../base.json 3; include ../core 5"),
    ("Cargo.toml", CARGO, "package shop 2; entry shop_core 6; dependency serde 10; dependency beds 11",
     "include build.rs 3; include src/core.rs 7; dependency serde 10; include ../beds 11; include crates/a 18"),
    ("pyproject.toml", PYPROJECT, "package shop 5; entry shop 15; extra dev 12",
     "dependency hatchling 2; dependency httpx 7; dependency attrs 8; dependency pytest 12; entry shop.cli 15"),
    ("setup.cfg", SETUP, "package shop 2", "dependency requests 6; dependency attrs 7"),
    ("go.mod", GOMOD, "package example.com/shop 1; dependency golang.org/x/sync 7",
     "dependency github.com/pkg/errors 5; dependency golang.org/x/sync 7; include ../errors 9"),
    ("pom.xml", POM, "package shop 6; parent base 4; module core 9; dependency junit 14",
     "dependency org.base:base 4; dependency junit:junit 14; include core 9"),
    ("build.gradle", GRADLE, "plugin java 2; dependency com.acme:cart:1.0 6; task hello 10; project :core:util 8",
     "dependency java 2; dependency com.acme:cart:1.0 6; dependency org.junit:junit:5 7; include core/util 8"),
    ("settings.gradle", SETTINGS_GRADLE, "package shop 1; module :core 2; module :app:web 2", "include core 2; include app/web 2"),
    ("Shop.csproj", CSPROJ, "package Shop 2; dependency Dapper 4; target Pack 7", "dependency Dapper 4; include ../Core/Core.csproj 5"),
    ("CMakeLists.txt", CMAKE, "package shop 2; dependency Boost 3; library core 4; executable shop 7; module tests 9; function greet 10",
     "dependency Boost 3; include tests 9"),
    ("requirements.txt", REQUIREMENTS, "dependency httpx 2; dependency uvicorn 3", "dependency httpx 2; dependency uvicorn 3; include base.txt 4; include ./local 5"),
    ("composer.json", COMPOSER, "package a/shop 2; dependency monolog/monolog 5", "dependency monolog/monolog 5"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "symbols", "imports"), FILES, ids=[one[0] for one in FILES])
def test_a_build_file_tells_its_names_needs_and_beginnings(
    path: str, text: str, symbols: str, imports: str
) -> None:
    found = outline_of(text, detect(path, text), path)
    have = {f"{one.kind} {one.name} {one.name_line}" for one in found.symbols}
    brought = {f"{one.kind} {one.module} {one.line}" for one in found.imports}
    assert set(symbols.split("; ")) - have == set(), have
    assert set(imports.split("; ")) - brought == set(), brought
    assert not [one for one in (*have, *brought) if one.split()[1] in ("no", "no:no:1")]
    rows = text.split("\n")
    for one in found.symbols:
        assert 1 <= one.start <= one.name_line <= one.end <= len(rows)
        assert rows[one.name_line - 1][one.name_column :].lstrip("\"'").startswith(one.name), one


def test_what_a_build_file_opens_ends_where_it_closes() -> None:
    found = {one.name: (one.start, one.end) for one in outline_of(CMAKE, "cmake", "CMakeLists.txt").symbols}
    assert (found["core"], found["greet"]) == ((4, 6), (10, 12))
    found = {one.name: (one.start, one.end) for one in outline_of(GRADLE, "gradle", "build.gradle").symbols}
    assert found["hello"] == (10, 12)
    found = {one.name: (one.start, one.end) for one in outline_of(POM, "maven", "pom.xml").symbols}
    assert found["junit"] == (12, 15)


def test_the_same_text_under_another_name_is_plain_keys() -> None:
    found = outline_of(PACKAGE_JSON, "json", "data.json")
    assert {one.kind for one in found.symbols} == {"key"} and found.imports == ()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 400), st.text(max_size=20))
def test_no_text_makes_a_build_file_raise(one: tuple[str, str, str, str], at: int, put: str) -> None:
    path, text, _, _ = one
    broken = text[:at] + put + text[at + len(put) // 2 :]
    found = outline_of(broken, detect(path, text), path)
    last = max(1, broken.count("\n") + 1)
    assert all(1 <= symbol.start <= symbol.name_line <= symbol.end <= last for symbol in found.symbols)
