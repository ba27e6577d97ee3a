"""The protocol over any line: messages in, messages out. What it cannot do it says, and it never raises for a message.

Written out here because importing the official SDK costs 0.75 s of CPU, more than a whole handshake may; the SDK's own client
is what it is tested with, and the SDK itself serves HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trigpoint import __version__
from trigpoint.surfaces.mcp.desk import Call, Desk, Session, folders_of
from trigpoint.surfaces.mcp.guide import GUIDE, INSTRUCTIONS, PROMPT, RESOURCES, prompt
from trigpoint.surfaces.mcp.indexer import Indexing
from trigpoint.surfaces.mcp.replies import Reply
from trigpoint.surfaces.mcp.tools import listed

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions of the protocol that begin with `initialize`, oldest first."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
RESOURCE_NOT_FOUND = -32002

Message = dict[str, Any]
Send = Callable[[Message], None]

CAPABILITIES: Message = {"tools": {}, "resources": {}, "prompts": {}}


class _FaultError(Exception):
    """A request that cannot be answered."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Conversation:
    """One client on one line."""

    def __init__(self, desk: Desk, send: Send) -> None:
        self._desk = desk
        self._send = send
        self._session = Session()
        self._calls: dict[str | int, Call] = {}
        self._client_has_roots = False

    @property
    def waiting(self) -> int:
        """Calls without an answer."""
        return len(self._calls)

    def receive(self, message: object) -> None:
        """One message of the client, or a batch of them."""
        if isinstance(message, list) and message:
            for one in message:
                self.receive(one)
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._fail(None, INVALID_REQUEST, "this is no JSON-RPC 2.0 message")
        elif "method" not in message:
            self._take_answer(message)
        elif "id" not in message:
            self._note(message["method"], message.get("params"))
        else:
            self._request(message)

    def unreadable(self) -> None:
        """A line that is no JSON."""
        self._fail(None, PARSE_ERROR, "this line is no JSON")

    def _fail(self, identifier: object, code: int, words: str) -> None:
        self._send({"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": words}})

    def _request(self, message: Message) -> None:
        identifier, method = message["id"], message["method"]
        if not isinstance(identifier, (str, int)) or isinstance(identifier, bool):
            self._fail(None, INVALID_REQUEST, "an id is a text or a whole number")
            return
        params = message.get("params")
        try:
            if method == "tools/call":
                self._call(identifier, _object(params))
                return
            answer = METHODS.get(method if isinstance(method, str) else "")
            if answer is None:
                raise _FaultError(METHOD_NOT_FOUND, f"there is no method {str(method)[:80]!r}")
            self._send({"jsonrpc": "2.0", "id": identifier, "result": answer(self, _object(params))})
        except _FaultError as fault:
            self._fail(identifier, fault.code, str(fault))

    def _call(self, identifier: str | int, params: Message) -> None:
        if identifier in self._calls:
            raise _FaultError(INVALID_REQUEST, f"the id {identifier!r} is in use")
        token = _object(params.get("_meta")).get("progressToken")

        def done(reply: Reply) -> None:
            self._calls.pop(identifier, None)
            self._send({"jsonrpc": "2.0", "id": identifier, "result": result_of(reply)})

        def tell(state: Indexing) -> None:
            if token is not None and not call.cancelled.is_set():
                self._send(
                    {
                        "jsonrpc": "2.0",
                        "method": "notifications/progress",
                        "params": progress_of(token, state, progress),
                    }
                )

        call, progress = Call(done, tell), Counter()
        self._calls[identifier] = call
        try:
            self._desk.submit(self._session, str(params.get("name")), params.get("arguments"), call)
        except KeyError:
            del self._calls[identifier]
            raise _FaultError(INVALID_PARAMS, f"there is no tool {str(params.get('name'))[:80]!r}") from None

    def _note(self, method: object, params: object) -> None:
        if method == "notifications/cancelled":
            call = (
                self._calls.pop(_object(params).get("requestId", ""), None)
                if isinstance(params, dict)
                else None
            )
            if call is not None:
                call.cancel()
        elif method == "notifications/initialized":
            if self._client_has_roots:
                self._ask_for_roots()
            else:
                self._desk.begin()
        elif method == "notifications/roots/list_changed" and self._client_has_roots:
            self._ask_for_roots()

    def _ask_for_roots(self) -> None:
        self._session.settled.clear()
        self._send({"jsonrpc": "2.0", "id": ROOTS, "method": "roots/list"})

    def _take_answer(self, message: Message) -> None:
        """Of the requests that a server can make, only one is made here."""
        if message.get("id") == ROOTS:
            if found := folders_of(message.get("result")):
                self._desk.projects.replace(found)
            self._session.settled.set()
            self._desk.begin()

    # requests

    def _initialize(self, params: Message) -> Message:
        asked = params.get("protocolVersion")
        has_roots = "roots" in _object(params.get("capabilities"))
        self._client_has_roots = has_roots and not self._desk.projects.fixed
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
            "capabilities": CAPABILITIES,
            "serverInfo": {"name": "trigpoint", "title": "Trigpoint", "version": __version__},
            "instructions": INSTRUCTIONS,
        }

    def _ping(self, params: Message) -> Message:
        return {}

    def _tools(self, params: Message) -> Message:
        return {"tools": listed()}

    def _prompts(self, params: Message) -> Message:
        return {"prompts": [PROMPT]}

    def _prompt(self, params: Message) -> Message:
        if params.get("name") != PROMPT["name"]:
            raise _FaultError(INVALID_PARAMS, f"there is no prompt {str(params.get('name'))[:80]!r}")
        return prompt(str(_object(params.get("arguments")).get("task") or ""))

    def _resources(self, params: Message) -> Message:
        return {"resources": RESOURCES}

    def _templates(self, params: Message) -> Message:
        return {"resourceTemplates": []}

    def _resource(self, params: Message) -> Message:
        uri = str(params.get("uri"))
        text = resource(self._desk, uri)
        if text is None:
            raise _FaultError(RESOURCE_NOT_FOUND, f"there is no resource {uri[:80]!r}")
        return {"contents": [text]}


ROOTS = "trigpoint-roots"


class Counter:
    """Progress has to grow with every notification, whatever phase it is in."""

    def __init__(self) -> None:
        self._told = 0

    def next(self) -> int:
        """One more."""
        self._told += 1
        return self._told


def progress_of(token: object, state: Indexing, progress: Counter) -> Message:
    """The parameters of a progress notification. Files are counted while they are read, events in the other phases."""
    return {"progressToken": token, "progress": progress.next(), "message": f"indexing: {state}"}


def result_of(reply: Reply) -> Message:
    """The result of a tool call."""
    found: Message = {"content": [{"type": "text", "text": reply.text}], "isError": reply.error}
    return found if reply.error else {**found, "structuredContent": reply.structured}


def resource(desk: Desk, uri: str) -> Message | None:
    """What one of RESOURCES holds."""
    if uri == "trig://guide":
        return {"uri": uri, "mimeType": "text/markdown", "text": GUIDE}
    if uri == "trig://status":
        lines = [f"{name}: {root}" for name, root in desk.projects.names.items()]
        for project in desk.projects.opened:
            running = project.indexing
            lines.append(
                f"{project.name}: "
                + (f"indexing, {running}" if running else "indexed" if project.has_index() else "not indexed")
            )
        return {"uri": uri, "mimeType": "text/plain", "text": "\n".join(lines) + "\n"}
    return None


def _object(found: object) -> Message:
    return dict(found) if isinstance(found, Mapping) else {}


METHODS: Mapping[str, Callable[[Conversation, Message], Message]] = {
    "initialize": Conversation._initialize,
    "ping": Conversation._ping,
    "tools/list": Conversation._tools,
    "prompts/list": Conversation._prompts,
    "prompts/get": Conversation._prompt,
    "resources/list": Conversation._resources,
    "resources/templates/list": Conversation._templates,
    "resources/read": Conversation._resource,
}
