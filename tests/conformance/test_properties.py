"""What holds for any options and any way of playing, searched by hypothesis."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qipai.envs import games, load_game, make
from qipai.envs.aec import TableEnv
from qipai.envs.options import Option, OptionError

LEAVE = -1
LARGEST = {"hands": 5, "stack": 500}  # small enough to reach ends and shortages


def value_of(option: Option) -> st.SearchStrategy[Any]:
    """Any value an option allows, of large numbers only the small ones."""
    if option.flag:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    number = st.integers(option.low, min(option.high, LARGEST.get(option.name, 20)))
    if option.length and not option.per_seat:  # rising or falling, like its default
        size, falls = option.length, option.default[0] > option.default[-1]
        rows = st.lists(number, min_size=size, max_size=size, unique=True)
        return rows.map(lambda row: sorted(row, reverse=falls))
    return number


@st.composite
def matches(draw: st.DrawFn) -> tuple[str, dict[str, Any], int, list[int]]:
    """A game, options, a seed, and what is done: choices among legal actions, or LEAVE."""
    name = draw(st.sampled_from(games()))
    options: dict[str, Any] = {
        option.name: draw(value_of(option)) for option in load_game(name).rules.options
    }
    if draw(st.booleans()):
        low = load_game(name).rules["stack"].low
        options["stack"] = [draw(st.integers(low, 2000)) for _ in range(options["seats"])]
    actions = st.integers(0, 400) | st.integers(0, 400) | st.just(LEAVE)
    return name, options, draw(st.integers(0, 2**32)), draw(st.lists(actions, max_size=120))


def do(env: TableEnv, choice: int) -> None:
    """The choice-th legal action, or a seat leaves."""
    if choice == LEAVE:
        present = [a for s, a in enumerate(env.possible_agents) if not env._table["away"][0, s]]
        env.leave(present[len(present) // 2])
        return
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    env.step(int(legal[choice % len(legal)]))


def finished(env: TableEnv) -> bool:
    return all(env.terminations.values()) or all(env.truncations.values())


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(matches())
def test_any_match(match: tuple[str, dict[str, Any], int, list[int]]) -> None:
    """Coins and cards conserve, nobody goes below zero, and a saved match goes on alike."""
    name, options, seed, choices = match
    game = load_game(name)
    try:
        env = make(name, **options)
    except OptionError:
        return  # options that do not go together
    env.reset(seed=seed)
    start = int(env._table["stack"][0].sum())
    census = game.census(env._table[0])
    house = 0
    for choice in choices:
        if finished(env):
            break
        twin = make(name, **options)
        twin.load(env.save())
        do(env, choice)
        do(twin, choice)
        assert twin.save() == env.save()
        house -= sum(env.rewards.values())
        stacks = env._table["stack"][0]
        assert (stacks >= 0).all()
        assert int(stacks.sum()) + house == start
        assert game.census(env._table[0]) == census
        if not finished(env):
            mask = env.observe(env.agent_selection)["action_mask"]
            assert mask.any() and mask[env.default_action()]
