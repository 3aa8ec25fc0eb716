"""Golden hands: one recorded match a game, replayed by the tests and told on the game's page.

A golden proves sameness, nothing more: that the rules are right is shown by ``tests/rules``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qipai.agents.agent import decide, load_agent
from qipai.envs.aec import TableEnv
from qipai.envs.game import Game
from qipai.envs.tables import IllegalAction

Choose = Callable[[TableEnv], int]


def record(game: Game, seed: int) -> dict[str, Any]:
    """A match under the default options, as JSON-ready values.

    The game's rule bot plays it, or where that does one and the same thing all along, chance.
    """
    golden = _play_by("rule", game, seed)
    alike = len({entry["action"] for entry in golden["actions"]}) == 1
    return _play_by("random", game, seed) if alike else golden


def replay(golden: dict[str, Any], game: Game) -> dict[str, Any]:
    """What the recorded seed, options and actions give now; ``golden`` itself if nothing changed.

    IllegalAction if a recorded action is illegal now.
    """
    actions = iter(golden["actions"])
    return _play(
        game, golden["seed"], golden["options"], lambda table: int(next(actions)["action"])
    )


def unchanged(golden: dict[str, Any], game: Game) -> bool:
    """Whether the game still plays the recorded match in every detail."""
    try:
        return replay(golden, game) == golden
    except (IllegalAction, StopIteration):
        return False


def table_at(golden: dict[str, Any], game: Game, step: int) -> TableEnv:
    """The table before decision number ``step``, counted from 0."""
    table = TableEnv(game, **golden["options"])
    table.reset(seed=golden["seed"])
    for entry in golden["actions"][:step]:
        table.step(entry["action"])
    return table


def load(path: Path) -> dict[str, Any]:
    """A recorded golden; FileNotFoundError if there is none."""
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return golden


def dump(golden: dict[str, Any]) -> str:
    """A golden as JSON text with one action a line."""
    actions = ",\n".join("    " + json.dumps(a, ensure_ascii=False) for a in golden["actions"])
    lines = []
    for key, value in golden.items():
        written = f"[\n{actions}\n  ]" if key == "actions" else json.dumps(value)
        lines.append(f"  {json.dumps(key)}: {written}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _play_by(agent: str, game: Game, seed: int) -> dict[str, Any]:
    bot = load_agent(agent, game, seed)
    return _play(game, seed, {}, lambda table: decide(bot, table))


def _play(game: Game, seed: int, options: dict[str, Any], choose: Choose) -> dict[str, Any]:
    table = TableEnv(game, **options)
    digest = hashlib.sha256()
    coins = [0] * table.seats
    actions: list[dict[str, Any]] = []
    settled: list[dict[str, Any]] = []

    def look() -> None:
        """Take in what is new on the table, for any seat and in full."""
        for seat, agent in enumerate(table.possible_agents):
            coins[seat] += table.rewards[agent]
            for array in table.observe(agent).values():
                digest.update(array.tobytes())
        digest.update(table.state().tobytes())
        settled.extend(table.infos[table.possible_agents[0]].get("settled", []))

    table.reset(seed=seed)
    look()
    while not any((*table.terminations.values(), *table.truncations.values())):
        agent = table.agent_selection
        action = choose(table)
        name = game.spoken(table.view(agent), action)
        actions.append({"agent": agent, "action": action, "name": name})
        table.step(action)
        look()
    return {
        "game": game.name,
        "version": game.version,
        "seed": seed,
        "options": options,
        "actions": actions,
        "coins": coins,
        "settled": settled,
        "digest": digest.hexdigest(),
    }
