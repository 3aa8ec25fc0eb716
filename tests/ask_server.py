"""Asks ``qipai serve``, started by this Python, for a decision: run from any folder."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request

from qipai.service.examples import ANSWER, QUESTION

command = [sys.executable, "-u", "-m", "qipai", "serve", "--port", "0"]
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
    assert server.stdout is not None
    try:
        address = server.stdout.readline().split()[-1]
        body, headers = json.dumps(QUESTION).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{address}/v1/act", body, headers)
        with urllib.request.urlopen(request, timeout=300) as answer:
            decided = json.load(answer)
        assert decided["default"] or decided["name"] == ANSWER["name"], decided
        print(f"{address} decided {decided['name']}")
    finally:
        server.terminate()
assert server.returncode == 0
