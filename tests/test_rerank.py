"""Rerankers: what each kind asks its model, what it makes of any answer, and what a search does with it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import trigpoint
from cases_runner import Trig
from services import Service, saying, service
from test_embedders_services import settings
from trigpoint.embedders.hashing import HashingEmbedder
from trigpoint.errors import ConfigError, ProviderError
from trigpoint.model import Passage, Scored
from trigpoint.rerankers.embedding import EmbeddingReranker
from trigpoint.rerankers.llm import (
    Budget,
    ListwiseReranker,
    PointwiseReranker,
    completed,
    number,
    numbers,
    windows,
)
from trigpoint.search import intents
from trigpoint.search.fuse import FUSIONS, fuse, weigh
from trigpoint.search.intents import INTENTS
from trigpoint.search.ranking import Vote
from trigpoint.search.rerank import shares
from trigpoint.services.chat import Chat
from trigpoint.services.http import Endpoint

FILES = {
    f"{name}.py": f'def {name}_pressure(valve):\n    """Adjust the pressure of the {name} valve."""\n    return valve.{name}()\n'
    for name in ("inlet", "outlet", "relief", "bypass")
}
QUESTION = "where is the pressure of a valve adjusted"


def forever() -> float:
    return 60.0


def passages(*texts: str) -> list[Passage]:
    return [Passage(text, f"name{place}") for place, text in enumerate(texts)]


@pytest.fixture
def stub() -> Iterator[Service]:
    with service(saying(lambda text: "")) as made:
        yield made


def chat(stub: Service) -> Chat:
    return Chat(Endpoint(stub.url), "stub")


def best_first(word: str):
    """A model that puts what holds a word first, and says so in JSON."""

    def said(text: str) -> str:
        shown = re.split(r"^\[(\d+)\] ", text, flags=re.M)[1:]
        pieces = dict(zip(map(int, shown[::2]), shown[1::2], strict=True))
        return json.dumps({"ranking": sorted(pieces, key=lambda one: word not in pieces[one])})

    return said


# listwise


def test_a_listwise_model_orders_a_window(stub: Service) -> None:
    stub.answers = saying(best_first("needle"))
    scores = ListwiseReranker(chat(stub)).scores("q", passages("hay", "straw", "needle"), forever)
    assert max(range(3), key=scores.__getitem__) == 2
    body = stub.asked[0].body
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["ranking"]
    assert body["temperature"] == 0
    assert stub.asked[0].path.endswith("/chat/completions")


def test_windows_carry_the_best_from_the_end_to_the_front(stub: Service) -> None:
    assert windows(10, 4, 2) == [6, 4, 2, 0]
    assert windows(5, 4, 9) == [1, 0]
    assert windows(3, 4, 2) == [0]
    assert windows(0, 4, 2) == []
    stub.answers = saying(best_first("needle"))
    some = passages(*(["hay"] * 9), "needle")
    scores = ListwiseReranker(chat(stub), Budget(window=4, step=2)).scores("q", some, forever)
    assert max(range(10), key=scores.__getitem__) == 9
    assert len(stub.asked) == 4


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ('{"ranking": [3, 1, 2]}', [2, 0, 1]),
        ('Sure! ```json\n{"ranking": [3]}\n```', [2, 0, 1]),
        ("[3] > [1] > [2]", [2, 0, 1]),
        ("3, 1", [2, 0, 1]),
        ('{"ranking": [3, 3, 99, -1, "2", null]}', [2, 1, 0]),
        ('{"ranking": "no"}', [0, 1, 2]),
        ("{broken", [0, 1, 2]),
        ("", [0, 1, 2]),
    ],
)
def test_odd_answers_are_read_as_far_as_they_can_be(said: str, order: list[int]) -> None:
    assert completed(numbers(said, 3), 3) == order


def test_no_order_at_all_is_a_failure(stub: Service) -> None:
    stub.answers = saying(lambda text: "I cannot help with that")
    with pytest.raises(ProviderError, match="without an order"):
        ListwiseReranker(chat(stub)).scores("q", passages("a", "b"), forever)


def test_a_service_without_schemas_is_asked_without(stub: Service) -> None:
    def answers(asked):
        if "response_format" in asked.body:
            return 400, {"error": "response_format is not supported"}, {}
        return saying(best_first("b"))(asked)

    stub.answers = answers
    model = ListwiseReranker(chat(stub))
    for _ in range(2):
        scores = model.scores("q", passages("a", "b"), forever)
        assert scores[1] > scores[0]
    assert len(stub.asked) == 3


def test_requests_stay_within_their_tokens(stub: Service) -> None:
    stub.answers = saying(best_first("needle"))
    some = passages(*(["word " * 5_000] * 20))
    ListwiseReranker(chat(stub), Budget(window=10, step=5, tokens=6_000)).scores("q", some, forever)
    sent = sum(len(one.body["messages"][-1]["content"]) for one in stub.asked)
    assert len(stub.asked) == 3
    assert sent <= 6_000 * 3 * 1.15


# pointwise


def test_a_pointwise_model_scores_each(stub: Service) -> None:
    stub.answers = saying(lambda text: json.dumps({"score": 9 if "needle" in text else 2}))
    scores = PointwiseReranker(chat(stub)).scores("q", passages("hay", "needle", "straw"), forever)
    assert list(scores) == [2, 9, 2]
    assert len(stub.asked) == 3


@pytest.mark.parametrize(
    ("said", "value"),
    [('{"score": 7}', 7), ('{"score": 99}', 10), ('{"score": -4}', 0), ("8.5 out of 10", 8.5),
     ('{"score": true}', None), ("no idea", None), ("", None), ('{"score": "6"}', 6)],
)  # fmt: skip
def test_odd_scores(said: str, value: float | None) -> None:
    assert number(said) == value


def test_what_cannot_be_read_is_taken_for_the_middle(stub: Service) -> None:
    answers = {"a": '{"score": 2}', "b": "hm", "c": '{"score": 8}', "d": '{"score": 5}'}
    stub.answers = saying(lambda text: next(said for word, said in answers.items() if f"\n{word}\n" in text))
    assert list(PointwiseReranker(chat(stub)).scores("q", passages(*answers), forever)) == [2, 5, 8, 5]
    stub.answers = saying(lambda text: "hm")
    with pytest.raises(ProviderError, match="without numbers"):
        PointwiseReranker(chat(stub)).scores("q", passages("a"), forever)


# embedding


def test_an_embedder_reranks_and_remembers() -> None:
    class Counting(HashingEmbedder):
        asked = 0

        def encode_documents(self, some):
            self.asked += len(some)
            return super().encode_documents(some)

    embedder = Counting()
    model = EmbeddingReranker(embedder)
    some = passages("open the valve", "close the gate", "start a pump")
    scores = model.scores("close gate", some, forever)
    assert max(range(3), key=scores.__getitem__) == 1
    model.scores("another question", some, forever)
    assert embedder.asked == 3
    with pytest.raises(ProviderError, match="time was up"):
        model.scores("close gate", some, lambda: 0.0)


# cross-encoder


@pytest.fixture(scope="module")
def overlap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder in ONNX whose score is how many tokens of the second text are "needle"."""
    pytest.importorskip("onnxruntime", exc_type=ImportError)
    pytest.importorskip("tokenizers", exc_type=ImportError)
    onnx = pytest.importorskip("onnx", exc_type=ImportError)
    from onnx import TensorProto, helper

    wide = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, wide) for name in ("input_ids", "attention_mask", "token_type_ids")]  # fmt: skip
    needle = helper.make_tensor("needle", TensorProto.INT64, [1], [12201])  # the number of the word "needle"
    nodes = [
        helper.make_node("Equal", ["input_ids", "needle"], ["same"]),
        helper.make_node("Cast", ["same"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["ones", "second"], ["both"]),
        helper.make_node("ReduceSum", ["both", "axis"], ["logits"], keepdims=1),
    ]
    axis = helper.make_tensor("axis", TensorProto.INT64, [1], [1])
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    graph = helper.make_graph(nodes, "overlap", inputs, [output], [needle, axis])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    folder = tmp_path_factory.mktemp("overlap")
    onnx.save(model, str(folder / "model.onnx"))
    return folder


def test_a_cross_encoder_in_onnx_reads_all_of_a_long_passage(overlap: Path) -> None:
    from trigpoint.rerankers.cross_encoder import OnnxCrossEncoder

    model = OnnxCrossEncoder(overlap)
    some = passages("hay", "straw " * 1_500 + "needle", "needle needle", "")
    scores = model.scores("where is the needle", some, forever)
    assert list(scores) == [0, 1, 2, 0]
    with pytest.raises(ProviderError, match="time was up"):
        model.scores("where is the needle", some, lambda: 0.0)


def test_a_cross_encoder_of_sentence_transformers(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", exc_type=ImportError)
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    from trigpoint.rerankers.cross_encoder import SentenceCrossEncoder

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghij", *(f"##{c}" for c in "abcdefghij")]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, num_labels=1
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    scores = SentenceCrossEncoder(str(tmp_path)).scores("abc", passages("abc", "hij" * 900), forever)
    assert len(scores) == 2
    with pytest.raises(ProviderError, match="not on this machine"):
        SentenceCrossEncoder("nobody/nothing").scores("abc", passages("abc"), forever)


# in a search


@pytest.fixture
def trig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: Service) -> Trig:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TRIGPOINT_WORKERS", "1")
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    made = Trig(root)
    made.ask("index")
    made.always = settings(rerank_by="listwise", rerank_model="stub", rerank_endpoint=stub.url)
    stub.answers = saying(best_first("relief"))
    return made


def searched(trig: Trig, question: str = QUESTION, *words: str) -> dict:
    return trig.ask("search", "--json", *words, literal=(question,)).json


def test_a_search_takes_the_model_s_order_and_says_why(trig: Trig, stub: Service) -> None:
    found = searched(trig, QUESTION, "--explain")
    assert found["results"][0]["path"] == "relief.py"
    assert any(one["name"] == "rerank:stub, listwise" for one in found["results"][0]["evidence"])
    shown = trig.ask("search", "--explain", literal=(QUESTION,)).out
    assert "rerank" in shown
    assert "stub, listwise over 4" in shown


def test_a_name_is_not_reranked_and_the_fast_tier_asks_no_model(trig: Trig, stub: Service) -> None:
    searched(trig, "inlet_pressure")
    searched(trig, QUESTION, "--tier", "fast")
    assert not stub.asked


def test_only_the_best_are_read(trig: Trig, stub: Service) -> None:
    trig.always += settings(rerank_top=2)
    searched(trig)
    assert len(re.findall(r"^\[\d\] ", stub.asked[0].body["messages"][-1]["content"], re.M)) == 2


def test_without_an_answer_in_time_the_order_stays(trig: Trig, stub: Service) -> None:
    def slow(asked):
        time.sleep(1.0)
        return saying(best_first("relief"))(asked)

    before = trig.always
    trig.always = ()
    plain = [one["path"] for one in searched(trig)["results"]]
    trig.always = before + settings(rerank_seconds=0.2)
    stub.answers = slow
    began = time.monotonic()
    found = searched(trig)
    assert time.monotonic() - began < 0.9
    assert [one["path"] for one in found["results"]] == plain
    assert any("not reranked by stub" in note for note in found["notes"])


def test_window_step_and_tokens_are_those_of_the_settings(trig: Trig, stub: Service) -> None:
    trig.always += settings(rerank_window=2, rerank_step=1, rerank_tokens=500)
    searched(trig)
    assert len(stub.asked) == 3


def test_the_key_of_a_reranker_comes_from_the_environment(
    trig: Trig, stub: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched(trig)
    assert stub.asked[-1].key == ""
    monkeypatch.setenv("MY_KEY", "sk-rerank-9920aa")
    trig.always += settings(rerank_key_variable="MY_KEY")
    stub.answers = lambda asked: (403, {"error": f"no {asked.key}"}, {})
    ran = trig.ask("search", literal=(QUESTION,))
    assert stub.asked[-1].key == "Bearer sk-rerank-9920aa"
    assert "sk-rerank" not in ran.out + ran.err
    assert "[key]" in ran.err


def test_pointwise_is_chosen_by_its_name(trig: Trig, stub: Service) -> None:
    trig.always += settings(rerank_by="pointwise")
    stub.answers = saying(lambda text: json.dumps({"score": 9 if "bypass" in text else 1}))
    assert searched(trig)["results"][0]["path"] == "bypass.py"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rerank_by": "listwise", "rerank_model": "m"}, "rerank.endpoint"),
        ({"rerank_by": "listwise", "rerank_endpoint": "http://127.0.0.1:9/v1"}, "rerank.model"),
        ({"rerank_by": "cross-encoder"}, "rerank.model"),
        ({"rerank_by": "embedding", "embedder": "none"}, "embedder"),
    ],
)
def test_what_is_missing_is_told(tmp_path: Path, given: dict[str, str], told: str) -> None:
    (tmp_path / "a.py").write_text("def a():\n    return 1\n")
    with (
        trigpoint.open(tmp_path, index_dir=str(tmp_path / "index"), **given) as engine,
        pytest.raises(ConfigError) as error,
    ):
        engine.search("how does it work")
    assert told in f"{error.value.message} {error.value.hint}"


def test_the_embedder_of_the_index_reranks_too(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    with trigpoint.open(tmp_path, index_dir=str(tmp_path / "index"), rerank_by="embedding") as engine:
        pack = engine.search(QUESTION)
    assert any(one.name.startswith("rerank:trigpoint-static") for one in pack.hits[0].hit.evidence)


def test_scores_become_shares() -> None:
    assert shares([3.0, 1.0, 2.0]) == [1.0, 0.0, 0.5]
    assert shares([5.0, float("-inf"), 3.0]) == [1.0, 0.0, 0.0]
    assert shares([2.0, 2.0]) == [0.0, 0.0]
    assert shares([]) == []


# columns of the intent table


@pytest.fixture
def columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Ask a small project, with columns of every row changed."""
    (tmp_path / "project").mkdir()
    for name, text in FILES.items():
        (tmp_path / "project" / name).write_text(text)
    given = {"index_dir": str(tmp_path / "index"), "rerank_by": "embedding"}
    with trigpoint.open(tmp_path / "project", **given) as engine:
        engine.index()

        def ask(text: str, **changed: object):
            rows = tuple(row._replace(**changed) for row in INTENTS)
            monkeypatch.setattr(intents, "INTENTS", rows)
            return engine.search(text)

        yield ask


def test_the_rerank_column_decides_what_a_model_reads_again(columns) -> None:
    def stages(**changed: object) -> set[str]:
        return {one.name for one in columns(QUESTION, **changed).stages}

    assert "rerank" in stages(rerank=True)
    assert "rerank" not in stages(rerank=False)


def test_the_fusion_column_decides_how_votes_are_added(columns) -> None:
    def values(**changed: object) -> list[float]:
        pack = columns(QUESTION, **changed)
        return [one.value for hit in pack.hits for one in hit.hit.evidence if one.name.startswith("leg:")]

    assert values(fusion="weighted") != values(fusion="rrf")
    assert {row.fusion for row in INTENTS} <= set(FUSIONS)


# fusion

LEAD = Vote("lexical", 1.0, (Scored(1, 10.0), Scored(2, 1.0), Scored(3, 0.9)))
LEVEL = Vote("vector", 1.0, (Scored(2, 0.9), Scored(3, 0.89), Scored(1, 0.1)))


def test_by_rank_a_lead_counts_nothing_and_by_score_it_does() -> None:
    def order(found):
        return sorted(found, key=lambda chunk: -sum(one.value for one in found[chunk]))

    assert order(fuse([LEAD, LEVEL])) == [2, 1, 3]
    assert order(weigh([LEAD, LEVEL])) == [2, 1, 3]
    ahead = Vote("lexical", 1.5, LEAD.ranking)
    assert order(weigh([ahead, LEVEL])) == [1, 2, 3]
    assert order(fuse([ahead, LEVEL])) == [2, 1, 3]


def test_either_fusion_scales_the_best_to_one_and_takes_the_first_vote() -> None:
    twice = Vote("lexical", 1.0, (Scored(1, 3.0), Scored(1, 2.0), Scored(2, 1.0)))
    for fusion in (fuse, weigh):
        found = fusion([twice])
        assert sum(one.value for one in found[1]) == pytest.approx(1.0)
        assert len(found[1]) == 1
        assert found[2][0].note == "lexical #2"
        assert fusion([]) == {}
