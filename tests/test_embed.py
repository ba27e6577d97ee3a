"""The embedders: what they promise, and that the shipped model means something."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from trigpoint.embedders.hashing import HashingEmbedder
from trigpoint.embedders.static import SHIPPED, StaticEmbedder
from trigpoint.embedders.words import Vocabulary
from trigpoint.model import Passage


@pytest.fixture(scope="module")
def static():
    return StaticEmbedder()


@pytest.fixture(params=["static", "hashing"])
def embedder(request, static):
    return static if request.param == "static" else HashingEmbedder()


PASSAGES = [
    Passage("def push(job):\n    queue.append(job)\n", "Queue.push"),
    Passage("int parse_header(const char *line) { return strncmp(line, HEADER, 4); }", "parse_header"),
    Passage("", ""),
    Passage("déjà vu = 'größe'", ""),
]


def test_an_embedder_keeps_count_order_size_and_norm(embedder):
    rows = embedder.encode_documents(PASSAGES)
    assert rows.shape == (4, embedder.dimensions)
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    assert float(np.linalg.norm(rows, axis=1).max()) <= 2.0
    alone = np.vstack([embedder.encode_documents([one]) for one in PASSAGES])
    assert np.allclose(rows, alone, atol=1e-5)
    assert not rows[2].any()


def test_code_and_its_name_are_together_of_unit_length(static):
    rows = static.encode_documents([*PASSAGES[:2], Passage(PASSAGES[0].text, "")])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert not np.allclose(rows[0], rows[2], atol=0.05)


def test_questions_are_of_unit_length(embedder):
    rows = embedder.encode_queries(["where is the job queue", "", "parse a header"])
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0, 1], atol=1e-5)
    assert embedder.encode_queries([]).shape == (0, embedder.dimensions)
    assert embedder.encode_documents([]).shape == (0, embedder.dimensions)


def test_two_embedders_of_one_model_agree(static):
    assert StaticEmbedder().fingerprint == static.fingerprint
    assert np.array_equal(StaticEmbedder().encode_documents(PASSAGES), static.encode_documents(PASSAGES))


MEANINGS = [
    (
        "try again after a failed request",
        "def backoff(attempt):\n    sleep(2 ** attempt)\n    return retry(attempt + 1)",
    ),
    (
        "remove whitespace from both ends",
        "func TrimSpace(s string) string { return strings.Trim(s, cutset) }",
    ),
    (
        "read settings from a file",
        "def load_config(path):\n    with open(path) as f:\n        return toml.load(f)",
    ),
    (
        "turn an object into text to send it",
        "public String serialize(Object value) { return mapper.writeValueAsString(value); }",
    ),
    (
        "check that a password is right",
        "fn verify(hash: &str, secret: &[u8]) -> bool { argon2::verify_encoded(hash, secret) }",
    ),
    ("draw a picture on the screen", "void render(Canvas* canvas) { canvas->drawImage(image, 0, 0); }"),
]


@pytest.mark.parametrize("asked", range(len(MEANINGS)))
def test_the_shipped_model_finds_code_in_other_words(static, asked):
    code = static.encode_documents([Passage(body, "") for _, body in MEANINGS])
    scores = code @ static.encode_queries([MEANINGS[asked][0]])[0]
    assert int(scores.argmax()) == asked


def test_unknown_words_stand_for_stems_or_pieces():
    vocabulary = Vocabulary(["retri", "back", "off", "b", "o", "z", "q"])
    assert vocabulary.numbers("retries") == [0]
    assert vocabulary.numbers("backoff backOff") == [1, 2, 1, 2]
    assert vocabulary.numbers("zq") == [5, 6]
    assert vocabulary.numbers("xx !!") == []


def test_the_shipped_files_are_small():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 10_000_000


def test_the_fingerprint_is_of_the_files():
    import hashlib

    digest = hashlib.sha256(
        b"".join((SHIPPED / name).read_bytes() for name in ("table.npy", "weights.npy", "words.txt"))
    )
    assert digest.hexdigest()[:16] in StaticEmbedder().fingerprint


def test_encoding_is_fast(static):
    passages = [
        Passage(
            f"def f{n}(value, other):\n    return value.method_{n % 50}(other, key=value.name)\n" * 5, f"f{n}"
        )
        for n in range(3000)
    ]
    static.encode_documents(passages[:100])
    began = time.process_time()
    static.encode_documents(passages)
    assert (
        3000 / (time.process_time() - began) >= 5_000
    )  # 20,000 on an idle core; half the target leaves room for a busy one


def test_importing_the_embedder_imports_no_numpy():
    code = (
        "import sys; from trigpoint.embedders.static import StaticEmbedder; StaticEmbedder(); "
        "from trigpoint.stores.local.vector_view import open_vectors; from pathlib import Path; "
        "assert open_vectors(Path('nowhere'), StaticEmbedder(), 1) is None; "
        "assert 'numpy' not in sys.modules"
    )
    path = os.pathsep.join(filter(None, sys.path))
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": path})
