"""Doudizhu's moves beside RLCard's (preset ``rlcard``)."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.doudizhu import BODY, BODY_LENGTH, DECK, SEATS
from qipai.envs.parts.ranks import cards_text, parse_cards
from tests.doudizhu_positions import KINDS, Position
from tests.parity.doudizhu_peer import compare, deals

rlcard = pytest.importorskip("rlcard.games.doudizhu", reason="RLCard is not installed")
utils = pytest.importorskip("rlcard.games.doudizhu.utils", reason="RLCard is not installed")

# RLCard's names of our kinds, without the length of a run.
TYPES = {
    "single": "solo",
    "pair": "pair",
    "trio": "trio",
    "trio+1": "trio_solo",
    "trio+2": "trio_pair",
    "run": "solo_chain",
    "pair run": "pair_chain",
    "trio run": "trio_chain",
    "plane+1": "trio_solo_chain",
    "plane+2": "trio_pair_chain",
    "four+1+1": "four_two_solo",
    "four+2+2": "four_two_pair",
    "bomb": "bomb",
    "rocket": "rocket",
}


def rlcard_name(move: str) -> str:
    """RLCard's name of a move: its cards from low to high, the jokers B and R."""
    if move == "pass":
        return move
    cards = cards_text(parse_cards(move.replace("+", "")))
    return cards.replace("SJ", "B").replace("BJ", "R")


class RLCardTable:
    def __init__(self, hands: tuple[str, ...]) -> None:
        self.game = rlcard.Game()
        self.game.init_game()
        deck = sorted(self.game.round.dealer.deck, key=lambda card: utils.cards2str([card]))
        for player, held in zip(self.game.players, hands, strict=True):
            names = list(rlcard_name(held))
            player.set_current_hand([take(deck, name) for name in names])
        self.game.judger = rlcard.Judger(self.game.players, self.game.np_random)
        self.game.state = self.game.get_state(0)

    def offered(self) -> set[str]:
        return set(self.game.state["actions"])

    def name(self, move: str) -> str:
        return rlcard_name(move)

    def leaves_out(self, position: Position, move: str) -> bool:
        return False

    def play(self, move: str) -> None:
        self.game.step(move)

    def over(self) -> bool:
        return self.game.is_over()


def take(deck: list, name: str):
    for card in deck:
        if utils.cards2str([card]) == name:
            deck.remove(card)
            return card
    raise AssertionError(name)


def test_move_table():
    """RLCard's whole table: the same 27,471 moves, of the same kinds and lengths."""
    lead = Position(cards_text(DECK), "3", "3", preset="rlcard")
    first, _ = lead.found()
    lengths = [int(BODY_LENGTH[a - BODY]) for a in first]
    kinds = [TYPES[KINDS[a]] for a in first]
    ours = {
        rlcard_name(move): kind + (f"_{length}" if length > 1 and kind != "rocket" else "")
        for move, kind, length in zip(lead.moves(), kinds, lengths, strict=True)
    }
    theirs = {cards: types[0][0] for cards, types in utils.CARD_TYPE[0].items()}
    assert len(ours) == 27_471
    assert ours == theirs
    assert set(utils.ID_2_ACTION) == {*ours, "pass"}


def same_moves(hands: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    return sum(
        compare(Position(*deal, preset="rlcard"), RLCardTable(deal), rng)
        for deal in deals(hands, seed)
    )


def test_legal_moves_state_by_state():
    assert same_moves(hands=200, seed=1) > 200 * SEATS


@pytest.mark.slow
def test_legal_moves_state_by_state_at_length():
    assert same_moves(hands=5_000, seed=2) > 5_000 * SEATS
