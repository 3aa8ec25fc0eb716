"""Agents elsewhere: what is asked of a server, and what becomes of answers of any kind."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import numpy as np
import pytest

from qipai.agents import Agent, load_agent, remote
from qipai.agents.agent import AgentError
from qipai.envs import load_game, make_tables
from qipai.envs.tables import Tables
from qipai.envs.wire import from_wire

GAME = load_game("five_card_stud")


class Server(HTTPServer):
    """Gives a prepared answer, and keeps what it was asked."""

    status = 200
    answer: Any = b""  # bytes, or what makes them from a request
    headers: dict[str, str]
    asked: list[Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        answer = self.server.answer
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(answer(body) if callable(answer) else answer)

    def log_message(self, *arguments: Any) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as found:
        found.asked = []
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def tables(n: int = 1) -> Tables:
    return make_tables("five_card_stud", n, seed=1)


def act(server: Server, n: int = 1, settings: str = "") -> list[int]:
    some = tables(n)
    agent = load_agent(f"remote:{server.url}{settings}", GAME)
    return list(agent.act(some.views(), some.action_mask))


def folds(body: Any) -> bytes:
    return json.dumps([{"action": 0}] * len(body["view"])).encode()


def test_views_are_sent_as_a_list_and_actions_come_back(server: Server) -> None:
    server.answer = folds
    assert act(server, 70, ";agent=search:200;deadline_ms=300") == [0] * 70
    sizes = []
    for path, headers, body in server.asked:
        assert path == "/v1/act" and headers["Content-Type"] == "application/json"
        assert "Authorization" not in headers
        assert (body["agent"], body["deadline_ms"]) == ("search:200", 300)
        sizes.append(len(body["view"]))
        for message in body["view"]:
            assert from_wire(GAME, message)[1] == message["state"]["turn"]
    assert sizes == [32, 32, 6]
    some = tables()
    none = load_agent(f"remote:{server.url}", GAME).act(some.views()[:0], some.action_mask[:0])
    assert none.tolist() == []


def test_the_key_is_that_of_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(remote.KEY, "secret")
    server.answer = folds
    act(server)
    assert server.asked[0][1]["Authorization"] == "Bearer secret"
    assert server.asked[0][2]["agent"] == "rule"


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (b"", "what is no JSON"),
        (b"[" * 100_000, "what is no JSON"),
        (b"\xff", "what is no JSON"),
        (b"{}", "{} to 1 views, not a list of answers"),
        (b"[]", "[] to 1 views, not a list of answers"),
        (b"[5]", "5, which has no action of five_card_stud"),
        (b'[{"action": 8}]', "{'action': 8}, which has no action"),
        (b'[{"action": -1}]', "which has no action"),
        (b'[{"action": true}]', "which has no action"),
        (b'[{"action": 1.0}]', "which has no action"),
        (b'[{"action": "' + b"x" * 9999 + b'"}]', "which has no action"),
    ],
)
def test_answers_of_another_form_are_told_in_words(
    server: Server, answer: bytes, named: str
) -> None:
    server.answer = answer
    with pytest.raises(AgentError, match=r"^http://127.0.0.1:\d+/v1/act answers ") as caught:
        act(server)
    assert named in str(caught.value) and len(str(caught.value)) < 500


def test_problems_are_told_by_their_detail(server: Server) -> None:
    server.status, server.answer = 422, b'{"detail": "dealt is 40"}'
    with pytest.raises(AgentError, match="answers 422 dealt is 40$"):
        act(server)
    server.status, server.answer = 502, b"<html>Bad Gateway"
    with pytest.raises(AgentError, match="answers 502 '<html>Bad Gateway'$"):
        act(server)


def test_a_server_that_is_silent_or_not_there_is_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = threading.Event()
    server.answer = lambda body: bytes(waits.wait(10))
    monkeypatch.setattr(remote, "PATIENCE", 0.2)
    with pytest.raises(AgentError, match="does not answer: timed out"):
        act(server, 1, ";deadline_ms=1")
    waits.set()
    with pytest.raises(AgentError, match=r"http://127.0.0.1:9/v1/act does not answer: .*refused"):
        some = tables()
        load_agent("remote:http://127.0.0.1:9", GAME).act(some.views(), some.action_mask)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("", "'' is no address"),
        ("127.0.0.1:8000", "is no address"),
        ("file:///etc/passwd", "is no address"),
        ("http://", "is no address"),
        ("http://h;colour=red", "'colour=red' is no setting"),
        ("http://h;agent=", "'agent=' is no setting"),
        ("http://h;deadline_ms=1s", "'deadline_ms=1s' is no setting"),
    ],
)
def test_specs_that_cannot_be_read_are_refused(spec: str, why: str) -> None:
    with pytest.raises(ValueError, match="agent 'remote:.*: ") as caught:
        load_agent(f"remote:{spec}", GAME)
    assert why in str(caught.value)


def test_it_can_be_copied(server: Server) -> None:
    server.answer = folds
    agent = copy.deepcopy(load_agent(f"remote:{server.url}/", GAME))
    some = tables()
    assert isinstance(agent, Agent)
    assert np.array_equal(agent.act(some.views(), some.action_mask), [0])
