"""Embedders behind a service, through the whole command: what is sent, how often, what is kept, what is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from cases_runner import Trig
from services import Service, embedding, service
from trigpoint.config import load
from trigpoint.embedders.choice import Wishes, embedder
from trigpoint.errors import ConfigError, ProviderError
from trigpoint.model import Passage
from trigpoint.models import embedder_of
from trigpoint.services.retries import waiting_time

FILES = {
    "oven.py": 'def preheat(target):\n    """Bring the oven to the target temperature."""\n    return target\n',
    "dough.py": 'def knead(dough):\n    """Work the dough until it is smooth."""\n    return dough\n',
    "shop.py": 'def greet(customer):\n    """Say good morning to whoever comes in."""\n    return customer\n',
}
KEY = "sk-test-4c1d8e77aa"


@pytest.fixture
def stub() -> Iterator[Service]:
    with service() as made:
        yield made


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
    made.always = settings(
        embedder="http", embedding_endpoint=stub.url, embedding_model="stub", embedding_tries=2
    )
    return made


def settings(**given: object) -> tuple[str, ...]:
    """Flags of a command line: the first ``_`` of a name is its dot."""
    return tuple(
        word for name, value in given.items() for word in ("--set", f"{name.replace('_', '.', 1)}={value}")
    )


def asked_of(stub: Service, **wishes: object):
    """An embedder of a service."""
    return embedder("http", Wishes(model="stub", endpoint=stub.url, **{"tries": 1, **wishes}))


def vectors(trig: Trig) -> str:
    return trig.ask("status", "--json").json["views"]["vectors"]


def test_a_real_service_embeds_and_finds(trig: Trig, stub: Service) -> None:
    assert trig.ask("index").status == 0
    assert {one.path for one in stub.asked} == {"/v1/embeddings"}
    assert {one.body["model"] for one in stub.asked} == {"stub"}
    assert vectors(trig) == "fresh"
    found = trig.ask("search", "--json", literal=("make the dough smooth",)).json
    assert found["results"][0]["path"] == "dough.py"
    assert not found["notes"]
    assert "vector" in found["plan"]


def test_an_address_alone_is_a_choice_and_a_leave(trig: Trig, stub: Service) -> None:
    trig.always = settings(embedder=stub.url, embedding_model="stub")
    assert trig.ask("index").status == 0
    assert vectors(trig) == "fresh"


def test_only_new_text_is_sent_after_changes_branches_and_rebuilds(trig: Trig, stub: Service) -> None:
    trig.ask("index")

    def sent() -> int:
        before = len(stub.texts)
        trig.ask("index")
        probes = 2  # whether it is still the same model
        return len(stub.texts) - before - probes

    assert sent() == 0
    other = FILES["shop.py"] + "\n\ndef farewell(customer):\n    return customer.name\n"
    (trig.root / "shop.py").write_text(other)
    assert sent() == 1
    (trig.root / "shop.py").write_text(FILES["shop.py"])
    assert sent() == 0
    before = len(stub.texts)
    trig.ask("index", "--full")
    assert len(stub.texts) - before == 2


def test_what_was_embedded_before_a_failure_stays(trig: Trig, stub: Service) -> None:
    trig.always += settings(embedding_batch_tokens=1)

    def one_then_down(asked):
        return embedding(asked) if len(stub.asked) <= 4 else (503, {"error": "overloaded"}, {})

    stub.answers = one_then_down
    done = trig.ask("index")
    assert done.status == 0
    assert "without all vectors" in done.out.splitlines()[-1]
    assert "503" in done.out
    assert vectors(trig) == "partial"
    first = [text for text in stub.texts[2:4] if text not in stub.texts[:2]]
    found = trig.ask("search", literal=("make the dough smooth",))
    assert found.status == 0
    assert "by words alone" in found.err
    stub.answers = embedding
    before = len(stub.texts)
    assert trig.ask("index").status == 0
    assert vectors(trig) == "fresh"
    assert not set(first) & set(stub.texts[before:])


def test_a_question_that_cannot_be_embedded_is_answered_by_words(trig: Trig, stub: Service) -> None:
    trig.ask("index")
    stub.answers = lambda asked: (401, {"error": "no such key"}, {})
    found = trig.ask("search", "--json", literal=("work the dough smooth",)).json
    assert found["results"][0]["path"] == "dough.py"
    assert any("by words alone" in note and "401" in note for note in found["notes"])
    assert "vector" not in found["plan"]


def test_a_key_is_sent_and_shown_nowhere(
    trig: Trig, stub: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    trig.always += settings(embedding_key_variable="MY_KEY")
    seen = [trig.ask("index"), trig.ask("config"), trig.ask("status", "--json")]
    assert {one.key for one in stub.asked} == {f"Bearer {KEY}"}
    stub.answers = lambda asked: (401, {"error": f"wrong key {KEY}"}, {})
    (trig.root / "new.py").write_text("def bake(bread):\n    return bread\n")
    seen += [trig.ask("index"), trig.ask("search", "--explain", literal=("where is bread baked",))]
    assert "[key]" in seen[3].out
    for ran in seen:
        assert KEY not in ran.out + ran.err
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    model = asked_of(stub, key=KEY)
    assert KEY not in repr(model) + repr(vars(model)) + repr(model._sender) + model.fingerprint


@pytest.mark.parametrize("before", range(100, 170, 7))
def test_a_key_is_shown_in_no_part_where_a_message_is_cut(stub: Service, before: int) -> None:
    """The message was cut first and the key taken out then: its first half stayed."""
    stub.answers = lambda asked: (401, {"error": "." * before + KEY}, {})
    told = []
    for answer in ((401, {"error": "." * before + KEY}, {}), (200, {"no": "." * before + KEY}, {})):
        stub.answers = lambda asked, answer=answer: answer
        with pytest.raises(ProviderError) as caught:
            asked_of(stub, key=KEY).encode_queries(["a question"])
        told.append(str(caught.value))
    stub.answers = lambda asked: (200, b"<p>" + b"." * before + KEY.encode(), {})
    with pytest.raises(ProviderError) as caught:
        asked_of(stub, key=KEY).encode_queries(["a question"])
    assert not any(KEY[:6] in one for one in (*told, str(caught.value)))


@pytest.mark.parametrize("key", ["sk-secret\nmore", "sk-secret\r", "sk-s\u00e9cret\u2192"])
def test_a_key_that_no_header_may_carry_is_not_shown_either(stub: Service, key: str) -> None:
    """The error of the request showed it, in a traceback."""
    with pytest.raises(ConfigError, match="holds a character that no header may carry") as caught:
        asked_of(stub, key=key)
    assert "sk-s" not in str(caught.value)


# leave


@pytest.mark.parametrize("name", ["openai", "ollama", "http", "voyage", "gemini"])
def test_choosing_a_service_is_no_leave_to_send_code_there(trig: Trig, name: str) -> None:
    trig.always = settings(embedder=name)
    ran = trig.ask("index")
    assert ran.status == 2
    assert "would send the text of your code" in ran.err
    assert "embedding.endpoint" in ran.err


@pytest.mark.parametrize(
    "text",
    ['embedder = "http://127.0.0.1:9/v1"', 'embedding.endpoint = "http://127.0.0.1:9/v1"',
     'embedding.key_variable = "HOME"', 'rerank.endpoint = "http://127.0.0.1:9/v1"'],
)  # fmt: skip
def test_a_project_may_not_say_where_code_is_sent(trig: Trig, text: str) -> None:
    trig.always = ()
    (trig.root / "trigpoint.toml").write_text(text)
    ran = trig.ask("index")
    assert ran.status == 2
    assert "trigpoint.toml" in ran.err


@pytest.mark.parametrize(
    "url", ["ftp://host/v1", "https://me:secret@host/v1", "host", "https://host/v1?key=1"]
)
def test_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(ConfigError):
        embedder("http", Wishes(model="m", endpoint=url))


def test_a_redirect_is_not_followed(stub: Service) -> None:
    with service() as elsewhere:
        stub.answers = lambda asked: (307, {}, {"Location": f"{elsewhere.url}/embeddings"})
        with pytest.raises(ProviderError, match="answers 307"):
            asked_of(stub, key=KEY).encode_queries(["a question"])
        assert not elsewhere.asked


# patience


def test_retry_after_is_honoured_as_number_and_as_date(stub: Service) -> None:
    def busy_once(asked):
        return (
            (429, {"error": "slow down"}, {"Retry-After": "1"}) if len(stub.asked) == 1 else embedding(asked)
        )

    stub.answers = busy_once
    began = time.monotonic()
    assert asked_of(stub, tries=2).encode_queries(["a question"]).any()
    assert time.monotonic() - began >= 1
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < (waiting_time(soon) or 0) <= 60
    assert waiting_time("12.5") == 12.5
    assert waiting_time("soon") is None
    assert waiting_time(None) is None


def test_a_wait_that_is_too_long_is_a_refusal(stub: Service) -> None:
    stub.answers = lambda asked: (429, {"error": "come back tomorrow"}, {"Retry-After": "86400"})
    with pytest.raises(ProviderError, match="429"):
        asked_of(stub, tries=6).encode_documents([Passage("text", "")])
    assert len(stub.asked) == 1


def test_tries_are_bounded_and_only_for_what_passes(stub: Service) -> None:
    stub.answers = lambda asked: (503, {"error": "overloaded"}, {"Retry-After": "0"})
    with pytest.raises(ProviderError, match="after 3 tries"):
        asked_of(stub, tries=3).encode_documents([Passage("text", "")])
    assert len(stub.asked) == 3
    stub.answers = lambda asked: (404, {"error": "no such model"}, {})
    with pytest.raises(ProviderError, match="no such model"):
        asked_of(stub, tries=3).encode_documents([Passage("text", "")])
    assert len(stub.asked) == 4


def test_an_answer_is_waited_for_so_long_and_no_longer(stub: Service) -> None:
    def slow(asked):
        time.sleep(1.5)
        return embedding(asked)

    stub.answers = slow
    began = time.monotonic()
    with pytest.raises(ProviderError, match="no answer in time"):
        asked_of(stub, seconds=0.2).encode_documents([Passage("text", "")])
    assert time.monotonic() - began < 1


def test_an_answer_that_breaks_off_is_asked_for_again(stub: Service) -> None:
    def broken_once(asked):
        whole = embedding(asked)
        return (200, b'{"data": [{"ind', {"Content-Length": "5000"}) if len(stub.asked) == 1 else whole

    stub.answers = broken_once
    assert asked_of(stub, tries=2).encode_queries(["a question"]).any()
    stub.answers = lambda asked: (200, b'{"data": [', {"Content-Length": "5000"})
    with pytest.raises(ProviderError, match="the answer broke off"):
        asked_of(stub).encode_queries(["a question"])


def test_nobody_at_home(stub: Service) -> None:
    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:9/v1/embeddings does not answer"):
        embedder("http", Wishes(model="m", endpoint="http://127.0.0.1:9/v1", tries=1)).encode_queries(["a"])


# what is sent


def test_requests_are_filled_by_tokens_and_by_number(stub: Service) -> None:
    passages = [Passage("word " * 60, "") for _ in range(10)]
    rows = asked_of(stub, batch_tokens=350).encode_documents(passages)
    assert rows.shape == (10, 256)
    assert [len(one.texts) for one in stub.asked] == [3, 3, 3, 1]


def test_long_texts_are_sent_in_parts_and_nothing_is_cut(stub: Service) -> None:
    model = asked_of(stub, max_tokens=100)
    long = "".join(f"line_{n} = compute(value_{n})\n" for n in range(60))
    rows = model.encode_documents([Passage("short", ""), Passage(long, ""), Passage("other", "")])
    assert "".join(stub.texts) == f"short{long.strip()}other"
    assert max(map(len, stub.texts)) <= 300
    assert all(text.endswith("\n") for text in stub.texts[1:-2])
    assert model.pooled == 1
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_limit_is_learned_from_a_refusal(stub: Service) -> None:
    def strict(asked):
        too_long = max(map(len, asked.texts)) > 500
        return (400, {"error": "maximum context length is 125 tokens"}, {}) if too_long else embedding(asked)

    stub.answers = strict
    model = asked_of(stub)
    text = " ".join(f"word{n}" for n in range(300))
    model.encode_documents([Passage(text, ""), Passage("short", "")])
    refused = len([one for one in stub.asked if max(map(len, one.texts)) > 500])
    model.encode_documents([Passage(text, "")])
    assert len([one for one in stub.asked if max(map(len, one.texts)) > 500]) == refused <= 3
    assert model.pooled == 2


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (422, {"message": "batch size 3 > maximum allowed batch size 2", "type": "Validation"}),
        (413, b"<h1>413 Request Entity Too Large</h1>"),
        (400, {"error": {"message": "Requested 338453 tokens, max 300000 tokens per request"}}),
    ],
    ids=["tei", "nginx", "openai"],
)
def test_how_many_texts_a_service_takes_is_learned(stub: Service, status: int, said: object) -> None:
    stub.answers = lambda asked: (status, said, {}) if len(asked.texts) > 2 else embedding(asked)
    model = asked_of(stub)
    passages = [Passage(text, "") for text in ("knead", "dough", "oven", "bread", "salt")]
    rows = model.encode_documents(passages)
    assert np.allclose(rows, asked_of(stub, batch_tokens=2).encode_documents(passages))
    refused = sum(len(one.texts) > 2 for one in stub.asked)
    model.encode_documents(passages)
    assert sum(len(one.texts) > 2 for one in stub.asked) == refused == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (413, "Input validation error: `inputs` must have less than 512 tokens. Given: 600"),
        (500, "input is too large to process. increase the physical batch size"),
        (400, "This model's maximum context length is 512 tokens. However, you requested 600"),
    ],
    ids=["tei", "llama.cpp", "vllm"],
)
def test_what_services_say_to_long_texts_is_understood(stub: Service, status: int, said: str) -> None:
    stub.answers = lambda asked: (
        (status, {"error": {"message": said}}, {}) if max(map(len, asked.texts)) > 1500 else embedding(asked)
    )
    model = asked_of(stub)
    assert model.encode_documents([Passage("word " * 600, ""), Passage("short", "")]).any()
    assert model.pooled == 1


def test_each_part_of_a_long_text_has_the_prompt(stub: Service) -> None:
    model = asked_of(stub, document_prompt="code: ", max_tokens=100)
    model.encode_documents([Passage("word " * 200, "")])
    assert len(stub.texts) > 1
    assert all(text.startswith("code: word") and len(text) <= 300 for text in stub.texts)


def test_a_refusal_of_everything_ends(stub: Service) -> None:
    stub.answers = lambda asked: (400, {"error": "input too long"}, {})
    with pytest.raises(ProviderError, match="too long"):
        asked_of(stub).encode_documents([Passage("word " * 1000, "")])
    assert len(stub.asked) < 12


def test_blank_texts_are_not_sent(stub: Service) -> None:
    rows = asked_of(stub, query_prompt="ask: ").encode_documents([Passage(" \n", ""), Passage("x", "")])
    assert stub.texts == ["x"]
    assert not rows[0].any()
    assert not asked_of(stub, query_prompt="ask: ").encode_queries(["  "]).any()


def test_prompts_and_dimensions_reach_the_service(stub: Service) -> None:
    model = asked_of(stub, query_prompt="ask: ", document_prompt="code: ", dimensions=256)
    model.encode_queries(["where"])
    model.encode_documents([Passage("text", "name")])
    assert stub.texts == ["ask: where", "code: name\ntext"]
    assert {one.body["dimensions"] for one in stub.asked} == {256}


# what comes back


def changed(row: int, value):
    def answers(asked):
        status, body, headers = embedding(asked)
        body["data"][row]["embedding"] = value
        return status, body, headers

    return answers


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (lambda asked: (200, {"data": embedding(asked)[1]["data"][:-1]}, {}), "2 vectors for 3 texts"),
        (changed(1, [0.1] * 255), "a vector of 255 numbers"),
        (changed(1, [float("nan")] * 256), "not finite"),
        (changed(1, [0.0] * 256), "vectors of zeros"),
        (changed(1, ["a"] * 256), "no number"),
        (changed(1, None), "a vector of no numbers"),
        (lambda asked: (200, b"<html>Sign in</html>", {}), "no JSON: <html>Sign in"),
        (lambda asked: (200, [1, 2], {}), "without vectors"),
        (lambda asked: (200, {"data": []}, {}), "0 vectors for 3 texts"),
    ],
    ids=["count", "size", "nan", "zeros", "words", "none", "html", "list", "empty"],
)
def test_odd_answers_are_refused(stub: Service, answers, told: str) -> None:
    stub.answers = answers
    with pytest.raises(ProviderError, match=told):
        asked_of(stub).encode_documents([Passage(text, "") for text in ("knead", "dough", "oven")])


def test_vectors_in_another_order_find_their_texts(stub: Service) -> None:
    passages = [Passage(text, "") for text in ("knead the dough", "heat the oven", "greet a customer")]
    straight = asked_of(stub).encode_documents(passages)

    def backwards(asked):
        status, body, headers = embedding(asked)
        return status, {"data": body["data"][::-1]}, headers

    stub.answers = backwards
    assert np.allclose(asked_of(stub).encode_documents(passages), straight)


# identity


def test_the_fingerprint_tells_what_shapes_the_vectors(stub: Service) -> None:
    plain = asked_of(stub).fingerprint
    assert asked_of(stub, tries=5, seconds=9.0, batch_tokens=77).fingerprint == plain
    others = {
        asked_of(stub, query_prompt="ask: ").fingerprint,
        asked_of(stub, document_prompt="code: ").fingerprint,
        asked_of(stub, dimensions=128).fingerprint,
        embedder("http", Wishes(model="other", endpoint=stub.url)).fingerprint,
    }
    assert len(others | {plain}) == 5


def test_another_prompt_embeds_anew_while_words_are_searched(trig: Trig, stub: Service) -> None:
    trig.ask("index")
    trig.always += settings(embedding_document_prompt="code: ")
    found = trig.ask("search", "--json", literal=("make the dough smooth",)).json
    assert any("another model" in note for note in found["notes"])
    assert found["results"]
    before = len(stub.texts)
    trig.ask("index")
    assert sum(text.startswith("code: ") for text in stub.texts[before:]) >= 3
    assert vectors(trig) == "fresh"


def test_a_model_exchanged_behind_its_name_is_noticed_and_said(trig: Trig, stub: Service) -> None:
    trig.ask("index")

    def turned(asked):
        status, body, headers = embedding(asked)
        for one in body["data"]:
            one["embedding"] = one["embedding"][::-1]
        return status, body, headers

    stub.answers = turned
    found = trig.ask("search", "--no-update", literal=("work the dough smooth",))
    assert "another model than that of the index answers as http (stub) of 256 numbers" in found.err
    trig.ask("index")
    assert "another model" not in trig.ask("search", literal=("work the dough smooth",)).err


@pytest.mark.skipif(find_spec("litellm") is None, reason="the extra is not installed")
def test_litellm_carries_texts_and_vectors(stub: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """Imported by the embedder itself: left to itself the package asks a host for its prices when it is imported."""
    known = Wishes(model="openai/stub", endpoint=stub.url, key=KEY, tries=1)
    model = embedder("voyage", known)
    assert model.encode_queries(["where is the dough kneaded"]).shape == (1, 256)
    assert {one.key for one in stub.asked} == {f"Bearer {KEY}"}
    stub.answers = lambda asked: (401, {"error": {"message": f"bad key {KEY}"}}, {})
    with pytest.raises(ProviderError) as failed:
        model.encode_queries(["again"])
    assert KEY not in str(failed.value)
    assert failed.value.__cause__ is None
    assert "cost map" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value", "seen"),
    [
        ("embedding.model", "other", lambda model: model._sender._model == "other"),
        ("embedding.dimensions", 96, lambda model: model.dimensions == 96),
        ("embedding.max_tokens", 70, lambda model: model._longest == 210),
        ("embedding.batch_tokens", 900, lambda model: model.batch == 1),
        ("embedding.query_prompt", "ask: ", lambda model: model._known.query_prompt == "ask: "),
        ("embedding.document_prompt", "code: ", lambda model: model._known.document_prompt == "code: "),
        ("embedding.tries", 3, lambda model: model._limits.patience.tries == 3),
        ("embedding.seconds", 2.5, lambda model: model._limits.patience.seconds == 2.5),
    ],
)
def test_each_setting_reaches_the_embedder(tmp_path: Path, key: str, value: object, seen) -> None:
    given = {"embedder": "http", "embedding.model": "stub", "embedding.endpoint": "http://127.0.0.1:9/v1"}

    def made(**more: object):
        return embedder_of(load(tmp_path, given | more, {}, tmp_path / "user"))

    assert key == "embedding.dimensions" or not seen(
        made()
    )  # which an unset one would have to ask the service for
    assert seen(made(**{key: value}))
