"""Fixtures for tests that run over every game."""

from __future__ import annotations

import pytest

from qipai.envs import games, load_game
from qipai.envs.game import Game


@pytest.fixture(params=games())
def name(request: pytest.FixtureRequest) -> str:
    """The name of each game in turn."""
    return str(request.param)


@pytest.fixture
def game(name: str) -> Game:
    """Each game in turn."""
    return load_game(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one game run in one process, so that its rules are compiled once."""
    for item in items:
        named = [name for name in games() if name in item.nodeid]
        item.add_marker(pytest.mark.xdist_group(named[-1] if named else item.path.name))
