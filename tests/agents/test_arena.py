"""The arena: seatings, fair replays of equal deals, statistics, forfeits."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import math
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from qipai.agents.arena import (
    ArenaResult,
    contestants,
    estimates,
    play_arena,
    playing,
    print_result,
    standings,
)
from qipai.agents.arena.playing import Outcome
from qipai.agents.arena.seatings import (
    all_seatings,
    choose_seatings,
    count_seatings,
    some_seatings,
)
from qipai.agents.random import RandomAgent
from qipai.agents.seeds import derive
from qipai.envs import OptionError, load_game
from qipai.envs.game import Game
from qipai.envs.match import ENDED, PLAYING
from qipai.envs.tables import Tables

GAME = load_game("doudizhu")
BIG_JOKER = 14


class Last:
    """Plays the last legal action; in doudizhu it bids 3."""

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        answer: np.ndarray = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return answer


class Faulty(Last):
    """Fails on views in which its seat holds the big joker, otherwise plays like ``Last``."""

    def __init__(self, fault: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        self.fault = fault

    def act(self, views: np.ndarray, masks: np.ndarray) -> Any:
        holds = views["cards"][np.arange(len(views)), views["turn"], BIG_JOKER] > 0
        actions = super().act(views, masks)
        return self.fault(actions, holds) if holds.any() else actions


def fail(actions: np.ndarray, holds: np.ndarray) -> np.ndarray:
    raise RuntimeError("a joker")


def give_up(actions: np.ndarray, holds: np.ndarray) -> np.ndarray:
    raise SystemExit("enough")


FAULTS = {
    "RuntimeError: a joker": fail,
    "SystemExit: enough": give_up,
    "illegal action 9999": lambda actions, holds: np.where(holds, 9999, actions),
    "illegal action -1": lambda actions, holds: np.where(holds, -1, actions),
    "answer of shape (1,) and dtype float64": lambda actions, holds: actions * 1.0,
    "answer of shape (0,) and dtype int64": lambda actions, holds: actions[~holds],
    "answer of shape () and dtype object": lambda actions, holds: None,
}


class Stuck:
    """Never answers, until it is freed."""

    def __init__(self) -> None:
        self.freed = threading.Event()
        self.calls = 0

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.calls += 1
        self.freed.wait()
        raise RuntimeError("freed")


def timeless(result: ArenaResult) -> dict[str, Any]:
    """All of a result but what a clock has measured."""
    fields = dataclasses.asdict(result)
    del fields["seconds"]
    for agent in fields["agents"]:
        del agent["decisions_per_second"]
    return fields


# --- Seatings ----------------------------------------------------------------------------------


def test_two_agents_share_three_seats_in_six_ways() -> None:
    seatings = all_seatings(2, 3).tolist()
    assert sorted(seatings) == [
        [0, 0, 1],
        [0, 1, 0],
        [0, 1, 1],
        [1, 0, 0],
        [1, 0, 1],
        [1, 1, 0],
    ]


def test_more_agents_than_seats_sit_in_every_ordered_selection() -> None:
    seatings = all_seatings(4, 2).tolist()
    assert sorted(seatings) == [list(p) for p in itertools.permutations(range(4), 2)]


@pytest.mark.parametrize("agents", range(1, 6))
@pytest.mark.parametrize("seats", range(1, 5))
def test_seatings_are_counted_as_they_are_listed(agents: int, seats: int) -> None:
    seatings = all_seatings(agents, seats)
    assert count_seatings(agents, seats) == len(seatings)
    assert_balanced(seatings, agents)


@pytest.mark.parametrize(("agents", "seats"), [(2, 8), (3, 5), (5, 6), (8, 8), (7, 4), (150, 2)])
def test_of_many_seatings_a_balanced_part_is_played(agents: int, seats: int) -> None:
    seatings = choose_seatings(agents, seats, np.random.default_rng(1))
    assert len(seatings) == max(agents, 120 // agents * agents)
    assert len(np.unique(seatings, axis=0)) == len(seatings) < count_seatings(agents, seats)
    assert_balanced(seatings, agents)
    for seating in seatings:
        assert len(set(seating)) == min(agents, seats)


def assert_balanced(seatings: np.ndarray, agents: int) -> None:
    """Every agent is equally often in every seat."""
    for seat in seatings.T:
        counts = np.bincount(seat, minlength=agents)
        assert (counts == counts[0]).all()


def test_the_part_depends_on_the_seed_alone() -> None:
    def drawn(seed: int) -> np.ndarray:
        return some_seatings(6, 6, 120, np.random.default_rng(seed))

    assert (drawn(1) == drawn(1)).all()
    assert (drawn(1) != drawn(2)).any()


# --- Statistics on arrays made by hand ---------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "quantile", "error"),
    [  # published tables of Student's t, two-sided 95 %
        (1, 12.7062, 1e-4),
        (2, 4.3027, 1e-4),
        (3, 3.1824, 4e-3),
        (4, 2.7764, 1e-3),
        (5, 2.5706, 4e-4),
        (10, 2.2281, 1e-4),
        (30, 2.0423, 1e-4),
        (120, 1.9799, 1e-4),
        (10**6, 1.9600, 1e-4),
    ],
)
def test_quantiles_of_student(freedom: int, quantile: float, error: float) -> None:
    assert abs(estimates.student_quantile(freedom) - quantile) <= error


def test_an_estimate_is_the_mean_of_the_deals_with_students_interval() -> None:
    found = estimates.estimate(np.array([2, 4, 6, 8, 10]), np.full(5, 2))
    assert found.mean == 3
    # Per hand 1 … 5: standard deviation √2.5, t(4) = 2.7764.
    assert found.margin == pytest.approx(2.7764 * math.sqrt(2.5 / 5), rel=1e-3)


def test_with_hands_unequal_an_estimate_is_coins_by_hands() -> None:
    found = estimates.estimate(np.array([3, 1]), np.array([1, 3]))
    assert found.mean == 1
    # Residuals 2 and −2: variance 8, mean of the hands 2, t(1) = 12.7062.
    assert found.margin == pytest.approx(12.7062 * math.sqrt(8 / 2) / 2, rel=1e-4)


def test_one_deal_has_no_interval() -> None:
    assert estimates.estimate(np.array([6]), np.array([4])) == estimates.Estimate(1.5, None)


def outcome(seatings: list[list[int]], coins: list[Any]) -> Outcome:
    """Deals of one hand each: ``coins[deal][seating][seat]``."""
    shape = np.shape(coins)[:2]
    games = np.arange(len(coins))
    none, one = np.zeros(shape, int), np.ones(shape, int)
    return Outcome(np.array(seatings), np.array(coins), none, one, games)


def test_coins_of_agents_pairs_and_seats() -> None:
    played = outcome(
        [[0, 0, 1], [1, 0, 1]],
        [[[3, -1, -2], [6, -3, -3]], [[1, 1, -2], [0, 2, -2]]],
    )
    coins, hands = standings.sums(0, played)
    assert coins.tolist() == [2 - 3, 2 + 2]
    assert hands.tolist() == [3, 3]
    # Agent 0 less agent 1, seats averaged: 1 + 2 and −3 − 1.5, then 1 + 2 and 2 + 1.
    assert standings.compare(0, 1, played).mean == (3 - 4.5 + 3 + 3) / 4
    assert standings.compare(1, 0, played).mean == -standings.compare(0, 1, played).mean
    assert [standings.estimate_seat(seat, played).mean for seat in range(3)] == [2.5, -0.25, -2.25]


def test_a_pair_is_compared_only_where_both_sit() -> None:
    played = outcome([[0, 1], [1, 2]], [[[5, -5], [100, -100]], [[3, -3], [100, -100]]])
    assert standings.compare(0, 1, played).mean == 8
    assert standings.compare(1, 2, played).mean == 200


def test_agents_that_never_meet_are_compared_deal_by_deal() -> None:
    played = outcome([[0], [1]], [[[9], [7]], [[-4], [-6]], [[30], [28]]])
    assert standings.compare(0, 1, played) == estimates.Estimate(2.0, None)  # each time the same


# --- Matches -----------------------------------------------------------------------------------


def test_equal_agents_break_even_exactly() -> None:
    result = play_arena(GAME, [Last(), Last()], 60, seed=1)
    assert [agent.label for agent in result.agents] == ["Last", "Last#2"]
    for agent in result.agents:
        assert agent.coins == estimates.Estimate(0.0, None)
    assert result.pairs[0].difference == estimates.Estimate(0.0, None)
    assert any(seat.mean for seat in result.seats)


def test_equal_agents_break_even_over_matches_of_several_hands() -> None:
    result = play_arena(GAME, [Last(), Last(), Last()], 60, seed=2, options={"hands": 4})
    assert [agent.coins.mean for agent in result.agents] == [0, 0, 0]


def test_one_deal_gives_all_seatings_the_same_hands_also_later_in_a_match() -> None:
    dealt: set[tuple[int, bytes]] = set()

    class Notes(RandomAgent):
        """Plays at random and writes down what each hand's first bidder was dealt."""

        def __init__(self, game: Game, seed: int) -> None:
            super().__init__(seed)

        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            for view in views:
                if (view["calls"] == -2).all() and view["thrown"] == 0:
                    dealt.add((int(view["hand"]), view["cards"][view["turn"]].tobytes()))
            return super().act(views, masks)

    play_arena(GAME, [Notes, Notes], 6 * 3, seed=3, options={"hands": 3, "stack": 10**6})
    assert sorted(hand for hand, _ in dealt) == [0, 1, 2]


def test_equal_seeds_give_equal_results_whatever_the_threads() -> None:
    agents = ["random", "random", "random"]
    first = play_arena(GAME, agents, 30, seed=5)
    again = play_arena(GAME, agents, 30, seed=5, threads=2)
    other = play_arena(GAME, agents, 30, seed=6)
    assert timeless(first) == timeless(again)
    assert first.agents != other.agents
    assert [agent.label for agent in first.agents] == ["random", "random#2", "random#3"]


def test_without_a_seed_the_result_names_the_one_drawn() -> None:
    first = play_arena(GAME, ["random"], 3)
    assert timeless(play_arena(GAME, ["random"], 3, seed=first.seed)) == timeless(first)


def test_batches_do_not_change_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_arena(GAME, [Last(), Last()], 60, seed=1)
    monkeypatch.setattr(playing, "BATCH", 13)
    assert timeless(play_arena(GAME, [Last(), Last()], 60, seed=1)) == timeless(whole)


@pytest.mark.parametrize(
    ("agents", "hands", "options", "deals", "played"),
    [
        (2, 1, {}, 1, 6),
        (2, 13, {}, 3, 18),
        (1, 5, {"hands": 2, "stack": 10**6}, 3, 6),
        (4, 30, {}, 2, 48),
    ],
)
def test_hands_are_rounded_up_to_whole_deals(
    agents: int, hands: int, options: dict[str, Any], deals: int, played: int
) -> None:
    result = play_arena(GAME, ["random"] * agents, hands, seed=1, options=options)
    assert (result.deals, result.hands) == (deals, played)
    assert result.seatings == result.possible_seatings


def test_a_match_that_ends_early_counts_the_hands_it_had() -> None:
    options = {"hands": 6, "stack": 20}
    result = play_arena(GAME, [Last()], 6 * 20, seed=1, options=options)
    coins, hands = replay(20, options)
    assert (hands < 6).any() and (hands > 1).any()
    assert result.hands == hands.sum()
    for seat, mean in enumerate(result.seats):
        assert mean.mean == pytest.approx(coins[:, seat].sum() / hands.sum())
    assert [result.house, result.balance] == [0, 0]


def replay(n: int, options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Coins and hands of one match of ``Last`` on each table, step by step."""
    tables = Tables(GAME, n, derive(1, "deals"), **options)
    coins, hands = np.zeros((n, 3), np.int64), np.zeros(n, np.int64)
    for table in range(n):
        while True:
            before = int(tables.state["hand"][table])
            action = np.flatnonzero(tables.action_mask[table])[-1:]
            tables.step(action, [table])
            coins[table] += tables.reward[table]
            if tables.over[table] != PLAYING:
                hands[table] = before + 1
                break
    return coins, hands


class OpenedTables:
    """Two tables of one seat whose matches take one decision for 5 coins each.

    Every match begins with a hand that ends at the deal and pays 2; ``reward`` has it, as in
    ``Tables``: at the start, and with the last step of the match before.
    """

    n, seats = 2, 1
    rules = {"stack": (100,)}  # noqa: RUF012

    def __init__(self) -> None:
        self.game = GAME
        self.turn = np.zeros(2, np.int8)
        self.over = np.zeros(2, np.int8)
        self.action_mask = np.ones((2, GAME.actions.width), np.int8)
        self.reward = np.full((2, 1), 2)
        self.house = np.full(2, -2)
        self.state = np.zeros(2, GAME.state)
        self._open(np.arange(2))

    def _open(self, where: np.ndarray) -> None:
        self.state["rng"]["count"][where] += np.uint64(2 << 32)
        self.state["hand"][where] = 1
        self.state["stack"][where, 0] = 102

    def views(self, where: np.ndarray) -> np.ndarray:
        return self.state[where]

    def step(self, actions: np.ndarray, where: np.ndarray) -> None:
        self.reward[where] = 5 + 2
        self.house[where] = -5 - 2
        self.over[where] = ENDED
        self._open(where)


def test_hands_that_end_at_the_deal_count_for_their_own_match() -> None:
    contestant = contestants.Contestant("Last", lambda number: Last(), 10.0)
    coins, house, hands, _ = playing.play_matches(
        OpenedTables(),  # type: ignore[arg-type]
        [contestant.sit_down()],
        lambda finished: None,
    )
    contestant.close()
    assert coins.tolist() == [[7], [7]]
    assert house.tolist() == [-7, -7]
    assert hands.tolist() == [2, 2]


def test_options_and_presets_reach_the_tables() -> None:
    plain = play_arena(GAME, [Last(), Last()], 12, seed=1)
    tenfold = play_arena(
        GAME, [Last(), Last()], 12, seed=1, preset="openspiel", options={"stake": 10}
    )
    assert tenfold.preset == "openspiel"
    assert (tenfold.options["stake"], tenfold.options["redeals"]) == (10, 0)
    assert plain.options["stake"] == 1
    assert plain.seats != tenfold.seats


def test_progress_counts_matches_up_to_all() -> None:
    calls: list[tuple[int, int]] = []
    play_arena(GAME, ["random"] * 2, 12, seed=1, progress=lambda *done: calls.append(done))
    assert calls == sorted(calls)
    assert calls[-1] == (12, 12)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="no agents"):
        play_arena(GAME, [])
    with pytest.raises(ValueError, match="agents='rule': a list of agents"):
        play_arena(GAME, "rule")
    with pytest.raises(ValueError, match="there is no agent 'randon'"):
        play_arena(GAME, ["randon"])
    with pytest.raises(OptionError, match="unknown option 'steak'"):
        play_arena(GAME, ["random"], options={"steak": 1})


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        *(("hands", value, "a whole number in 1…") for value in (0, "3", 1.5, True, None, 10**12)),
        *(("threads", value, "at least one thread") for value in (0, "2", 1.5, True, 99999)),
        *(("time_limit", value, "a positive number") for value in (0, "x", math.nan, True, None)),
        *(("seed", value, "a seed is a non-negative integer") for value in (-1, 1.5, "1", True)),
    ],
)
def test_a_bad_number_is_named_with_what_would_be_right(name: str, value: Any, right: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}={re.escape(repr(value))}: {right}"):
        play_arena(GAME, ["random"], **{name: value})


# --- Memory ------------------------------------------------------------------------------------

STUD = load_game("five_card_stud")
HEADS_UP = {"seats": 2}


class Cheat(RandomAgent):
    """Plays at random, but remembers hole cards by the open cards dealt with them.

    Where it has seen this deal from the rival's side, it bets all on the better hole card.
    """

    def __init__(self, game: Game | None = None, seed: int = 0) -> None:
        super().__init__(seed)
        self.holes: dict[tuple[int, bytes], int] = {}

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        actions = super().act(views, masks)
        for k, view in enumerate(views):
            seat, deal = int(view["turn"]), view["up"][:2, 0].tobytes()
            own = self.holes[seat, deal] = int(view["hole"][seat])
            rival = self.holes.get((1 - seat, deal))
            if rival is not None:
                legal = np.flatnonzero(masks[k])
                actions[k] = legal[-1] if own > rival else legal[0]
        return actions


@pytest.mark.parametrize("agent", [Cheat(), Cheat])
def test_an_agent_that_remembers_deals_gains_nothing(agent: Any) -> None:
    honest = RandomAgent() if isinstance(agent, Cheat) else lambda game, seed: RandomAgent(seed)
    cheated = play_arena(STUD, [agent, "random"], 400, seed=1, options=HEADS_UP)
    plain = play_arena(STUD, [honest, "random"], 400, seed=1, options=HEADS_UP)
    assert cheated.agents[0].coins == plain.agents[0].coins
    assert cheated.seats == plain.seats


def test_memory_would_be_worth_coins_if_seatings_shared_it() -> None:
    shared = Cheat()
    result = play_arena(STUD, [lambda game, seed: shared, "random"], 2000, seed=1, options=HEADS_UP)
    coins = result.agents[0].coins
    assert coins.margin is not None and coins.mean > coins.margin


def test_two_seats_of_one_table_share_no_memory() -> None:
    cheated = play_arena(STUD, [Cheat()], 200, seed=1, options=HEADS_UP)
    plain = play_arena(STUD, [RandomAgent()], 200, seed=1, options=HEADS_UP)
    assert cheated.seats == plain.seats


def test_every_seat_of_every_seating_gets_an_agent_with_a_seed_of_its_own() -> None:
    seeds: list[int] = []

    def make(game: Game, seed: int) -> RandomAgent:
        seeds.append(seed)
        return RandomAgent(seed)

    result = play_arena(GAME, [make, "random"], 60, seed=1)
    assert len(set(seeds)) == len(seeds) == 9  # six seatings, half of their 18 seats
    assert [agent.label for agent in result.agents] == ["make", "random"]


def test_the_agent_handed_in_is_left_as_it_was() -> None:
    agent, twin = Cheat(), Cheat()
    first = play_arena(STUD, [agent, "random"], 40, seed=1, options=HEADS_UP)
    assert not agent.holes
    assert timeless(play_arena(STUD, [agent, "random"], 40, seed=1, options=HEADS_UP)) == timeless(
        first
    )
    assert timeless(play_arena(STUD, [twin, "random"], 40, seed=1, options=HEADS_UP)) == timeless(
        first
    )


def test_an_agent_that_keeps_its_game_is_copied_without_it() -> None:
    class Knows(Last):
        def __init__(self, game: Game) -> None:
            self.game = game

        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            assert self.game is GAME
            return super().act(views, masks)

    assert play_arena(GAME, [Knows(GAME), Last()], 6, seed=1).agents[0].forfeits == 0


def test_an_agent_that_cannot_be_copied_is_refused_with_the_way_out() -> None:
    with pytest.raises(ValueError, match=r"Stuck can't be copied .* give a class or function"):
        play_arena(GAME, [Stuck(), "random"], 6, seed=1)


# --- Different games ---------------------------------------------------------------------------


def test_a_game_played_over_and_over_is_one_observation() -> None:
    xiangqi = load_game("xiangqi")
    result = play_arena(
        xiangqi, [Last(), Last()], 40, seed=1, options={"red": "seat0", "max_plies": 40}
    )
    assert (result.deals, result.different) == (20, 1)
    shown = [*(one.coins for one in result.agents), result.pairs[0].difference, *result.seats]
    assert [value.margin for value in shown] == [None] * 5
    text = printed(result)
    assert "only 1 of the deals differ" in text and "± –" in text


def test_one_freecell_deal_is_one_observation() -> None:
    freecell = load_game("freecell")
    result = play_arena(freecell, ["random"], 5, seed=1, options={"deal": 1, "max_moves": 30})
    other = play_arena(freecell, [Last()], 5, seed=1, options={"deal": 1, "max_moves": 30})
    assert (result.different, other.different) == (5, 1)  # random play is not the same play


def test_every_deal_of_cards_is_a_different_one(game: Game) -> None:
    result = play_arena(game, [Last()], 30, seed=1)
    if game.name == "roulette":  # no cards, but 37 numbers
        assert 10 < result.different < 30
    else:
        assert result.different == (2 if game.name == "xiangqi" else 30)  # who has red


def test_games_seen_again_do_not_narrow_an_interval() -> None:
    played = outcome([[0]], [[[1]], [[3]], [[1]], [[3]]])
    again = dataclasses.replace(played, games=np.array([0, 1, 0, 1]))
    assert again.estimate(*standings.sums(0, again)) == estimates.estimate(
        np.array([1, 3]), np.array([1, 1])
    )


def test_games_seen_again_keep_their_weight_in_the_mean() -> None:
    played = outcome([[0]], [[[1]], [[1]], [[1]], [[3]]])
    again = dataclasses.replace(played, games=np.array([0, 0, 0, 1]))
    found = again.estimate(*standings.sums(0, again))
    assert found.mean == 1.5
    # Residuals −1.5 and 1.5 of sums over 3 and 1 hands: variance 2 · 4.5, t(1) = 12.7062.
    assert found.margin == pytest.approx(12.7062 * 3 / 4, rel=1e-4)


def test_games_that_all_come_out_alike_have_no_interval() -> None:
    assert estimates.estimate(np.full(20, 1 / 3), np.ones(20)) == estimates.Estimate(
        pytest.approx(1 / 3), None
    )
    assert estimates.rarely(100) == pytest.approx(3 / 100, rel=0.02)
    assert (1 - estimates.rarely(20)) ** 20 == pytest.approx(0.05)
    freecell = load_game("freecell")
    text = printed(play_arena(freecell, [Last()], 20, seed=1, options={"max_moves": 20}))
    assert "20 different deals came out alike" in text and "fewer than 0.14 of all" in text


# --- Forfeits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", FAULTS)
def test_a_fault_costs_the_hand_where_it_happens_and_no_other(reason: str) -> None:
    result = play_arena(GAME, [Faulty(FAULTS[reason]), Last()], 60, seed=1)
    model = play_arena(GAME, [Faulty(FAULTS["illegal action 9999"]), Last()], 60, seed=1)
    faulty, sound = result.agents
    assert 0 < faulty.forfeits < result.hands
    assert sound.forfeits == 0
    assert faulty.reasons[0].startswith(reason)
    assert faulty.forfeits == model.agents[0].forfeits
    assert faulty.coins == model.agents[0].coins
    assert result.hands == 60
    assert result.balance == 0


def test_leaving_costs_coins_by_the_rules_of_the_game() -> None:
    class Absent(Last):
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            raise RuntimeError("not here")

    result = play_arena(GAME, [Absent()], 10, seed=1)
    assert result.agents[0].forfeits == 10
    assert result.agents[0].decisions == 0
    assert result.agents[0].decisions_per_second is None
    assert min(seat.mean for seat in result.seats) < 0


def test_the_first_few_reasons_that_differ_are_kept() -> None:
    class Counting(Last):
        calls = 0

        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            if len(views) == 1:
                self.calls += 1
            raise RuntimeError(f"fault {self.calls // 2}")

    agent = play_arena(GAME, [Counting()], 30, seed=1).agents[0]
    assert agent.forfeits == 30
    assert agent.reasons == tuple(f"RuntimeError: fault {i}" for i in range(5))


def test_an_agent_that_changes_what_it_is_given_changes_nothing() -> None:
    class Scribbler(Last):
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            actions = super().act(views, masks)
            views["stack"] = 0
            masks[:] = 1
            return actions

    scribbled = play_arena(GAME, [Scribbler(), Last()], 12, seed=1)
    plain = play_arena(GAME, [Last(), Last()], 12, seed=1)
    assert scribbled.seats == plain.seats


def test_an_agent_that_hangs_forfeits_and_is_given_up_after_three() -> None:
    stuck = Stuck()
    result = play_arena(GAME, [lambda game, seed: stuck, Last()], 60, seed=1, time_limit=0.05)
    stuck.freed.set()
    agent = result.agents[0]
    assert stuck.calls == 1  # never in two calls at once
    assert contestants.MAX_HANGS == 3
    assert agent.reasons == ("no answer in time", "not asked any more after 3 hangs")
    assert agent.decisions == 0 < agent.forfeits
    assert result.hands == 60
    assert result.balance == 0


def test_an_agent_that_hung_is_asked_again_once_it_is_out_of_its_call() -> None:
    caller, freed = contestants.Caller(), threading.Event()
    for call in (freed.wait, lambda: 1):
        with pytest.raises(TimeoutError):
            caller.call(call, 0.05)
    freed.set()
    assert caller.call(lambda: 2, 10) == 2
    caller.close()


def test_a_hanging_agent_does_not_keep_the_process_alive() -> None:
    program = """
import threading
from qipai.agents.arena import play_arena
from qipai.envs import load_game

class Stuck:
    def act(self, views, masks):
        threading.Event().wait()

result = play_arena(load_game("doudizhu"), [Stuck()], 2, seed=1, time_limit=0.01)
print(result.agents[0].forfeits)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr


# --- What is shown -----------------------------------------------------------------------------


def test_json_has_every_field() -> None:
    result = play_arena(GAME, [Faulty(fail), "random"], 12, seed=4, options={"stack": (9, 99, 999)})
    read = json.loads(result.to_json())
    assert set(read) == {field.name for field in dataclasses.fields(ArenaResult)}
    assert read["options"]["stack"] == [9, 99, 999]
    assert (read["game"], read["version"], read["seed"]) == ("doudizhu", GAME.version, 4)
    assert read["agents"][0]["label"] == "Faulty"
    assert read["agents"][0]["reasons"] == ["RuntimeError: a joker"]
    assert read["agents"][1]["coins"] == dataclasses.asdict(result.agents[1].coins)
    assert read["pairs"][0]["first"] == "Faulty" and read["pairs"][0]["second"] == "random"
    assert json.loads(json.dumps(read)) == read


def test_one_deal_has_null_for_its_intervals_in_json() -> None:
    read = json.loads(play_arena(GAME, ["random"], 1, seed=1).to_json())
    assert read["agents"][0]["coins"]["margin"] is None


def printed(result: ArenaResult) -> str:
    text = io.StringIO()
    print_result(result, Console(file=text, width=120))
    return text.getvalue()


def test_what_is_printed_names_agents_forfeits_and_seed() -> None:
    text = printed(play_arena(GAME, [Faulty(fail), "random", "random"], 12, seed=4))
    for part in ("random#2", "Faulty − random", "±", "seed 4", "Faulty forfeited", "a joker"):
        assert part in text


def test_a_part_of_the_seatings_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.agents.arena.seatings.MAX_SEATINGS", 8)
    result = play_arena(GAME, ["random"] * 4, 12, seed=4)
    assert (result.seatings, result.possible_seatings) == (8, 24)
    assert "random part of 24 seatings" in printed(result)
    assert {agent.hands for agent in result.agents} == {result.hands * 3 // 4}
