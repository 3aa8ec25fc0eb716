"""The server process: its socket, its log, its end."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import uvicorn

from qipai import __version__
from qipai.service.app import make_app
from qipai.service.logs import CONFIG
from qipai.service.roster import read_models

GRACE = 15  # seconds for requests that are under way when the server is to end


def serve(
    host: str,
    port: int,
    keys: Sequence[str] = (),
    models: Mapping[str, Path] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Answer requests until SIGINT or SIGTERM, and then those that are under way.

    OSError if the address can't be had, ValueError for a key or model that can't be.
    """
    app = make_app(keys, read_models(models or {}))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        # Connections inherit it; asyncio sets it only where it has made the socket itself, and
        # answers would wait 40 ms for the client's acknowledgement of their heads.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}"
        say(f"qipai {__version__} decides at {address}")
        say(f"What can be asked: {address}/docs")
        config = uvicorn.Config(
            app,
            log_config=CONFIG,
            access_log=False,  # the gate has its own
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # comes back once all is answered
        uvicorn.Server(config).run(sockets=[listening])
