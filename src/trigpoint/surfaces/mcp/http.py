"""Streamable HTTP on the loopback interface, by the official SDK: sessions, event streams, host and origin checks are its own.

Imported only for `trig mcp --http`: the SDK takes 0.75 s of CPU to load.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import sys
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from trigpoint import __version__
from trigpoint.errors import UsageError
from trigpoint.surfaces.mcp.desk import Call, Desk, Session
from trigpoint.surfaces.mcp.guide import INSTRUCTIONS, PROMPT, RESOURCES, prompt
from trigpoint.surfaces.mcp.indexer import Indexing
from trigpoint.surfaces.mcp.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, Counter, resource, result_of
from trigpoint.surfaces.mcp.replies import Reply
from trigpoint.surfaces.mcp.tools import listed

HOST = "127.0.0.1"
PATH = "/mcp"
SESSIONS = 64
"""Clients whose received text is remembered, the latest ones."""


def serve(desk: Desk, port: str, token: str) -> None:
    """Serve until interrupted. The address and the token are written to standard error.

    Raises UsageError for a port that is none, or when the SDK is not installed.
    """
    if not port.isascii() or not port.isdigit() or not 0 <= int(port) < 65536:
        raise UsageError(f"{port!r} is no port", "for example `trig mcp --http 8765`; 0 takes a free one")
    try:
        import uvicorn
    except ImportError:
        raise UsageError(
            "HTTP needs the MCP SDK", "pip install 'trigpoint[mcp]'; stdio needs nothing"
        ) from None
    token = token or secrets.token_urlsafe(32)
    app = guarded(application(desk), token)
    config = uvicorn.Config(
        app, host=HOST, port=int(port), log_level="error", access_log=False, lifespan="on"
    )
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    socket.listen()  # whoever reads the address may come at once
    sys.stderr.write(
        f"trig: http://{HOST}:{socket.getsockname()[1]}{PATH}\ntrig: Authorization: Bearer {token}\n"
    )
    sys.stderr.flush()
    desk.begin()
    with suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[socket]))
    desk.close()


def guarded(app: Any, token: str) -> Any:
    """The application, for those who show the token only."""
    wanted = f"Bearer {token}".encode()

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            shown = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(shown, wanted):
                headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b"show the token of this server\n"})
                return
        await app(scope, receive, send)

    return guard


def application(desk: Desk) -> Any:
    """The ASGI application with the tools of the desk."""
    from mcp.server.lowlevel import Server

    made = _Handlers(desk)
    server: Any = Server(
        "trigpoint",
        version=__version__,
        title="Trigpoint",
        instructions=INSTRUCTIONS,
        on_list_tools=made.list_tools,
        on_call_tool=made.call_tool,
        on_list_prompts=made.list_prompts,
        on_get_prompt=made.get_prompt,
        on_list_resources=made.list_resources,
        on_read_resource=made.read_resource,
    )
    return server.streamable_http_app(streamable_http_path=PATH, host=HOST)


class _Handlers:
    """What the SDK asks for, from the same tables as stdio."""

    def __init__(self, desk: Desk) -> None:
        import mcp_types

        self._desk = desk
        self._types = mcp_types
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def _session(self, context: Any) -> Session:
        """What a client has received is kept by the name of its session; a client without one begins anew each time."""
        name = context.request.headers.get("mcp-session-id", "") if context.request is not None else ""
        if not name:
            return Session()
        found = self._sessions.setdefault(name, Session())
        self._sessions.move_to_end(name)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        return found

    def _missing(self, code: int, words: str) -> Exception:
        from mcp.shared.exceptions import MCPError

        return MCPError(code=code, message=words)

    async def list_tools(self, context: Any, params: Any) -> Any:
        return self._types.ListToolsResult.model_validate({"tools": listed()})

    async def call_tool(self, context: Any, params: Any) -> Any:
        loop, answered = asyncio.get_running_loop(), asyncio.Event()
        replies: list[Reply] = []

        def done(reply: Reply) -> None:
            replies.append(reply)
            loop.call_soon_threadsafe(answered.set)

        call = Call(done, _teller(context, loop))
        try:
            self._desk.submit(self._session(context), params.name, params.arguments, call)
        except KeyError:
            raise self._missing(INVALID_PARAMS, f"there is no tool {params.name[:80]!r}") from None
        try:
            await answered.wait()
        except asyncio.CancelledError:
            call.cancel()
            raise
        return self._types.CallToolResult.model_validate(result_of(replies[0]))

    async def list_prompts(self, context: Any, params: Any) -> Any:
        return self._types.ListPromptsResult.model_validate({"prompts": [PROMPT]})

    async def get_prompt(self, context: Any, params: Any) -> Any:
        if params.name != PROMPT["name"]:
            raise self._missing(INVALID_PARAMS, f"there is no prompt {params.name[:80]!r}")
        return self._types.GetPromptResult.model_validate(prompt((params.arguments or {}).get("task", "")))

    async def list_resources(self, context: Any, params: Any) -> Any:
        return self._types.ListResourcesResult.model_validate({"resources": RESOURCES})

    async def read_resource(self, context: Any, params: Any) -> Any:
        found = await asyncio.to_thread(resource, self._desk, str(params.uri))
        if found is None:
            raise self._missing(RESOURCE_NOT_FOUND, f"there is no resource {str(params.uri)[:80]!r}")
        return self._types.ReadResourceResult.model_validate({"contents": [found]})


def _teller(context: Any, loop: asyncio.AbstractEventLoop) -> Callable[[Indexing], None]:
    """Sends progress to a client that has asked for it; a client that is gone misses it."""
    progress = Counter()

    def tell(state: Indexing) -> None:
        sent = context.session.report_progress(progress.next(), None, f"indexing: {state}")
        asyncio.run_coroutine_threadsafe(sent, loop)

    return tell
