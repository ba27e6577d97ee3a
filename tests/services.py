"""Services of models for tests: real ones on loopback, that speak as OpenAI does and write down what they are asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from trigpoint.embedders.static import StaticEmbedder
from trigpoint.model import Passage

Reply = tuple[int, Any, dict[str, str]]
"""Status, body (bytes, or what becomes JSON), headers."""

MODEL = StaticEmbedder()


@dataclass
class Asked:
    """One request."""

    path: str
    body: dict[str, Any]
    key: str

    @property
    def texts(self) -> list[str]:
        """What was to be embedded."""
        return self.body["input"]


@dataclass
class Service:
    """A service; ``answers`` may be replaced while it runs."""

    answers: Callable[[Asked], Reply]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """All texts that were sent to be embedded."""
        return [text for one in self.asked for text in one.texts]


def embedding(asked: Asked) -> Reply:
    """The vectors of the model that ships."""
    rows = MODEL.encode_documents([Passage(text, "") for text in asked.texts])
    data = [{"index": place, "embedding": row.tolist()} for place, row in enumerate(rows)]
    return 200, {"object": "list", "model": asked.body["model"], "data": data}, {}


def saying(said: Callable[[str], str]) -> Callable[[Asked], Reply]:
    """A chat model whose answer is a function of what it is told."""

    def answers(asked: Asked) -> Reply:
        content = said(asked.body["messages"][-1]["content"])
        return 200, {"choices": [{"message": {"role": "assistant", "content": content}}]}, {}

    return answers


@contextmanager
def service(answers: Callable[[Asked], Reply] = embedding) -> Iterator[Service]:
    """A service on loopback, as long as the block lasts."""
    made = Service(answers)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, body, self.headers.get("Authorization", ""))
            made.asked.append(asked)
            status, answer, headers = made.answers(asked)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            try:
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except OSError:  # whoever asked has gone: that is what some tests are about
                pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
