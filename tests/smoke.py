"""Smoke test of an installed wheel: run with its Python, from any folder without the sources.

Arguments name the games to play, by default all.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

import qipai
from qipai.agents import load_agent
from qipai.envs import games, make, make_tables
from qipai.envs.kernel import cache_root

assert "site-packages" in qipai.__file__, qipai.__file__
assert (Path(qipai.__file__).parent / "py.typed").is_file()
for name in sys.argv[1:] or games():
    tables = make_tables(name, 8, seed=1)
    rule = load_agent("rule", tables.game)
    for _ in range(50):
        tables.step(rule.act(tables.views(), tables.action_mask))
    env = make(name, render_mode="ansi")
    env.reset(seed=1)
    picture = make(name, render_mode="rgb_array")
    picture.reset(seed=1)
    frame = picture.render()
    assert isinstance(frame, np.ndarray) and frame.shape[1] == 900
    assert str(env.render())
    env.step(env.default_action())
assert "torch" not in sys.modules
listed = subprocess.run(
    [sys.executable, "-m", "qipai", "games"], capture_output=True, text=True, check=True
)
assert all(name in listed.stdout for name in games())
print(
    f"qipai {qipai.__version__} works; compiled code in {'a cache' if cache_root() else 'memory'}"
)
