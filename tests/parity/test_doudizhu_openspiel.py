"""Doudizhu's moves beside OpenSpiel's (preset ``openspiel``).

Two of its habits are left out: it offers no run, pair run or trio run whose lowest rank the hand
holds four times, and it offers bombs against the rocket.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from qipai.envs import doudizhu
from qipai.envs.doudizhu import DEALT, DECK, SEATS
from qipai.envs.parts.ranks import RANK_NAMES, TWO, cards_text, parse_cards
from tests.doudizhu_positions import KINDS, Position
from tests.parity.doudizhu_peer import compare, deals

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAME = pyspiel.load_game("dou_dizhu")
NAMES = [
    GAME.new_initial_state().action_to_string(0, i) for i in range(GAME.num_distinct_actions())
]
IDS = {name: action for action, name in enumerate(NAMES)}
BID_3, FIRST_MOVE = 3, 4
ROCKET = "(BWJ)(CJ)"
BOMBS = {rank * 4 for rank in RANK_NAMES[: TWO + 1]}
RUNS = ("run", "pair run", "trio run")
FIRST_CARD = SEATS * DEALT  # chance: first the places of the shown card, then cards suit by suit


def openspiel_name(move: str) -> str:
    """OpenSpiel's name of a move: cards from low to high, the kickers of a plane set apart."""
    if move == "pass":
        return "Pass"
    main, *kickers = move.split("+")
    if len(main) > 4 and kickers:
        name = f"{main}-{''.join(kickers)}"
    else:
        name = cards_text(parse_cards(move.replace("+", "")))
    return name.replace("SJ", "(BWJ)").replace("BJ", "(CJ)")


class OpenSpielTable:
    """A table whose seat 0 bids first and calls 3 at once."""

    def __init__(self, hands: tuple[str, ...]) -> None:
        self.state = GAME.new_initial_state()
        self.state.apply_action(0)  # the shown card is the first one, so of seat 0
        ranks = [np.repeat(np.arange(len(DECK)), parse_cards(held)) for held in hands]
        used: Counter[int] = Counter()  # cards of each rank dealt so far
        for place in range(SEATS * DEALT):
            rank = int(ranks[place % SEATS][place // SEATS])
            card = rank + (TWO + 1) * used[rank] if rank <= TWO else rank + (TWO + 1) * 3
            self.state.apply_action(FIRST_CARD + card)
            used[rank] += 1
        self.state.apply_action(BID_3)
        self.table, self.owner = "", 0  # the last move that was no pass

    def offered(self) -> set[str]:
        names = {NAMES[action] for action in self.state.legal_actions()}
        if self.table == ROCKET and self.owner != self.state.current_player():
            return names - BOMBS
        return names

    def name(self, move: str) -> str:
        return openspiel_name(move)

    def leaves_out(self, position: Position, move: str) -> bool:
        if "+" in move or KINDS[doudizhu.GAME.parse(move)] not in RUNS:
            return False
        hand = position.s["cards"][position.s["turn"]]
        return bool(hand[RANK_NAMES.index(move[0])] == 4)

    def play(self, move: str) -> None:
        if move != "Pass":
            self.table, self.owner = move, self.state.current_player()
        self.state.apply_action(IDS[move])

    def over(self) -> bool:
        return bool(self.state.is_terminal())


def test_move_table():
    """OpenSpiel's whole table: the same 26,053 moves."""
    lead = Position(cards_text(DECK), "3", "3", preset="openspiel")
    names = {openspiel_name(move) for move in lead.moves()}
    assert len(lead.moves()) == len(names) == 26_053
    assert names == set(NAMES[FIRST_MOVE:])


def same_moves(hands: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    return sum(
        compare(Position(*deal, preset="openspiel"), OpenSpielTable(deal), rng)
        for deal in deals(hands, seed)
    )


def test_legal_moves_state_by_state():
    assert same_moves(hands=300, seed=1) > 300 * SEATS


@pytest.mark.slow
def test_legal_moves_state_by_state_at_length():
    assert same_moves(hands=5_000, seed=2) > 5_000 * SEATS
