"""The JSON Schema of each game's views: what play produces is valid, what is refused is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from qipai.envs import load_game
from qipai.envs.aec import TableEnv
from qipai.envs.game import Game
from qipai.envs.schema import view_schema
from qipai.envs.wire import dumps, from_wire
from tests.conformance.test_wire import GONE, message, places, put
from tests.conformance.variants import variants

ODD = [-9, -2, -1, 0, 1, 7, 10**6, 2**70, 0.5, True, False, None, "-", "", "x", "S9", "9", "s9"]
ODDER: list[Any] = [[], {}, [0], ["-"], [None] * 3, [["S9"]], {"x": 1}, GONE]


def validator(game: Game) -> Draft202012Validator:
    schema = json.loads(json.dumps(view_schema(game)))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


class Watched(TableEnv):
    """A table that shows its views to ``look``, those of ended hands too."""

    def show(self, look: Callable[[Any], None]) -> None:
        self.look = look
        for seat, agent in enumerate(self.possible_agents):
            look(json.loads(dumps(self.game, self.view(agent), seat)))

    def hand_report(self) -> dict[str, Any]:
        self.show(self.look)
        return super().hand_report()


def test_every_view_of_play_is_valid(game: Game) -> None:
    look, rng = validator(game).validate, np.random.default_rng(1)
    for options in variants(game.name):
        env = Watched(game, **options)
        env.look = look
        env.reset(seed=2)
        for _ in range(60):
            env.show(look)
            if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
                break
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))


def test_what_the_schema_refuses_cannot_be_read(game: Game) -> None:
    schema, rng = validator(game), random.Random(3)
    written = json.dumps(message(game))
    ways = [way for way in places(json.loads(written)) if way]
    refused = 0
    for _ in range(300):
        way, value = rng.choice(ways), rng.choice(ODD + ODDER)
        changed = put(json.loads(written), way, value)
        if not schema.is_valid(changed):
            refused += 1
            with pytest.raises(ValueError):
                from_wire(game, changed)
    assert refused > 100


def test_names_are_listed_and_hidden_values_are_null() -> None:
    state = view_schema(load_game("five_card_stud"))["properties"]["state"]["properties"]
    assert state["hole"]["items"]["enum"][-2:] == ["-", None]
    assert "SA" in state["hole"]["items"]["enum"] and state["hole"]["minItems"] == 4
    assert state["turn"]["anyOf"][0] == {"type": "integer", "minimum": 0}
    assert state["turn"]["description"] == "seat to act"
    assert state["ended"]["type"] == "boolean"
