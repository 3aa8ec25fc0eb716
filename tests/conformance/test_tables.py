"""What must hold on every table of every game, whatever is played."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, encode, games, load_game, make_tables
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import PLAYING, engine
from qipai.envs.tables import IllegalAction, Tables
from qipai.envs.wire import dumps, loads
from tests.forked import in_a_child, needs_fork
from tests.records import values_of

from .variants import FEW_DEALS, rare_tables, variants

STEPS = 400
N = 64


def test_random_play_keeps_its_promises(game: Game) -> None:
    """Somebody can act, coins and cards conserve, and matches end within MAX_PLIES."""
    for options in variants(game.name):
        tables = Tables(game, N, seed=5, **options)
        census = game.census(tables.state[0])
        wealth = tables.state["stack"].sum(axis=1)
        house = np.zeros(N, np.int64)
        plies = np.zeros(N, np.int64)
        longest = game.max_plies(tables.rules)
        for _ in range(STEPS):
            assert (tables.action_mask.sum(axis=1) > 0).all()
            tables.step(tables.sample())
            plies += 1
            assert (tables.reward.sum(axis=1) + tables.house == 0).all()
            assert (plies <= longest).all()
            ended = tables.over > 0
            house += tables.house
            plies[ended] = house[ended] = 0
            playing = tables.state["stack"].sum(axis=1)
            assert (playing + house == wealth).all()
            assert (tables.state["stack"] >= 0).all()
            assert game.census(tables.state[0]) == census


def test_the_house_action_is_legal(game: Game) -> None:
    tables = Tables(game, N, seed=6)
    actions = np.zeros(N, np.int64)
    for _ in range(STEPS // 4):
        engine(game).default_tables(tables.state, np.arange(N), actions)
        assert tables.action_mask[np.arange(N), actions].all()
        tables.step(tables.sample())


def test_house_play_ends(game: Game) -> None:
    tables = Tables(game, N, seed=7)
    ended = np.zeros(N, bool)
    actions = np.zeros(N, np.int64)
    for _ in range(game.max_plies(tables.rules)):
        engine(game).default_tables(tables.state, np.arange(N), actions)
        tables.step(actions)
        ended |= tables.over > 0
    assert ended.all()


def test_hidden_values_change_nothing_a_seat_sees(game: Game) -> None:
    """Redealing what a seat can't see leaves its view, observation and legal actions alone."""
    for options in variants(game.name):
        tables = Tables(game, N, seed=8, **options)
        loops = engine(game)
        for step in range(STEPS // 8):
            for seat in {*range(tables.seats)}:
                seats = np.full(N, seat, np.int64)
                view = addressable(np.zeros(N, game.state))
                loops.view_tables(tables.state, np.arange(N), seats, view)
                other = view.copy()
                loops.redeal_views(addressable(other), seats, np.uint64(step))
                again = addressable(np.zeros(N, game.state))
                loops.view_tables(addressable(other), np.arange(N), seats, again)
                _equal_views(view, again)
                values, visible = encode(game, view, seats)
                values_2, visible_2 = encode(game, again, seats)
                assert (values == values_2).all() and (visible == visible_2).all()
                assert (values[~visible] == 0).all()
                mine = tables.turn == seat
                mask = np.zeros((N, game.actions.width), np.int8)
                loops.mask_tables(addressable(other), np.flatnonzero(mine), mask)
                assert (mask[mine] == tables.action_mask[mine]).all()
                for table in np.flatnonzero(mine)[:4]:
                    assert game.census(other[table]) == game.census(tables.state[table])
            tables.step(tables.sample())


def test_redeal_leaves_nothing_hidden(game: Game) -> None:
    tables = Tables(game, N, seed=9)
    for _ in range(20):
        tables.step(tables.sample())
    views = tables.views()
    seats = tables.turn.astype(np.int64)
    engine(game).redeal_views(views, seats, np.uint64(3))
    plain = {"coins", "house", "stack", "rules", "rng"}
    for field in set(game.state.names or ()) - plain:
        assert not (views[field] == HIDDEN).any(), field


@pytest.mark.parametrize("name", [name for name in games() if load_game(name).restart])
def test_a_hand_can_be_played_again(name: str) -> None:
    """From its first decision a hand comes to the same table by what that table recalls."""
    game, again, chance = load_game(name), 0, np.random.default_rng(12)
    assert game.recall is not None
    for options in variants(name):
        tables = Tables(game, 8, seed=12, **options)
        for step in range(STEPS // 2):
            later = tables.state[step % 8 : step % 8 + 1].copy()
            s = addressable(later.copy())
            if _rewind(game, s, later):
                again += 1
                assert s["log_count"][0] == 0
                while (action := game.recall(s[0], addressable(later)[0])) >= 0:
                    mask = np.zeros(game.actions.width, np.int8)
                    game.legal(s[0], mask)
                    assert mask[action]
                    game.apply(s[0], action)
                for field in set(game.state.names or ()) - {"coins", "house"}:
                    assert (s[field] == later[field]).all(), field
            if step % 25 == 0 and not tables.state["away"][0, tables.turn[0]]:
                tables.leave(0, int(tables.turn[0]))
            tables.step(_mostly_staying(tables, chance))
    assert again > STEPS // 4 * len(variants(name))


def _rewind(game: Game, tables: np.ndarray, later: np.ndarray) -> bool:
    """Bring a copy of the table ``later`` back to the first decision of its hand."""
    assert game.restart is not None
    one = np.zeros(1, np.int64)
    engine(game).begin_tables(tables, one, addressable(game.fields.blank()))
    return bool(game.restart(tables[0], addressable(later)[0]))


def _mostly_staying(tables: Tables, chance: np.random.Generator) -> np.ndarray:
    """Random legal actions with few folds (action 0), so that hands get long."""
    actions = tables.sample()
    for table in np.flatnonzero((actions == 0) & (chance.random(tables.n) < 0.8)):
        actions[table] = np.flatnonzero(tables.action_mask[table])[:2][-1]
    return actions


def test_a_hand_in_which_a_seat_left_can_not_be_played_again() -> None:
    tables = make_tables("sanzhang", 1, seed=13)
    game = tables.game
    assert _rewind(game, tables.state.copy(), tables.state)
    tables.leave(0, int(tables.turn[0]))
    assert not _rewind(game, tables.state.copy(), tables.state)


def test_redeals_differ(game: Game) -> None:
    """A redeal is a fresh draw, unless the game hides nothing."""
    tables = Tables(game, 1, seed=10)
    drawn = set()
    for bits in range(20):
        views = tables.views()
        engine(game).redeal_views(views, tables.turn.astype(np.int64), np.uint64(bits))
        drawn.add(values_of(views, "rng"))
    hidden = tables.observation_mask.all()
    assert len(drawn) > 10 or hidden


def test_the_observation_is_that_of_the_view(game: Game) -> None:
    tables = Tables(game, N, seed=11)
    for _ in range(50):
        values, visible = encode(game, tables.views(), tables.turn.astype(np.int64))
        assert (values == tables.observation).all()
        assert (visible == tables.observation_mask).all()
        tables.step(tables.sample())


def test_equal_seeds_give_equal_games(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table i depends on (seed, i) alone: not on n, on threads, or on the tables beside it."""
    monkeypatch.setattr("qipai.envs.tables.PART", 4)  # both threads get some of the 40
    few = Tables(game, 5, seed=12)
    many = Tables(game, 40, seed=12, threads=2)
    for _ in range(STEPS // 2):
        assert (few.observation == many.observation[:5]).all()
        assert (few.turn == many.turn[:5]).all()
        actions = many.sample()
        assert (few.sample() == actions[:5]).all()
        many.step(actions)
        few.step(actions[:5])
        assert (few.reward == many.reward[:5]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_copies_go_on_alike(game: Game, threads: int) -> None:
    tables = Tables(game, 12, seed=4, threads=threads, hands=3)
    for _ in range(10):
        tables.step(tables.sample())
    twins = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    for _ in range(60):
        actions = tables.sample()
        tables.step(actions)
        for twin in twins:
            assert (twin.sample() == actions).all()
            twin.step(actions)
            assert (twin.observation == tables.observation).all()
            assert (twin.reward == tables.reward).all() and (twin.over == tables.over).all()


@needs_fork
def test_tables_with_threads_go_on_in_a_forked_child() -> None:
    tables = Tables(load_game("doudizhu"), 1000, seed=4, threads=2)
    tables.step(tables.sample())

    def play() -> np.ndarray:
        for _ in range(5):
            tables.step(tables.sample())
        return tables.observation

    assert (in_a_child(play) == play()).all()


@pytest.mark.parametrize("threads", [0, -1, 99_999])
def test_threads_that_can_not_be_had_are_refused(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads={threads}: .* at most 256"):
        Tables(load_game("doudizhu"), 2, threads=threads)


def test_where_steps_only_the_tables_named(game: Game) -> None:
    whole, parts = Tables(game, 6, seed=13), Tables(game, 6, seed=13)
    for _ in range(60):
        actions = whole.sample()
        whole.step(actions)
        parts.step(actions[[4, 1]], where=[4, 1])
        untouched = parts.state[[0, 2, 3, 5]].copy()
        parts.step(actions[[0, 2, 3, 5]], where=[0, 2, 3, 5])
        assert (parts.state[[0, 2, 3, 5]] != untouched).any()
        assert (parts.observation == whole.observation).all()
        assert (parts.reward == whole.reward).all()


def test_streams_share_their_deals(game: Game) -> None:
    """Tables with equal stream numbers get equal deals, hand by hand, however they are played."""
    tables = Tables(game, 6, seed=14, streams=[3, 3, 3, 4, 4, 4], hands=3)
    assert (tables.observation[:3] == tables.observation[0]).all()
    assert (tables.observation[3:] == tables.observation[3]).all()
    decks = [values_of(tables.state[[i]], "rng") for i in (0, 3)]
    assert decks[0] != decks[1] or game.name in FEW_DEALS


def test_no_two_deals_are_equal(game: Game) -> None:
    tables = Tables(game, 200, seed=15, hands=4)
    seen = set()
    hands = 0
    number = np.full(200, -1)
    few = FEW_DEALS.get(game.name)
    for _ in range(STEPS):
        dealt = tables.state[(tables.state["hand"] != number) | (tables.over > 0)]
        hands += len(dealt)
        if few:  # what is kept from hand to hand makes them more
            dealt = dealt[dealt["hand"] == 0]
        for field in ("stack", "hand", "coins", "house", "rules", "away"):
            dealt[field] = 0
        if len(dealt):
            values = np.frombuffer(values_of(dealt, "rng"), np.uint8).reshape(len(dealt), -1)
            seen.update(row.tobytes() for row in values)
        number = tables.state["hand"].copy()
        tables.step(tables.sample())
    assert hands > 400
    assert len(seen) == (few or hands)


def test_illegal_batches_change_nothing(game: Game) -> None:
    tables = Tables(game, 8, seed=16)
    before = tables.state.copy()
    for bad in (game.actions.width, -1, *np.flatnonzero(tables.action_mask[5] == 0)[:1]):
        actions = tables.sample()
        actions[5] = bad
        with pytest.raises(IllegalAction, match=r"on table 5; legal: "):
            tables.step(actions)
    for where in ([8], [0, 0], [-1], [[0]]):
        with pytest.raises(ValueError, match=r"where(\[0\])?="):
            tables.step(np.zeros(len(where), int), where=where)
    with pytest.raises(ValueError, match="expected integers"):
        tables.step(np.zeros(8))
    with pytest.raises(ValueError, match="expected integers"):
        tables.step(np.zeros(3, int))
    assert (tables.state == before).all()


def test_a_step_of_no_tables_does_nothing(game: Game) -> None:
    tables = Tables(game, 3, seed=16)
    before = tables.state.copy()
    nothing: list[Any] = [[], (), np.zeros(0), np.zeros(0, int)]
    for none in nothing:
        tables.step(none, none)
        assert tables.sample(none).shape == tables.views(none).shape == (0,)
        with pytest.raises(ValueError, match=r"expected integers of shape \(3,\)"):
            tables.step(none)
    assert (tables.state == before).all()


@pytest.mark.parametrize(
    "odd", [True, np.True_, 1.0, "1", None, [1], float("nan"), np.datetime64(1, "ns")], ids=repr
)
def test_what_is_no_number_is_refused_by_its_place(odd: Any) -> None:
    tables = make_tables("five_card_stud", 3, seed=16)
    before = tables.state.copy()
    rows = [[1, odd, 1], (1, odd, 1), [odd] * 3, odd]
    if not isinstance(odd, list):
        rows += [np.array([odd] * 3), np.array([1, odd, 1], object)]
    for row in rows:
        with pytest.raises(ValueError, match="actions.*expected integers"):
            tables.step(row)
        if row is None or (isinstance(row, list) and row == [1]):  # all tables, or the second one
            continue
        with pytest.raises(ValueError, match="where.*table numbers"):
            tables.step(tables.sample(), row)
        with pytest.raises(ValueError, match="where.*table numbers"):
            tables.views(row)
        with pytest.raises(ValueError, match="streams.*expected 3 integers"):
            make_tables("five_card_stud", 3, streams=row)
    with pytest.raises(ValueError, match="seats are 0…3"):
        tables.leave(0, odd)
    with pytest.raises(ValueError, match="table numbers are|table numbers, those are"):
        tables.leave(odd, 0)
    assert (tables.state == before).all()


@pytest.mark.parametrize("large", [2**63, 2**64, -(2**63) - 1, 10**30])
def test_a_number_beyond_64_bits_is_named_as_it_is(large: int) -> None:
    tables = make_tables("five_card_stud", 3, seed=16)
    rows: list[Any] = [[0, large, 0], np.array([0, large, 0], object)]
    if large == 2**63:
        rows.append(np.array([0, large, 0], np.uint64))
    for row in rows:
        with pytest.raises(IllegalAction, match=rf"action {large} .* on table 1; legal: "):
            tables.step(row)
        with pytest.raises(ValueError, match=rf"where\[1\]={large}: .* 0…2"):
            tables.sample(row)
        with pytest.raises(ValueError, match=rf"streams\[1\]={large}: "):
            make_tables("five_card_stud", 3, streams=row)


def test_sizes_have_limits() -> None:
    with pytest.raises(ValueError, match=r"n=1048577: .* at most 1,048,576"):
        make_tables("five_card_stud", 2**20 + 1)
    with pytest.raises(ValueError, match=r"threads=257: .* at most 256"):
        make_tables("five_card_stud", 1, threads=257)
    tables = make_tables("five_card_stud", np.int64(2), threads=np.int8(2))  # type: ignore[arg-type]
    assert (type(tables.n), type(tables.threads)) == (int, int)


def test_streams_are_kept_as_they_were_given() -> None:
    numbers = np.array([3, 4])
    tables = make_tables("five_card_stud", 2, seed=1, streams=numbers)
    dealt = tables.state.copy()
    numbers[:] = 9
    tables.reset(seed=1)
    assert (tables.state == dealt).all()


def test_leaving_conserves_coins_and_the_match_goes_on(game: Game) -> None:
    for options in variants(game.name):
        tables = Tables(game, 32, seed=17, **options)
        chance = np.random.default_rng(1)
        for _ in range(STEPS // 2):
            table = int(chance.integers(32))
            seat = int(chance.integers(tables.seats))
            if not tables.state["away"][table, seat]:
                tables.leave(table, seat)
                assert tables.reward[table].sum() + tables.house[table] == 0
            away = tables.state["away"][np.arange(32), tables.turn]
            assert not away.any()  # the house plays for seats that left
            tables.step(tables.sample())
            assert (tables.reward.sum(axis=1) + tables.house == 0).all()
    with pytest.raises(ValueError, match="seats are"):
        tables.leave(0, tables.seats)


def test_every_action_is_reachable(game: Game) -> None:
    reached = np.zeros(game.actions.width, bool)
    for options in variants(game.name):
        tables = Tables(game, 256, seed=18, **options)
        for _ in range(STEPS):
            reached |= tables.action_mask.any(axis=0)
            if reached.all():
                break
            tables.step(tables.sample())
    rare = rare_tables(game.name)
    if rare is not None:
        mask = np.zeros((len(rare), game.actions.width), np.int8)
        engine(game).mask_tables(rare, np.arange(len(rare)), mask)
        reached |= mask.any(axis=0)
    missed = set(np.flatnonzero(~reached).tolist())
    assert missed == set(game.unreachable), [game.action_name(a) for a in missed]


def test_names_parse_back(game: Game) -> None:
    for action in range(game.actions.width):
        assert game.parse(game.action_name(action)) == action
    with pytest.raises(ValueError, match="no action is called"):
        game.parse("no such action")
    with pytest.raises(ValueError, match="does not exist"):
        game.action_name(game.actions.width)


def test_what_people_say_is_understood(game: Game) -> None:
    tables = Tables(game, 20, seed=24)
    for _ in range(30):
        for view, mask in zip(tables.views(), tables.action_mask, strict=True):
            for action in np.flatnonzero(mask).tolist()[:5]:
                assert game.parse_move(view, game.spoken(view, action)) == [action]
        tables.step(tables.sample())


def test_split_covers_the_observation(game: Game) -> None:
    values = np.arange(2 * game.observation.width).reshape(2, -1)
    parts = game.split(values)
    assert sum(part[0].size for part in parts.values()) == game.observation.width
    joined = np.concatenate([part.reshape(2, -1) for part in parts.values()], axis=1)
    assert (joined == values).all()
    with pytest.raises(ValueError, match="last axis"):
        game.split(values[:, 1:])


def test_views_survive_the_wire(game: Game) -> None:
    for options in variants(game.name):
        tables = Tables(game, 8, seed=19, **options)
        for step in range(40):
            tables.step(tables.sample())
            if step % 2:
                continue
            table = step // 2 % 8
            (view,), turn = tables.views([table]), tables.turn[table]
            text = dumps(game, view, int(turn))
            again, seat = loads(game, text)
            assert seat == turn
            assert values_of(again) == values_of(view)
            assert set(json.loads(text)["rules"]) == set(tables.rules)
    message = json.loads(text)
    with pytest.raises(ValueError, match="not .* version"):
        loads(game, json.dumps({**message, "version": 99}))
    with pytest.raises(ValueError, match="fields are"):
        loads(game, json.dumps({**message, "state": {}}))


def test_a_scene_shows_no_hidden_card(game: Game) -> None:
    """Two tables that look alike to a seat have equal scenes for it."""
    tables = Tables(game, 16, seed=20)
    loops = engine(game)
    for step in range(40):
        seats = tables.turn.astype(np.int64)
        views = tables.views()
        other = views.copy()
        loops.redeal_views(addressable(other), seats, np.uint64(step))
        again = addressable(np.zeros(16, game.state))
        loops.view_tables(addressable(other), np.arange(16), seats, again)
        for k in range(step % 4, 16, 4):
            assert game.scene(views[k], int(seats[k])) == game.scene(again[k], int(seats[k]))
            game.scene(tables.state[k], None)
        tables.step(tables.sample())


@pytest.mark.slow
def test_ten_million_steps(name: str) -> None:
    """Random play under every option set, seats leaving now and then: coins and cards conserve,
    somebody can always act, and redealing what a seat can't see changes nothing it sees."""
    n, sets = 4096, variants(name)
    for number, options in enumerate(sets):
        tables = make_tables(name, n, seed=22 + number, threads=2, **options)
        game = tables.game
        wealth = tables.state["stack"].sum(axis=1)
        census = game.census(tables.state[0])
        house = np.zeros(n, np.int64)
        chance = np.random.default_rng(number)
        for step in range(10_000_000 // (n * len(sets)) + 1):
            tables.step(tables.sample())
            _conserved(tables, house, wealth)
            if step % 20 == 0:
                table = int(chance.integers(n))
                here = np.flatnonzero(tables.state["away"][table, : tables.seats] == 0)
                tables.leave(table, int(chance.choice(here)))
                _conserved(tables, house, wealth, [table])
                assert game.census(tables.state[table]) == census
            if step % 50 == 0:
                sample = np.arange(step % 64, n, 64)
                for seat in range(tables.seats):
                    _sees_nothing_hidden(tables, sample, seat, np.uint64(step))


def _conserved(tables: Tables, house: np.ndarray, wealth: np.ndarray, where: Any = ...) -> None:
    """No coin is made or lost on the tables ``where``; ``house`` keeps the house's by match."""
    assert (tables.action_mask.any(axis=1)).all()
    assert (tables.reward[where].sum(axis=1) + tables.house[where] == 0).all()
    house[where] += tables.house[where]
    house[where] *= tables.over[where] == PLAYING
    stacks = tables.state["stack"][where]
    assert (stacks >= 0).all()
    assert (stacks.sum(axis=1) + house[where] == wealth[where]).all()


def _sees_nothing_hidden(tables: Tables, sample: np.ndarray, seat: int, bits: np.uint64) -> None:
    game, loops = tables.game, engine(tables.game)
    seats = np.full(len(sample), seat)
    view = addressable(np.zeros(len(sample), game.state))
    loops.view_tables(tables.state, sample, seats, view)
    other = addressable(view.copy())
    loops.redeal_views(other, seats, bits)
    again = addressable(np.zeros(len(sample), game.state))
    loops.view_tables(other, np.arange(len(sample)), seats, again)
    _equal_views(view, again)
    for one, two in zip(encode(game, view, seats), encode(game, again, seats), strict=True):
        assert (one == two).all()


def _equal_views(one: np.ndarray, two: np.ndarray) -> None:
    for field in one.dtype.names or ():
        assert (one[field] == two[field]).all(), field


def test_views_are_encoded_as_the_tables_do(game: Game, name: str) -> None:
    tables = make_tables(name, 20, seed=2)
    for _ in range(30):
        tables.step(tables.sample())
    views = tables.views()
    for spelled in (game, name):
        values, visible = encode(spelled, views, tables.turn)
        assert (values == tables.observation).all()
        assert (visible == tables.observation_mask).all()
    assert encode(name, views[:0], [])[0].shape == (0, game.observation.width)


@pytest.mark.parametrize(
    ("views", "seats", "error"),
    [
        ([1], [0], "views=.*: an array .n,. of five_card_stud's records"),
        (np.zeros(2), [0, 0], "views=.*: an array .n,. of five_card_stud's records"),
        (2, [0], "seats=.0.: a seat for each view"),
        (2, [0, 4], "seats=.0, 4.: a seat for each view"),
        (2, [0, -1], "seats.1.=-1: a seat for each view"),
        (2, [0, 1.0], "seats.1.=1.0: a seat for each view"),
    ],
)
def test_what_is_no_view_or_seat_is_not_encoded(views: Any, seats: Any, error: str) -> None:
    if isinstance(views, int):
        views = make_tables("five_card_stud", views, seed=1).views()
    with pytest.raises(ValueError, match=error):
        encode("five_card_stud", views, seats)


@pytest.mark.parametrize("field", ["seats", "turn", "over", "stack", "away"])
def test_views_out_of_range_are_not_encoded(game: Game, field: str) -> None:
    views = make_tables(game.name, 3, seed=1).views()
    views[field][1] = np.iinfo(views[field].dtype).max
    with pytest.raises(ValueError, match=rf"^views can't be: {field}"):
        encode(game, views, [0, 0, 0])


def test_views_with_impossible_rules_are_not_encoded(game: Game) -> None:
    views = make_tables(game.name, 2, seed=1).views()
    views["rules"]["hands"] = 0
    with pytest.raises(OptionError, match="hands=0"):
        encode(game, views, [0, 0])
