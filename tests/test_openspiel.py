"""Export to OpenSpiel: the same play as at a table, worlds told apart by nobody who should not,
solvers that get where theory says."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.envs import load_game, make, make_tables
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import parse_card
from qipai.envs.tables import IllegalAction
from tests.rules.test_five_card_stud import Position
from tests.test_pages import code_blocks

pyspiel = pytest.importorskip("pyspiel", reason='needs OpenSpiel: pip install "qipai[openspiel]"')

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import cfr  # noqa: E402
from open_spiel.python.algorithms.expected_game_score import policy_value  # noqa: E402
from open_spiel.python.algorithms.exploitability import exploitability, nash_conv  # noqa: E402
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy  # noqa: E402

from qipai.openspiel import ExportedGame, export, policy, worlds  # noqa: E402

STUD = load_game("five_card_stud")
LAST_ROUND = "check check check check raise_half call"  # with 50 coins each


def table_after(actions: str, game: str = "five_card_stud", **options: object) -> np.void:
    """A table in the middle of a hand."""
    tables = make_tables(game, 1, seed=3, **options)
    for name in actions.split():
        tables.step([tables.game.parse(name)])
    return tables.state[0]


@pytest.fixture(scope="module")
def last_round() -> np.ndarray:
    """All worlds of a last round of five-card stud."""
    return worlds(STUD, table_after(LAST_ROUND, seats=2, stack=50))


@pytest.fixture(scope="module")
def exported(last_round: np.ndarray) -> ExportedGame:
    """Twenty of them."""
    return export(STUD, last_round[::19])


@pytest.fixture(scope="module")
def bluff() -> ExportedGame:
    """Pot 80, one bet of 10. Seat 0 shows kings and speaks first; its hole card is a third king or
    nothing, equally likely. Seat 1 shows ace high and has an ace in the hole."""
    hand = Position("DK SK HK D9 C8", "HA SA DQ H10 C9", stacks=50)
    hand.play(*["check"] * 4, "raise_three_quarters", "call")
    assert (hand.turn, hand.legal) == (0, ["fold", "check", "raise_max"])
    assert (hand.stakes, hand.highest) == ((40, 40), 10)
    without = hand.table.copy()
    without["hole"][0, 0] = parse_card("HJ")
    return export(STUD, [hand.table[0], without[0]])


# --- Worlds --------------------------------------------------------------------------------------


def test_worlds_are_all_hands_of_two_hidden_cards(last_round: np.ndarray) -> None:
    table = table_after(LAST_ROUND, seats=2, stack=50)
    assert len(last_round) == 20 * 19  # 28 cards less 8 open ones
    assert len({tuple(world["hole"]) for world in last_round}) == 380
    assert tuple(table["hole"]) in {tuple(world["hole"]) for world in last_round}
    assert (last_round["up"] == table["up"]).all()
    assert all(STUD.census(world) == STUD.census(table) for world in last_round)


def test_every_redeal_of_a_view_is_a_world(last_round: np.ndarray) -> None:
    views = addressable(np.repeat(last_round[:1], 300))
    seats = np.zeros(len(views), np.int64)
    engine(STUD).view_tables(views.copy(), np.arange(len(views)), seats, views)
    engine(STUD).redeal_views(views, seats, np.uint64(1))
    known = {tuple(world["hole"]) for world in last_round}
    redealt = {tuple(hole) for hole in views["hole"]}
    assert redealt <= known
    own = last_round["hole"][0, 0]
    assert redealt == {hole for hole in known if hole[0] == own}


def test_another_stud_game() -> None:
    table = table_after("check " * 6, "hk_five_card", seats=2, stack=100)
    assert len(worlds(load_game("hk_five_card"), table)) == 24 * 23  # 32 cards less 8 open ones


def test_cards_still_to_come_are_refused() -> None:
    early = table_after("check check check check", seats=2, stack=50)
    with pytest.raises(ValueError, match="cards that no seat has seen; take a later table"):
        worlds(STUD, early)
    export(STUD, [early])  # one world with its deck as it lies


def test_hidden_hands_that_are_no_single_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="give export\\(\\) tables of your own making"):
        worlds(load_game("doudizhu"), table_after("", "doudizhu"))


def test_too_much_is_refused() -> None:
    table = table_after(LAST_ROUND, seats=2, stack=50)
    with pytest.raises(ValueError, match="380 worlds are more than most=379"):
        worlds(STUD, table, most=379)
    with pytest.raises(ValueError, match="more than most=34 nodes; take fewer worlds"):
        export(STUD, [table], most=34)
    export(STUD, [table], most=35)


def test_play_that_draws_random_numbers_is_refused() -> None:
    bidding = table_after("", "doudizhu")  # all pass: the cards are dealt again
    with pytest.raises(ValueError, match="play draws random numbers"):
        export(load_game("doudizhu"), [bidding])


def test_tables_that_cannot_be_worlds_are_refused() -> None:
    table = table_after(LAST_ROUND, seats=2, stack=50)
    other = table_after(LAST_ROUND, seats=2, stack=50, hands=2)
    over = table.copy()
    over["ended"] = True
    with pytest.raises(ValueError, match="no tables"):
        export(STUD, [])
    with pytest.raises(ValueError, match="different rules"):
        export(STUD, [table, other])
    with pytest.raises(ValueError, match="a table's hand has ended"):
        export(STUD, [table, over])
    with pytest.raises(ValueError, match="table 0 is no record of the state of doudizhu"):
        export(load_game("doudizhu"), [table])
    with pytest.raises(ValueError, match="weights: expected a number above 0 for each of 2"):
        export(STUD, [table, table], [1, 0])


# --- The game ------------------------------------------------------------------------------------


def test_openspiels_own_check_of_a_game(exported: ExportedGame, bluff: ExportedGame) -> None:
    for game in (exported, bluff):
        pyspiel.random_sim_test(game, num_sims=10, serialize=False, verbose=False)


def test_play_is_the_same_as_at_a_table(exported: ExportedGame) -> None:
    draws = np.random.default_rng(1)
    env = make("five_card_stud", seats=2, stack=50)
    for world, table in enumerate(exported.tree.tables[: len(exported.chances)]):
        env.reset(seed=1)
        env.place(table)
        state = exported.new_initial_state()
        assert state.is_chance_node()
        state.apply_action(world)
        won = np.zeros(2)
        while not state.is_terminal():
            seat = state.current_player()
            assert env.agent_selection == env.possible_agents[seat]
            seen = env.observe(env.agent_selection)
            assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
            assert np.array_equal(state.observation_tensor(), seen["observation"])
            action = int(draws.choice(state.legal_actions()))
            assert state.action_to_string(action) == STUD.action_name(action)
            state.apply_action(action)
            env.step(action)
            won += [env.rewards[agent] for agent in env.possible_agents]
        assert (np.array(state.returns()) * exported.unit == won).all()


def test_returns_are_in_the_unit_of_the_table() -> None:
    """An ante that floats with the stacks: 10,000 where the floor is 10."""
    options = {"seats": 2, "cap": 11, "stack": 200_000}
    tuolaji = load_game("tuolaji")
    small = export(tuolaji, [table_after("raise_to_5 call", "tuolaji", **options)])
    assert small.unit == 10_000
    assert small.max_utility() <= 11 + 5


def test_the_game_is_zero_sum(exported: ExportedGame) -> None:
    assert exported.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    ends = [i for i, onward in enumerate(exported.tree.children) if not onward]
    assert all(sum(exported.returns[i]) == 0 for i in ends)
    assert (exported.min_utility(), exported.max_utility()) == (-5, 5)  # 50 coins, ante 10


def test_what_the_house_keeps_makes_it_no_zero_sum_game() -> None:
    freecell = table_after("", "freecell", max_moves=1)
    game = export(load_game("freecell"), [freecell])
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.num_players() == 1


def test_a_seat_knows_its_own_hole_card_and_not_the_others(last_round: np.ndarray) -> None:
    game = export(STUD, last_round)
    known: dict[tuple[int, int], set[str]] = {}
    for world, table in enumerate(last_round):
        state = game.new_initial_state().child(world)
        for action in (1, int(STUD.parse("raise_max"))):  # check, then a raise
            for seat in range(2):
                told = state.information_state_string(seat)
                known.setdefault((seat, state.move_number(), int(table["hole"][seat])), set()).add(
                    told
                )
            state.apply_action(action)
    assert len(known) == 2 * 2 * 20
    assert all(len(told) == 1 for told in known.values())
    assert len(set.union(*known.values())) == len(known)


def test_equal_knowledge_means_equal_choices(exported: ExportedGame) -> None:
    choices: dict[str, set[int]] = {}
    for node, onward in enumerate(exported.tree.children):
        if onward:
            told = exported.tree.knows[exported.turn[node]][node]
            assert choices.setdefault(told, set(onward)) == set(onward)


def test_weights_are_the_chances_of_worlds(bluff: ExportedGame) -> None:
    tables = bluff.tree.tables[:2]
    game = export(STUD, tables, weights=[3, 1])
    assert game.new_initial_state().chance_outcomes() == [(0, 0.75), (1, 0.25)]


def test_states_are_written_in_words(bluff: ExportedGame) -> None:
    state = bluff.new_initial_state()
    assert state.action_to_string(1) == "world 1"
    state.apply_action(1)
    state.apply_action(1)
    assert str(state) == "world 1: check"
    assert '"hole": ["HJ", null' in state.observation_string(0)
    assert '"hole": [null, "HA"' in state.observation_string(1)


def test_openspiels_environment_runs(exported: ExportedGame) -> None:
    env = rl_environment.Environment(exported)
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == STUD.observation.width
        step = env.step([step.observations["legal_actions"][seat][0]])
    assert sum(step.rewards) == 0


# --- Copies --------------------------------------------------------------------------------------

COPIES = pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))],
    ids=["copy", "deepcopy", "pickle"],
)
Copied = Callable[[object], Any]


@COPIES
def test_games_and_states_are_copied(exported: ExportedGame, copied: Copied) -> None:
    twin = copied(exported)
    assert twin.new_initial_state().chance_outcomes() == exported.chances
    state = exported.new_initial_state().child(2)
    state.apply_action(state.legal_actions()[-1])
    other = copied(state)
    assert (str(other), other.history()) == (str(state), state.history())
    for seat in range(2):
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
    before = str(state)
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


@COPIES
def test_policies_are_copied(exported: ExportedGame, copied: Copied) -> None:
    state = exported.new_initial_state().child(2)
    for given in (TabularPolicy(exported), policy(exported, "rule", calls=3)):
        assert copied(given).action_probabilities(state) == given.action_probabilities(state)


@pytest.mark.parametrize("solver", [cfr.CFRSolver, cfr.CFRPlusSolver])
def test_copied_solvers_solve_on_alike(bluff: ExportedGame, solver: type) -> None:
    solving = solver(bluff)
    solving.evaluate_and_update_policy()
    twins = [copy.deepcopy(solving), pickle.loads(pickle.dumps(solving))]
    for each in (solving, *twins):
        for _ in range(3):
            each.evaluate_and_update_policy()
    found = [each.average_policy().action_probability_array for each in (solving, *twins)]
    assert np.allclose(found[0], found[1]) and np.allclose(found[0], found[2])


def test_a_solver_is_solved_on_in_another_process(bluff: ExportedGame, tmp_path: Path) -> None:
    solving = cfr.CFRPlusSolver(bluff)
    solving.evaluate_and_update_policy()
    path = tmp_path / "solver"
    path.write_bytes(pickle.dumps(solving))
    code = (
        "import pickle, sys\n"
        "solving = pickle.load(open(sys.argv[1], 'rb'))\n"
        "solving.evaluate_and_update_policy()\n"
        "pickle.dump(solving.average_policy().action_probability_array, open(sys.argv[1], 'wb'))"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    solving.evaluate_and_update_policy()
    assert np.allclose(
        pickle.loads(path.read_bytes()), solving.average_policy().action_probability_array
    )


@COPIES
def test_observers_are_copied_with_their_pieces(bluff: ExportedGame, copied: Copied) -> None:
    observer = bluff.make_py_observer()
    states = [bluff.new_initial_state().child(world) for world in range(2)]
    observer.set_from(states[0], 0)
    twin = copied(observer)
    assert (twin.tensor == observer.tensor).all() and twin.tensor.any()
    twin.set_from(states[1], 0)
    assert (twin.tensor != observer.tensor).any()
    for name, piece in twin.dict.items():
        assert (piece == STUD.split(twin.tensor)[name]).all()


# --- Solving -------------------------------------------------------------------------------------


def test_best_responses_to_random_play_worked_out_by_hand(bluff: ExportedGame) -> None:
    """Seat 0 bets both: (½·40 + ½·50 + ½·40 − ½·50) / 2 = 20. Seat 1 wins 40 from a fold, 0 by
    calling a bet (as likely ahead as behind), and after a check bets: ½·40 + ½·0; thirds of each
    make 20."""
    found = nash_conv(bluff, UniformRandomPolicy(bluff), return_only_nash_conv=False)
    values = policy_value(bluff.new_initial_state(), [UniformRandomPolicy(bluff)] * 2)
    assert np.allclose(values + found.player_improvements, [2, 2])  # in antes of 10
    assert exploitability(bluff, UniformRandomPolicy(bluff)) == pytest.approx(2)


@pytest.mark.parametrize("solver", [cfr.CFRSolver, cfr.CFRPlusSolver])
def test_solvers_find_the_value_of_the_bluff(bluff: ExportedGame, solver: type) -> None:
    """Seat 1 calls 8 of 9 bets, so that a bluff of 10 for 80 gains nothing. Seat 0 then wins
    40 + 8/9·10 with the king and loses 40 without: 40/9 coins. It bluffs 1 time in 9."""
    solving = solver(bluff)
    for _ in range(1000):
        solving.evaluate_and_update_policy()
    found = solving.average_policy()
    assert exploitability(bluff, found) < 0.02
    values = policy_value(bluff.new_initial_state(), [found, found])
    assert np.allclose(values, [4 / 9, -4 / 9], atol=0.02)
    king, nothing = (bluff.new_initial_state().child(world) for world in range(2))
    bet = int(STUD.parse("raise_max"))
    assert found.action_probabilities(king)[bet] > 0.95
    assert found.action_probabilities(nothing)[bet] == pytest.approx(1 / 9, abs=0.03)


def test_exploitability_falls_as_cfr_goes_on(exported: ExportedGame) -> None:
    solver = cfr.CFRPlusSolver(exported)
    left = [exploitability(exported, UniformRandomPolicy(exported))]
    for iterations in (3, 9, 27):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        left.append(exploitability(exported, solver.average_policy()))
    assert all(later < earlier / 2 for earlier, later in pairwise(left))


def test_three_seats_have_best_responses_but_no_exploitability() -> None:
    table = table_after(
        "check check check check check check raise_three_quarters call call", seats=3, stack=50
    )
    game = export(STUD, worlds(STUD, table)[::500])
    random = UniformRandomPolicy(game)
    assert nash_conv(game, random) > 0
    with pytest.raises(ValueError, match="2-player"):
        exploitability(game, random)


# --- Agents --------------------------------------------------------------------------------------


class Bold:
    """The last legal action: the largest raise there is, else a call."""

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Wrong:
    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.full(len(views), 99)


def test_an_agent_without_lots_is_a_pure_policy(bluff: ExportedGame) -> None:
    """Against one who always bets and always calls, seat 0 wins 50 or folds for 40, and seat 1
    calls for 0."""
    bold = policy(bluff, Bold())
    state = bluff.new_initial_state().child(0)
    assert bold.action_probabilities(state) == {0: 0, 1: 0, int(STUD.parse("raise_max")): 1}
    found = nash_conv(bluff, bold, return_only_nash_conv=False)
    assert np.allclose(found.player_improvements, [0.5, 0])


def test_lots_are_estimated(exported: ExportedGame) -> None:
    random = policy(exported, "random", calls=400)
    state = exported.new_initial_state().child(0)
    chances = random.action_probabilities(state)
    assert sum(chances.values()) == pytest.approx(1)
    assert max(abs(c - 1 / len(chances)) for c in chances.values()) < 0.1
    exact = nash_conv(exported, UniformRandomPolicy(exported))
    assert nash_conv(exported, random) == pytest.approx(exact, rel=0.15)


def test_the_rule_bot_loses_less_than_random_play(exported: ExportedGame) -> None:
    rule = policy(exported, "rule", calls=50)
    assert 0 < nash_conv(exported, rule) < nash_conv(exported, UniformRandomPolicy(exported)) / 2


def test_agents_that_make_no_sense_are_refused(bluff: ExportedGame) -> None:
    with pytest.raises(IllegalAction, match=r"action 99 .* is illegal for the agent to choose"):
        policy(bluff, Wrong())
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        policy(bluff, "nobody")
    with pytest.raises(ValueError, match="calls=0: at least 1"):
        policy(bluff, "rule", calls=0)


# --- Around it -----------------------------------------------------------------------------------


def test_without_openspiel_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "qipai.openspiel")
    with pytest.raises(ImportError, match=r'pip install "qipai\[openspiel\]"'):
        importlib.import_module("qipai.openspiel")


def test_the_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    guide = Path(__file__).parents[1] / "docs" / "solving.md"
    known: dict[str, object] = {}
    for code in code_blocks(guide.read_text(encoding="utf-8")):
        exec(code, known)
    assert capsys.readouterr().out.strip()
