"""An agent elsewhere: whoever answers ``POST /v1/act`` as ``qipai serve`` does.

``remote:URL[;NAME=VALUE]…``: where it answers, then ``agent``, whom to ask there (by default
``rule``), and ``deadline_ms``, how long it has (by default 5000)::

    remote:http://127.0.0.1:8000;agent=search:200

A key that the server asks for is taken from the environment variable ``QIPAI_KEY``.
"""

from __future__ import annotations

import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from qipai.agents.agent import AgentError
from qipai.envs.game import Game
from qipai.envs.wire import to_wire

AGENT, DEADLINE_MS = "rule", 5000
KEY = "QIPAI_KEY"
PATIENCE = 90.0  # seconds for an answer beyond the deadline: the server's rules may be compiled
VIEWS = 32  # in a request
MOST_BYTES = 1 << 24  # of an answer
LONGEST = 300  # characters that are quoted of one


class RemoteAgent:
    """Asks a server for every decision; it plays composed moves one action at a time."""

    def __init__(self, game: Game, spec: str, seed: int = 0) -> None:
        """Nothing is asked yet.

        Args:
            spec: ``URL[;NAME=VALUE]…`` as above.
            seed: unused: the server's agents have a randomness of their own.

        ValueError for a spec that can't be read.
        """
        self.game = game
        self.url, self._asked = read_spec(spec)

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions).

        AgentError if the server does not answer in time, or with anything but an action for each.
        """
        parts = (views[first : first + VIEWS] for first in range(0, len(views), VIEWS))
        return np.concatenate([np.zeros(0, np.int64), *map(self._ask, parts)])

    def _ask(self, views: np.ndarray) -> np.ndarray:
        written = [to_wire(self.game, view, int(view["turn"])) for view in views]
        answers = self._post({**self._asked, "view": written})
        if not isinstance(answers, list) or len(answers) != len(views):
            raise self._error(
                f"{answers!r:.{LONGEST}} to {len(views)} views, not a list of answers"
            )
        actions = [one.get("action") if isinstance(one, dict) else None for one in answers]
        for answer, action in zip(answers, actions, strict=True):
            if type(action) is not int or not 0 <= action < self.game.actions.width:
                raise self._error(f"{answer!r:.{LONGEST}}, which has no action of {self.game.name}")
        return np.array(actions, np.int64)

    def _post(self, question: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps(question, ensure_ascii=False).encode()
        request = urllib.request.Request(self.url, body, headers, method="POST")
        try:
            patience = PATIENCE + question["deadline_ms"] / 1000
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return json.loads(answer.read(MOST_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                raise self._error(f"{error.code} {_detail(error.read(MOST_BYTES))}") from None
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "reason", error)
            raise AgentError(f"{self.url} does not answer: {why!s:.{LONGEST}}") from None
        except (ValueError, RecursionError):
            raise self._error("what is no JSON") from None

    def _error(self, said: str) -> AgentError:
        return AgentError(f"{self.url} answers {said}")


def read_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """The address of ``/v1/act`` below the URL, and what is asked there beside the view."""
    url, *settings = spec.split(";")
    asked: dict[str, Any] = {"agent": AGENT, "deadline_ms": DEADLINE_MS}
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise ValueError(f"{url!r} is no address: write one like http://127.0.0.1:8000")
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in asked or not value or (name == "deadline_ms" and not value.isdecimal()):
            raise ValueError(f"{setting!r} is no setting: write agent=NAME or deadline_ms=NUMBER")
        asked[name] = int(value) if name == "deadline_ms" else value
    return f"{url.rstrip('/')}/v1/act", asked


def _detail(body: bytes) -> str:
    """What a problem says of itself (RFC 9457), or else the start of the body."""
    try:
        return str(json.loads(body)["detail"])[:LONGEST]
    except (ValueError, RecursionError, TypeError, LookupError):
        return repr(body[:LONGEST].decode(errors="replace"))
