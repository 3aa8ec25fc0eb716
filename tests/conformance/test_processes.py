"""What a new process that plays a game imports and compiles, and what it plays uncompiled."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.envs import make_tables
from qipai.envs.kernel import cache_root

from .variants import variants

# Every kernel and loop of a game is called once, and no array is made that Tables would not make.
USE = """
import numpy as np
from qipai.envs import load_game, make, make_tables
from qipai.envs.match import engine
tables = make_tables(name, 4, seed=1, threads=2)
game = tables.game
env = make(name, hands=50)
env.reset(seed=1)
for _ in range(20):
    tables.step(tables.sample())
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
env.default_action()
env.leave("player_0")
tables.leave(0, 0)
engine(game).redeal_views(tables.views(), tables.turn.astype(np.int64), np.uint64(1))
"""
FRESH = f"""
import json, sys
import numba.core.event as events
name = sys.argv[1]
with events.install_recorder("numba:compile") as recorder:
    exec({USE!r})
heavy = {{"torch", "matplotlib", "PIL", "tkinter", "typer", "rich", "stable_baselines3"}}
kernels = [getattr(game, n) for n in
           ("deal", "legal", "apply", "conceal", "redeal", "observe", "default", "leave")]
kernels += [k for k in (game.restart, game.recall) if k is not None]
kernels += [getattr(engine(game), n) for n in type(engine(game)).__dataclass_fields__]
print(json.dumps({{
    "heavy": sorted(heavy & set(sys.modules)),
    "compiled": sum(event.is_start for _, event in recorder.buffer),
    "signatures": [len(k.signatures) for k in kernels],
}}))
"""


def test_a_new_process_needs_little(name: str) -> None:
    """No heavy package, one signature a kernel, and nothing that was compiled before."""
    exec(USE, {"name": name})
    done = subprocess.run(
        [sys.executable, "-c", FRESH, name], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["heavy"] == []
    assert max(found["signatures"]) == 1
    if cache_root() is not None:
        assert found["compiled"] == 0


def digest(name: str) -> str:
    """Of all that is observed and settled in random play under every option set."""
    found = hashlib.sha256()
    for options in variants(name):
        tables = make_tables(name, 2, seed=21, **options)
        for _ in range(60):
            tables.step(tables.sample())
            drawn = tables.state["rng"]["count"]
            masks = (tables.observation_mask, tables.action_mask)
            for part in (tables.observation, *masks, tables.reward, drawn):
                found.update(part.tobytes())
        tables.leave(0, tables.seats - 1)
        found.update(tables.observation.tobytes())
    return found.hexdigest()


PLAIN = f"""
import sys
from {__name__} import digest
for name in sys.stdin:
    print(digest(name.strip()), flush=True)
"""


@pytest.fixture(scope="session")
def plain() -> Iterator[subprocess.Popen[str]]:
    """A process that compiles nothing: for each name of a game it answers with its digest."""
    with subprocess.Popen(
        [sys.executable, "-c", PLAIN],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        yield process


def test_compiled_is_plain_python(name: str, plain: subprocess.Popen[str]) -> None:
    assert plain.stdin is not None and plain.stdout is not None
    plain.stdin.write(f"{name}\n")
    compiled = digest(name)
    assert plain.stdout.readline().strip() == compiled
