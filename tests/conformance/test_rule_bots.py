"""What holds for the rule bot of every game, in any position."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from qipai.agents import Budget, load_agent
from qipai.agents.agent import Agent
from qipai.agents.arena import play_arena
from qipai.agents.rule import rule_bot
from qipai.envs import games, load_game
from qipai.envs.checking import check
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.tables import Tables
from tests.records import values_of

from .variants import variants

SEARCHES = {"freecell", "xiangqi"}
DRAWS_LOTS = {"five_card_stud", "hk_five_card", "xiangqi"}
AGAINST_THE_HOUSE = {"baccarat", "roulette"}  # where nobody does better than to bet nothing
FAIR = {"san_gong"}  # where all that can be saved is rake, and luck brings far more


def spec(name: str) -> str:
    """The bot, with a small budget if it searches."""
    return "rule:20" if name in SEARCHES else "rule"


def asked(game: Game, bot: Agent) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Views, masks and the bot's answers, which tables refuse if they are illegal.

    Under every option set, and also in hands that the bot would not come to by itself.
    """
    n = 10 if game.name in SEARCHES else 50
    for options in variants(game.name):
        for every in (1, 3):  # how often the bot's choice is played, and not a random one
            tables = Tables(game, n, seed=1, **options)
            for step in range(60):
                views, masks = tables.views(), tables.action_mask
                actions = bot.act(views, masks)
                yield views, masks, actions
                tables.step(tables.sample() if step % every else actions)


def test_choices_are_legal_and_repeat(game: Game) -> None:
    """With equal seeds, or with any and view by view where no lots are drawn; views stay."""
    lots = game.name in DRAWS_LOTS
    bot, again = (load_agent(spec(game.name), game, seed) for seed in (9, 9 if lots else 8))
    for views, masks, actions in asked(game, bot):
        before = views.tobytes()
        assert masks[np.arange(len(actions)), actions].all()
        assert (again.act(views, masks) == actions).all()
        assert views.tobytes() == before
        if not lots:
            assert again.act(views[3:4], masks[3:4])[0] == actions[3]


def test_positions_the_bots_come_to_are_sound(game: Game) -> None:
    """What random play hardly meets, like ready hands: views check out and can be dealt anew."""
    bot, loops = load_agent(spec(game.name), game, 3), engine(game)
    for options in variants(game.name):
        tables = Tables(game, 4, seed=2, **options)
        for step in range(60):
            tables.step(bot.act(tables.views(), tables.action_mask))
            if step % 5:
                continue
            state, where = tables.state[step // 5 % 4].copy(), np.zeros(1, np.int64)
            check(game, state)
            seats = np.array([step // 5 % tables.seats])
            view, again = (addressable(np.zeros(1, game.state)) for _ in range(2))
            loops.view_tables(addressable(np.array([state])), where, seats, view)
            check(game, view[0], int(seats[0]))
            redealt = addressable(view.copy())
            loops.redeal_views(redealt, seats, np.uint64(step))
            check(game, redealt[0])
            loops.view_tables(redealt, where, seats, again)
            assert values_of(again) == values_of(view)


@pytest.mark.parametrize("name", [name for name in games() if name not in SEARCHES])
def test_a_bot_that_does_not_search_takes_no_budget(name: str) -> None:
    with pytest.raises(ValueError, match="takes no budget"):
        load_agent("rule:2000", load_game(name))
    with pytest.raises(ValueError, match="takes no budget"):
        rule_bot(load_game(name), budget=Budget(count=1))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in games()
        if load_game(name).max_seats > 1 and name not in AGAINST_THE_HOUSE | FAIR
    ],
)
def test_it_beats_random_play(name: str) -> None:
    hands = 20 if name in SEARCHES else 1200
    result = play_arena(load_game(name), [spec(name), "random"], hands, seed=1)
    coins = result.agents[0].coins
    assert coins.mean > 2 * (coins.margin or 0)  # None: it won every hand alike
