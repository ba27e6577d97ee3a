"""What may be trained on: licences, names, content; and what a pair is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))
import clean
import licences
import mine
import pairs
from archives import Package

PACKAGES = Path(__file__).parents[1] / "training" / "packages"


@pytest.mark.parametrize(
    ("expression", "use"),
    [
        ("MIT", True),
        ("Apache-2.0 OR GPL-2.0-or-later", True),
        ("MIT AND GPL-3.0", False),
        ("BSD License", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("LGPL-2.1+", False),
        ("MPL-2.0", False),
        ("Expat and BSD-3-clause", True),
        ("SEE LICENSE IN LICENSE.txt", False),
        ("Proprietary", False),
        ("", False),
    ],
)
def test_only_plainly_permissive_licences_are_used(expression, use):
    assert licences.verdict(expression).use is use


def test_debian_files_go_by_their_own_stanza():
    rights = licences.Copyright(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nLicense: MIT\n\n"
        "Files: contrib/*\nLicense: GPL-2+\n"
    )
    assert rights.of("src/a.c").use
    assert not rights.of("contrib/b.c").use
    assert not licences.Copyright("This is free software.").of("a.c").use


def test_evaluation_repositories_are_known_by_name():
    never = mine.Never((PACKAGES / "never.txt").read_text().split())
    known = [
        ("pypi", "django"),
        ("npm", "zod"),
        ("debian", "ruby-sinatra"),
        ("debian", "golang-github-go-chi-chi"),
    ]
    assert all(never.package(Package(*one, "1", Path())) for one in known)
    assert not never.package(Package("pypi", "anyio", "1", Path()))
    assert never.path("lib/networkx/graph.py")


def test_no_listed_package_is_held_out_or_kept_back():
    never = mine.Never((PACKAGES / "never.txt").read_text().split())
    held = clean.held_out()
    for row in (PACKAGES / "licences.tsv").read_text().splitlines()[1:]:
        registry, name, version, *_ = row.split("\t")
        assert not never.package(Package(registry, name, version, Path())), name
    for registry, mark in (("pypi", "=="), ("debian", "=")):
        names = {
            f"{registry}:{line.split(mark)[0]}" for line in (PACKAGES / f"{registry}.txt").read_text().split()
        }
        assert not names & held


SOURCE = '''
def wait_for(job, seconds):
    """Wait until a job is done.

    Raises TimeoutError.
    """
    while not job.done:
        sleep(seconds)
'''


def test_a_pair_is_a_sentence_and_the_code_without_it():
    (one,) = pairs.pairs_of("pkg/jobs.py", SOURCE.encode())
    assert (one.doc, one.name, one.language) == ("Wait until a job is done.", "wait_for", "python")
    assert "Wait until" not in one.body
    assert "while not job.done" in one.body
    moved = SOURCE.replace("    ", "\t").replace(
        "Wait until a job is done.", "Something else in a few words."
    )
    assert next(pairs.pairs_of("x.py", moved.encode())).digest == one.digest
    assert one.digest in set(pairs.digests_of("y.py", SOURCE.encode()))


def test_tests_and_vendored_code_give_no_pairs():
    assert not list(pairs.pairs_of("tests/test_jobs.py", SOURCE.encode()))
    assert not list(pairs.pairs_of("vendor/jobs.py", SOURCE.encode()))


def test_leaks_copies_and_held_out_packages_are_dropped(tmp_path, capsys, monkeypatch):
    (one,) = pairs.pairs_of("pkg/jobs.py", SOURCE.encode())
    rows = [("pypi:a", "1"), ("pypi:b", "1"), ("pypi:c", "2"), ("pypi:click", "3")]
    lines = [json.dumps({"package": package, **one._asdict(), "digest": digest}) for package, digest in rows]
    (tmp_path / "pairs").write_text("\n".join(lines) + "\n")
    (tmp_path / "leaks").write_text("2\n")
    monkeypatch.setattr(
        sys, "argv", ["clean.py", str(tmp_path / "leaks"), str(tmp_path / "out"), str(tmp_path / "pairs")]
    )
    clean.main()
    assert [json.loads(line)["package"] for line in (tmp_path / "out").read_text().splitlines()] == ["pypi:a"]
    assert "held out\t1" in capsys.readouterr().out
