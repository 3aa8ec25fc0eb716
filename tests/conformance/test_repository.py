"""What every game must come with, and what no file may do."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qipai.envs import GAMES, games
from qipai.envs.game import Game

ROOT = Path(__file__).parents[2]
ENVS = sorted((ROOT / "qipai/envs").rglob("*.py"))


@pytest.mark.parametrize(
    "place",
    [
        "qipai/envs/{}.py",
        "qipai/agents/rule/{}.py",
        "tests/rules/test_{}.py",
        "tests/golden/{}.json",
        "docs/games/{}.md",
    ],
)
def test_every_game_is_complete(name: str, place: str) -> None:
    assert (ROOT / place.format(name)).is_file()


def test_the_game_is_what_the_list_says(game: Game, name: str) -> None:
    assert game.name == name
    assert game.version == GAMES[name]
    assert game.id == f"qipai/{name}-v{game.version}"
    assert game.history and game.checked_by and game.summary.endswith(".")


def test_every_option_names_its_clause(game: Game) -> None:
    names = [option.name for option in game.rules.options]
    assert {"seats", "hands", "stack"} <= set(names)
    for option in game.rules.options:
        assert option.clause.startswith("R") and option.meaning
    for preset in game.rules.presets:
        game.options(preset)


def test_every_clause_has_a_test(game: Game, name: str) -> None:
    tests = (ROOT / f"tests/rules/test_{name}.py").read_text()
    clauses = [line.split()[0] for line in game.document.splitlines() if line.startswith("R")]
    assert clauses == [f"R{i + 1}" for i in range(len(clauses))] and clauses
    missing = [clause for clause in clauses if f"test_{clause}_" not in tests]
    assert not missing


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} | {f"{node.module}.{a.name}" for a in node.names}
    return found


@pytest.mark.parametrize("file", ENVS, ids=lambda f: f.stem)
def test_environments_keep_to_themselves(file: Path) -> None:
    modules = imported(file)
    roots = {module.split(".")[0] for module in modules}
    assert not roots & {"torch", "stable_baselines3", "sb3_contrib", "socket", "typer", "rich"}
    others = {f"qipai.envs.{name}" for name in games()} - {f"qipai.envs.{file.stem}"}
    assert not modules & others, "games never import each other"
    if file.stem != "kernel":
        assert "numba" not in roots, "use qipai.envs.kernel"


def test_nothing_writable_means_no_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    script = """
from qipai.envs.kernel import cache_root, kernel
from qipai.envs.rng import mix
import numpy as np
assert cache_root() is None
mix(np.uint64(1))
print("works")
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "QIPAI_CACHE_DIR": str(blocked / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "works"


def test_the_lowest_versions_tested_are_the_lower_bounds() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    lists = re.findall(
        r"^(?:dependencies|render|serve) = \[(.*?)\]", text, re.MULTILINE | re.DOTALL
    )
    bounds = [bound for each in lists for bound in re.findall(r'"(.*?)"', each)]
    pinned = (ROOT / "constraints-lowest.txt").read_text().splitlines()
    assert [line for line in pinned if not line.startswith("#")] == [
        bound.replace(">=", "==") for bound in bounds
    ]
