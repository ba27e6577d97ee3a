"""`trig bench`: labelled sets of four formats, scores, intervals, comparison of runs, and sets mined from a project."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from planting import planted
from trigpoint import Engine, UsageError
from trigpoint.evaluation.measure import Record, Run, compare, interval, means, measure
from trigpoint.evaluation.metrics import Answered, Place, ndcg, scores, shows, touches
from trigpoint.evaluation.mine import Commit, from_commits, leaks
from trigpoint.evaluation.questions import Question, Target, read_questions
from trigpoint.render.bench import read_run
from trigpoint.surfaces.cli import main

TREE = {
    "src/retry.py": 'def schedule(part):\n    """Send a failed part again after a longer pause."""\n    return part\n\n\n'
    'def parse_config(text):\n    """Parse the config of a shop."""\n    return text\n',
    "src/invoice.py": 'def total(lines):\n    """Add up what a customer owes this month."""\n    return sum(lines)\n',
    "tests/test_retry.py": 'def test_schedule():\n    """Checks that a part is sent once more."""\n    assert True\n',
}
SET = (
    {"query": "who sends a failed part again", "relevant": ["src/retry.py"], "category": "concept"},
    {
        "query": "what does a customer owe",
        "relevant": [{"path": "src/invoice.py", "start_line": 1, "end_line": 3}],
    },
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = planted(tmp_path_factory.mktemp("works") / "shop", TREE)
    cache = str(tmp_path_factory.mktemp("cache"))
    with trigpoint.open(root, cache_dir=cache, embedder="none") as opened:
        opened.index()
        yield opened


# labelled sets


def rows(name: str) -> tuple[Question, ...]:
    contents = {
        "list": json.dumps(SET),
        "lines": "".join(json.dumps(row) + "\n" for row in SET),
        "object": json.dumps({"version": 1, "questions": SET}),
    }
    return read_questions(contents[name], name)


@pytest.mark.parametrize("name", ["list", "lines", "object"])
def test_json_in_three_shapes_is_one_set(name: str) -> None:
    first, second = rows(name)
    assert (first.text, first.relevant, first.category) == (
        SET[0]["query"],
        (Target("src/retry.py"),),
        "concept",
    )
    assert second.relevant == (Target("src/invoice.py", 1, 3),)


def test_bug_reports_have_gold_files_and_functions() -> None:
    row = {"id": "a-1", "query": "it fails", "gold_files": ["a.py"], "mention": "none", "repository": "a",
           "gold_functions": [{"file": "a.py", "name": "run", "start": 3, "end": 9}]}  # fmt: skip
    (one,) = read_questions(json.dumps(row), "x")
    assert one == Question(
        "a-1", "it fails", (Target("a.py"),), (), (Target("a.py", 3, 9, "run"),), "none", "a"
    )


@pytest.mark.parametrize(
    "topics",
    [
        "<top>\n<num> Number: 7\n<title> who sends\n it again\n<desc> …\n</top>",
        "<top><num>7</num><title>who sends it again</title></top>",
        "7\twho sends it again\n8\tnobody judged this\n",
    ],
)
def test_trec_topics_with_judgements(topics: str) -> None:
    (one,) = read_questions(topics, "t", "7 0 src/retry.py 1\n7 0 src/invoice.py 0\n7 0 src/other.py:4-9 2\n")
    assert (one.id, one.text) == ("7", "who sends it again")
    assert one.relevant == (Target("src/retry.py"), Target("src/other.py", 4, 9))


@pytest.mark.parametrize(
    ("content", "qrels", "says"),
    [
        ('{"query": "x"}', "", "row 1 is no question"),
        ('{"relevant": ["a"]}', "", "row 1 is no question"),
        ("who sends it", "", "neither JSON nor JSON Lines"),
        ("[]", "", "holds no question"),
        ("7\tx", "7 0 a.py", "qrels line 1"),
    ],
)
def test_a_set_that_cannot_be_read_says_where(content: str, qrels: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        read_questions(content, "set", qrels)
    assert says in error.value.message
    assert error.value.hint


# scores


def test_places_touch_targets_by_file_and_lines() -> None:
    assert touches(Place("a/b.py", 1, 9), Target("b.py"))
    assert not touches(Place("ab.py", 1, 9), Target("b.py"))
    assert touches(Place("b.py", 1, 9), Target("b.py", 9, 12))
    assert not touches(Place("b.py", 1, 9), Target("b.py", 10, 12))
    assert shows(Place("b.py", 1, 200, "A.run"), Target("b.py", 90, 95, "run"))
    assert not shows(Place("b.py", 1, 200, "A"), Target("b.py", 90, 95, "run"))


def test_every_score_of_one_answer() -> None:
    question = Question("1", "x", (Target("a.py"), Target("b.py")), (), (Target("b.py", 5, 9, "go"),))
    places = (Place("c.py", 1, 9), Place("a.py", 1, 9), Place("a.py", 10, 19), Place("b.py", 4, 9, "go"))
    found = scores(question, Answered(places, {500: places[:2], 2000: places}))
    assert found == {
        "ndcg@10": pytest.approx((1 / 1.584963 + 1 / 2.321928) / (1 + 1 / 1.584963), abs=1e-5),
        "mrr": 0.5,
        "acc@1": 0.0,
        "acc@5": 1.0,
        "acc@10": 1.0,
        "func@5": 1.0,
        "func@10": 1.0,
        "recall@500": 0.5,
        "recall@2000": 1.0,
    }
    assert ndcg(places, (Target("a.py"),), 1) == 0.0


def record(number: int, repository: str, value: float) -> Record:
    return Record(str(number), repository, "", {"mrr": value}, 1.0, 10)


def test_an_interval_draws_whole_repositories() -> None:
    even = Run("a", tuple(record(n, f"r{n % 4}", float(n % 2)) for n in range(80)))
    (mrr,) = means(even)
    assert (mrr.value, mrr.questions) == (0.5, 80)
    assert (mrr.low, mrr.high) == (0.0, 1.0)  # four repositories, two all right and two all wrong
    low, high = interval([[float(n % 2) for n in range(80)]])
    assert 0.35 < low < 0.45 and 0.55 < high < 0.65


def test_two_runs_are_compared_in_pairs() -> None:
    first = Run("a", tuple(record(n, f"r{n % 5}", 0.6) for n in range(20)))
    second = Run("b", tuple(record(n, f"r{n % 5}", 0.5) for n in range(5, 40)))
    (mrr,) = compare(first, second)
    assert (mrr.questions, mrr.certain) == (15, True)
    assert mrr.first - mrr.second == pytest.approx(0.1)
    assert not next(compare(first, first)).certain
    with pytest.raises(UsageError):
        next(compare(first, Run("c", ())))


def test_an_engine_answers_a_set(engine: Engine) -> None:
    run = engine.bench(rows("list"))
    assert [one.scores["mrr"] for one in run.records] == [1.0, 1.0]
    assert all(
        one.scores["recall@500"] == 1.0 and one.milliseconds > 0 and one.tokens > 0 for one in run.records
    )
    assert engine.bench(rows("list"), pipeline="bm25").name == "bm25"
    assert {one.measure for one in means(engine.bench(rows("list"), depth=3))} >= {
        "ndcg@3",
        "acc@5",
        "recall@4000",
    }


def test_a_budget_too_small_for_the_text_does_not_count_what_is_only_listed() -> None:
    question = Question("1", "x", (Target("a.py"),))
    run = measure("x", [question], lambda one: Answered((Place("a.py", 1, 9),), {500: ()}))
    assert run.records[0].scores["recall@500"] == 0.0
    assert run.records[0].scores["acc@1"] == 1.0


# sets of one's own


@pytest.mark.parametrize(
    ("text", "target", "name"),
    [
        ("Parse the configs twice", Target("src/x.py", name="parse_config"), "parse_config"),
        ("Fix a crash in RetryQueue", Target("src/retry_queue.py"), "retry_queue"),
        ("Make the queue of a retry shorter", Target("src/retryQueue.js"), "retryQueue"),
        ("Send a part again later", Target("src/retry.py", name="schedule"), ""),
        ("Look into src/retry.py once more", Target("src/retry.py"), "retry"),
        ("Leave empty lines out", Target("src/index2.py", name="A.skip"), ""),
    ],
)
def test_a_question_that_names_its_answer_leaks(text: str, target: Target, name: str) -> None:
    assert leaks(text, (target,)) == name


def test_commits_become_questions_or_are_refused_with_the_reason(engine: Engine) -> None:
    with engine._snapshot() as snapshot:
        marks = {row.path: row.marks for row in snapshot.files()}
        scope = (("src/invoice.py", "def total(lines):"),)
        commits = [
            Commit("1", "fix(billing): leave out what is already paid (#12)", ("src/invoice.py",), scope),
            Commit("2", "Repair the invoice of a customer", ("src/invoice.py",)),
            Commit("3", "Bump the version of everything here", ("src/invoice.py",)),
            Commit("4", "Only check that nothing else fails", ("tests/test_retry.py",)),
            Commit("5", "Take away what nobody has asked for", ("src/gone.py", "src/retry.py")),
            Commit("6", "Too short", ("src/retry.py",)),
        ]
        found = from_commits(commits, marks.get, snapshot.symbols_of)
    (one,) = found.questions
    assert one.text == "leave out what is already paid"
    assert one.relevant == (Target("src/invoice.py"),)
    assert one.functions == (Target("src/invoice.py", 1, 3, "total"),)
    assert sorted(found.refused) == [
        "a chore", "a file is not indexed", "names its answer", "no code, or too many files", "too short or too long",
    ]  # fmt: skip


def test_docstrings_become_questions_unless_they_name_their_function(engine: Engine) -> None:
    found = engine.mine(commits=0)
    assert {one.text for one in found.questions} == {
        "Send a failed part again after a longer pause",
        "Add up what a customer owes this month",
    }
    assert found.refused["names its answer"] == 1
    assert found.refused["no code"] == 1


def git(root: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)


def test_the_command_mines_a_set_measures_it_and_compares(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = planted(tmp_path / "shop", TREE)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Initial commit of it all")
    (root / "src" / "invoice.py").write_text(
        "def total(lines):\n    return sum(line for line in lines if line)\n"
    )
    git(root, "commit", "-q", "-am", "Leave out whatever is already paid")
    shared = ["--root", str(root), "--index-dir", str(tmp_path / "index")]
    assert main(["bench", "mine", "--no-docs", *shared]) == 0
    mined = capfd.readouterr()
    row = json.loads(mined.out)
    assert (row["query"], row["relevant"]) == ("Leave out whatever is already paid", ["src/invoice.py"])
    assert "1 questions; refused: " in mined.err
    labelled, earlier = tmp_path / "set.jsonl", tmp_path / "run.json"
    labelled.write_text(mined.out)
    assert main(["bench", str(labelled), "--json", *shared]) == 0
    earlier.write_text(capfd.readouterr().out)
    assert read_run(earlier.read_text(), "run").records[0].top
    assert main(["bench", str(labelled), "--pipeline", "bm25", "--compare", str(earlier), *shared]) == 0
    shown = capfd.readouterr().out
    assert shown.startswith("bm25: 1 questions")
    assert (
        "ndcg@10" in shown and "recall@500" in shown and "p95" in shown and "against the other run" in shown
    )


@pytest.mark.parametrize("words", [["bench"], ["bench", "missing.jsonl"], ["bench", "mine"]])
def test_what_cannot_be_measured_is_refused_with_a_hint(
    words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = planted(tmp_path / "bare", {"a.py": "x = 1\n"})
    assert main([*words, "--root", str(root), "--index-dir", str(tmp_path / "index")]) == 2
    assert len(capfd.readouterr().err.strip().split("\n")) >= 2
