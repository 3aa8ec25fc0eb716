"""What every request passes on its way in and out: key, size, log and count of errors."""

from __future__ import annotations

import time
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qipai.service.keys import Keys
from qipai.service.logs import LOGGER
from qipai.service.metrics import Metrics
from qipai.service.problems import Problem, problem

MOST_BYTES = 1 << 20  # of a request's body
KEPT_PATH = "/v1"  # what lies below asks for a key
LONGEST_PATH = 100  # characters that are logged


class Gate:
    """ASGI middleware around the application."""

    def __init__(self, app: ASGIApp, keys: Keys, metrics: Metrics) -> None:
        self._app, self._keys, self._metrics = app, keys, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), HTTPStatus.INTERNAL_SERVER_ERROR

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._let_in(scope, _limited(receive), noted)
        finally:
            if status >= HTTPStatus.BAD_REQUEST:
                self._metrics.errors.labels(int(status)).inc()
            about = {
                "method": scope["method"],
                "path": scope["path"][:LONGEST_PATH],
                "status": int(status),
                "ms": round((time.perf_counter() - began) * 1000, 3),
            }
            LOGGER.info("request", extra=about)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        shown = headers.get("authorization", "").encode("latin-1")
        length = headers.get("content-length", "0")
        if scope["path"].startswith(KEPT_PATH) and not self._keys.open(shown):
            detail = "this server asks for a key: Authorization: Bearer KEY"
            answer = problem(401, detail, {"WWW-Authenticate": "Bearer"})
        elif length.isdecimal() and int(length[:20]) > MOST_BYTES:
            answer = problem(413, _too_large())
        else:
            await self._app(scope, receive, send)
            return
        await answer(scope, receive, send)


def _limited(receive: Receive) -> Receive:
    """Bodies of unknown length up to the limit; Problem beyond."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BYTES:
            raise Problem(413, _too_large())
        return message

    return limited


def _too_large() -> str:
    return f"a body has at most {MOST_BYTES:,} bytes"
