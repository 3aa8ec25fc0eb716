"""Errors as problem details (RFC 9457): every one that the API answers with, whatever its cause."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"
LONGEST = 500  # characters of a detail: errors quote what was sent
FAULT = "a fault of the server's; its log tells more"
MOST_ERRORS = 20  # listed of one request


class Problem(HTTPException):
    """An answer other than what was asked for; ``detail`` says why, and what would be right."""


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> JSONResponse:
    """The response that tells a problem."""
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": _shown(detail),
        **more,
    }
    return JSONResponse(content, status, dict(headers or {}), MEDIA_TYPE)


def tell_problems(app: FastAPI) -> None:
    """Let the application answer with problem details wherever something is wrong."""
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_request)
    app.add_exception_handler(Exception, _of_server)


def responses(**details: str) -> dict[int | str, dict[str, Any]]:
    """What an operation documents: problems by status, ``_422="why"``, with an example of each,
    and ``default`` for all others."""
    found: dict[int | str, dict[str, Any]] = {}
    for name, detail in {**details, "default": FAULT}.items():
        status = 500 if name == "default" else int(name[1:])
        title = HTTPStatus(status).phrase
        example = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        content = {MEDIA_TYPE: {"schema": SCHEMA, "examples": {title: {"value": example}}}}
        key, about = (name, "Any other problem") if name == "default" else (status, title)
        found[key] = {"description": about, "content": content}
    return found


SCHEMA = {
    "title": "Problem",
    "description": "Problem details as of RFC 9457.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "const": "about:blank"},
        "title": {"type": "string", "description": "the status in words"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong, and what would be right"},
        "errors": {
            "type": "array",
            "description": "what is wrong in a request, place by place",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer into the body"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
}


def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail), error.headers)


def _of_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [
        {"pointer": _shown(_pointer(one["loc"])), "detail": _shown(str(one["msg"]))}
        for one in error.errors()[:MOST_ERRORS]
    ]
    detail = "; ".join(f"{one['pointer']}: {one['detail']}" for one in errors)
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=errors)


def _of_server(request: Request, error: Exception) -> Response:
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, FAULT)


def _pointer(place: tuple[Any, ...]) -> str:
    """``("body", "view", 3)`` as ``#/view/3``."""
    inside = place[1:] if place[:1] == ("body",) else place
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in inside)
    return "#" + "".join(f"/{step}" for step in steps)


def _shown(text: str) -> str:
    """Text of somebody's as it can be sent: not too long, and without halves of characters."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return short.encode(errors="replace").decode()
