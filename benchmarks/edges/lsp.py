"""A language server, asked over its standard input and output where names are defined."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from urllib.parse import unquote, urlsplit

from scip import Place

PATIENCE = 600.0
"""Seconds that one answer may take: the first waits until a server has read the project."""


class Server:
    """One language server on one folder. Use it as a context: it is ended with it."""

    def __init__(self, command: Sequence[str], root: Path, options: Mapping[str, Any]) -> None:
        self.root = root.resolve()
        self.process = subprocess.Popen(
            list(command),
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.answers: dict[int, Any] = {}
        self.arrived: Queue[dict[str, Any]] = Queue()
        self.last = 0
        threading.Thread(target=self._listen, daemon=True).start()
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": self.root.as_uri(),
                "workspaceFolders": [folder],
                "initializationOptions": dict(options),
                "capabilities": {"textDocument": {"definition": {"linkSupport": False}}},
            },
        )
        self.tell("initialized", {})

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def await_notice(self, method: str, word: str) -> None:
        """Wait until the server has said something: that it has read the project."""
        while True:
            message = self.arrived.get(timeout=PATIENCE)
            if message.get("method") == method and word in json.dumps(message["params"]):
                return

    def definitions(self, path: str, places: Sequence[tuple[int, int]]) -> Iterator[list[Place]]:
        """Where what stands at each (1-based line, 0-based byte column) of a file is defined; [] when nobody knows.

        A place outside the folder has its whole path. Columns are bytes again where the file is known.
        """
        uri, text = (self.root / path).as_uri(), (self.root / path).read_text("utf-8", "replace")
        lines = text.split("\n")
        document = {"uri": uri, "languageId": _language(path), "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        asked = []
        for line, column in places:
            before = lines[line - 1].encode()[:column].decode("utf-8", "replace")
            position = {"line": line - 1, "character": len(before.encode("utf-16-le")) // 2}
            asked.append(
                self.send("textDocument/definition", {"textDocument": {"uri": uri}, "position": position})
            )
        for number in asked:
            yield self._places(self.answer(number))
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def _places(self, found: Any) -> list[Place]:
        rows = found if isinstance(found, list) else [found] if found else []
        return [self._place(row) for row in rows]

    def _place(self, row: Mapping[str, Any]) -> Place:
        path = unquote(urlsplit(row.get("uri") or row["targetUri"]).path)
        start = (row.get("range") or row["targetSelectionRange"])["start"]
        inside = Path(path).resolve()
        name = inside.relative_to(self.root).as_posix() if inside.is_relative_to(self.root) else path
        return Place(name, start["line"] + 1, start["character"])

    # the protocol

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """The result of a request."""
        return self.answer(self.send(method, params))

    def send(self, method: str, params: Mapping[str, Any]) -> int:
        """Send a request; its number leads to the answer."""
        self.last += 1
        self._write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notice."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, number: int) -> Any:
        """Wait for the answer to a request; None where the server failed on it."""
        while number not in self.answers:
            try:
                message = self.arrived.get(timeout=PATIENCE)
            except Empty:
                raise TimeoutError(f"no answer in {PATIENCE:.0f} s") from None
            if "id" in message and "method" not in message:
                self.answers[message["id"]] = message.get("result")
        return self.answers.pop(number)

    def _write(self, message: Mapping[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) or not length:
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                elif not line and self.process.poll() is not None:
                    return
            message = json.loads(stream.read(length))
            if "id" in message and "method" in message:  # what it asks of an editor: nothing is set here
                params = message.get("params") or {}
                result = [None] * len(params["items"]) if "items" in params else None
                self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})
            else:
                self.arrived.put(message)


def _language(path: str) -> str:
    return {"go": "go", "java": "java", "c": "c", "rs": "rust"}.get(path.rpartition(".")[2], "cpp")
