"""Decisions over HTTP a second, and how long each takes, beside an endpoint that does nothing.

    python benchmarks/serve.py five_card_stud doudizhu

Server and client are processes of their own on the same machine; connections are kept open, each
with one request under way. ``empty`` is a bare FastAPI endpoint that is sent the same bodies and
answers with the same bytes, under the same uvicorn.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI, Request, Response

from qipai.envs import games, make_tables
from qipai.envs.wire import to_wire
from qipai.service.examples import ANSWER

CONNECTIONS = (1, 16, 64)
LISTS = (1, 32)  # views in a request
VIEWS = 64  # different ones that are asked about


@dataclass(frozen=True)
class Figures:
    """What a run of requests came to."""

    requests: int
    seconds: float
    times: list[float]  # milliseconds of each request, sorted
    late: int  # decisions that were the house's, as the deadline had passed

    def row(self, views: int) -> str:
        rate = self.requests / self.seconds
        middle = statistics.median(self.times)
        slow = self.times[int(len(self.times) * 0.99)]
        return f"{rate:10,.0f} {rate * views:11,.0f} {middle:8.2f} {slow:9.2f} {self.late:9,}"


def bodies(name: str, views: int) -> list[bytes]:
    """Questions about views in the middle of hands, for the rule bot."""
    tables = make_tables(name, VIEWS, seed=1)
    for _ in range(8):
        tables.step(tables.sample())
    seen = zip(tables.views(), tables.turn.tolist(), strict=True)
    written = [to_wire(tables.game, view, seat) for view, seat in seen]
    asked = written if views == 1 else [(written * 2)[k : k + views] for k in range(VIEWS)]
    return [json.dumps({"view": one, "agent": "rule"}).encode() for one in asked]


async def keep_asking(
    port: int, path: str, questions: list[bytes], connections: int, seconds: float
) -> Figures:
    """Ask over so many connections at once for so many seconds."""
    times: list[float] = []
    late = 0
    end = time.perf_counter() + seconds

    async def one(number: int) -> None:
        nonlocal late
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (began := time.perf_counter()) < end:
            body = questions[number % len(questions)]
            number += connections
            head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answered = await reader.readuntil(b"\r\n\r\n")
            length = int(answered.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            answer = await reader.readexactly(length)
            assert answered.startswith(b"HTTP/1.1 200"), answer
            late += answer.count(b'"default":true')
            times.append((time.perf_counter() - began) * 1000)
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*map(one, range(connections)))
    return Figures(len(times), time.perf_counter() - began, sorted(times), late)


@contextmanager
def running(*command: str) -> Iterator[int]:
    """A server started by ``command`` and a port, and the port it listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, *command, str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            for _ in range(600):
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port
        finally:
            server.terminate()


def serve_nothing(port: int) -> None:
    """The endpoint that does nothing."""
    app, content = FastAPI(), json.dumps(ANSWER).encode()

    @app.post("/")
    async def nothing(request: Request) -> Response:
        await request.body()
        return Response(content, media_type="application/json")

    uvicorn.run(app, port=port, log_level="warning", access_log=False)


def measure(name: str, seconds: float) -> None:
    """A table of figures for one game."""
    print(f"\n{name:24} requests/s decisions/s   p50 ms    p99 ms  defaults")
    with running("-m", "qipai", "serve", "--port") as port, running(__file__, "--empty") as other:
        for views in LISTS:
            questions = bodies(name, views)
            while asyncio.run(keep_asking(port, "/v1/act", questions[:1], 1, 1)).late:
                pass  # the bot is being compiled
            for connections in CONNECTIONS:
                for label, where, path in (("empty", other, "/"), ("rule", port, "/v1/act")):
                    found = asyncio.run(keep_asking(where, path, questions, connections, seconds))
                    words = f"{label}, {connections} × {views}"
                    print(f"{words:24} {found.row(views)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(games())}")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each figure")
    parser.add_argument("--empty", type=int, metavar="PORT", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.empty is not None:
        serve_nothing(arguments.empty)
        return
    print(f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}")
    for name in arguments.games or games():
        measure(name, arguments.seconds)


if __name__ == "__main__":
    main()
