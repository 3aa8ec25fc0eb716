"""The server as a process: started, asked, played against, and ended."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from typer.testing import CliRunner

from qipai import cli
from qipai.agents import remote
from qipai.service.examples import QUESTION
from qipai.service.serving import serve

KEY = "a-key-that-is-secret"


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its address; what it logs goes to ``log`` in the folder."""
    command = [sys.executable, "-m", "qipai", "serve", "--port", "0", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = re.fullmatch(r"qipai \S+ decides at (\S+)\n", process.stdout.readline())
            page = process.stdout.readline()
            assert address and page == f"What can be asked: {address[1]}/docs\n"
            yield process, address[1]
        finally:
            process.kill()


def get(url: str, body: Any = None, key: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.loads(answer.read())


def test_a_server_decides_plays_in_an_arena_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, "--key", KEY) as (process, url):
        assert get(f"{url}/healthz")["status"] == "ok"
        with pytest.raises(urllib.error.HTTPError, match="401"):
            get(f"{url}/v1/act", QUESTION)
        assert get(f"{url}/v1/act", QUESTION, KEY)["name"] == "raise_quarter"

        monkeypatch.setenv(remote.KEY, KEY)
        far = f"remote:{url};agent=random"
        file = str(tmp_path / "result.json")
        arguments = ("arena", "five_card_stud", far, "rule", "--hands", "60", "--json", file)
        result = CliRunner().invoke(cli.app, arguments, prog_name="qipai")
        assert result.exit_code == 0, result.output
        ours, _ = json.loads(Path(file).read_text())["agents"]
        assert ours["label"] == far and ours["decisions"] > 60 and ours["forfeits"] == 0

        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert all({"time", "level", "event"} <= line.keys() for line in lines)
    assert sum(line.get("path") == "/v1/act" for line in lines) > 10
    assert KEY not in (tmp_path / "log").read_text()


def test_a_request_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    body = json.dumps(QUESTION).encode()
    head = f"POST /v1/act HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    with serving(tmp_path) as (process, url):
        get(f"{url}/v1/act", QUESTION)
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode())
            connection.sendall(body[:100])
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
            connection.sendall(body[100:])
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 200") and b"raise_quarter" in answer
        assert process.wait(30) == cli.INTERRUPTED


def test_answers_wait_for_no_acknowledgement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a head sent alone, for which a client lets 40 ms pass."""
    seen = []

    def run(server: Any, sockets: list[socket.socket]) -> None:
        with socket.create_connection(sockets[0].getsockname()):
            accepted, _ = sockets[0].accept()
            with accepted:
                seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    serve("127.0.0.1", 0, say=lambda line: None)
    assert seen and seen[0]


def refused(*arguments: str) -> str:
    """The one line on stderr that refuses to serve so."""
    result = CliRunner().invoke(cli.app, ["serve", *arguments], prog_name="qipai")
    assert result.exit_code == 2, result.output
    [line] = result.stderr.strip().splitlines()
    return line


def test_what_cannot_be_served_is_said_in_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "Address already in use" in refused("--port", port)
    assert "there is no model nowhere" in refused("--model", "mine=nowhere")
    assert "--model mine: write --model NAME=PATH" in refused("--model", "mine")
    assert "'rule' can't name a model" in refused("--model", "rule=nowhere")
    assert "a key is made of ASCII" in refused("--key", " x")
    assert "'--port'" in refused("--port", "65536")


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "fastapi" else find(name, *rest),
    )
    for name in [name for name in sys.modules if name.startswith("qipai.service")]:
        monkeypatch.delitem(sys.modules, name)
    assert refused() == 'qipai: serving needs fastapi: pip install "qipai[serve]"'


def test_nothing_else_imports_what_serving_needs() -> None:
    code = """
import sys
import qipai.cli, qipai.agents.arena, qipai.agents.remote, qipai.envs.schema
from qipai.envs import games, load_game
for name in games():
    load_game(name)
assert not {"fastapi", "starlette", "uvicorn", "pydantic", "prometheus_client"} & {*sys.modules}
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_person_is_told_when_an_agent_elsewhere_is_gone() -> None:
    arguments = ("play", "five_card_stud", "--opponents", "remote:http://127.0.0.1:9")
    result = CliRunner().invoke(cli.app, arguments, input="q\n", prog_name="qipai")
    assert result.exit_code == 2
    assert "http://127.0.0.1:9/v1/act does not answer" in result.stderr.splitlines()[-1]
