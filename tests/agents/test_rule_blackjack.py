"""The rule bot of blackjack: right where chances can be counted."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.agents.rule.blackjack import (
    BANK,
    WORK,
    bank_chances,
    banker_worths,
    player_stands,
    player_worths,
)
from qipai.envs.blackjack import GAME, HIT, PLAY, STAND, VALUE, VALUES
from qipai.envs.kernel import addressable
from qipai.envs.parts.cards import BIT
from tests.blackjack_positions import Position

Counts = tuple[int, ...]  # cards by value, aces first
DECK: Counts = (4,) * 9 + (16,)


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    mask = np.zeros((1, GAME.actions.width), np.int8)
    for action in range(GAME.actions.width):
        mask[0, action] = GAME.action_name(action) in hand.legal
    return GAME.action_name(int(bot.act(hand.view(hand.turn), mask)[0]))


def test_it_bets_the_lowest_level(bot: Agent) -> None:
    assert choice(bot, Position("S9 D9", "C10 C9", "C8 C7")) == "bet 1"


TEXTBOOK = [
    # own cards, the banker's open card, choice
    *(("C10 H3", up, "stand") for up in ("D3", "D4", "D6")),
    *(("C10 H6", up, "hit") for up in ("D7", "D10", "DA")),
    *(("C10 H7", up, "stand") for up in ("D2", "D10")),
    ("C5 H3", "D9", "hit"),
    *(("C6 H5", up, "double") for up in ("D2", "D6", "D9")),
    *(("C6 H4", up, "double") for up in ("D2", "D9")),
    ("C6 H4", "D10", "hit"),
    ("C5 H4", "D6", "double"),
    ("C5 H4", "D10", "hit"),
    *(("C8 H8", up, "split") for up in ("D2", "D6")),
    *(("CA HA", up, "split") for up in ("D5", "D9")),
    *(("CK H10", up, "stand") for up in ("D5", "D6", "DA")),
    ("C5 H5", "D6", "double"),
    ("CA H6", "D10", "hit"),
    ("CA H7", "D10", "hit"),
    ("CA H8", "D10", "stand"),
    ("CA HK", "D10", "stand"),
]


@pytest.mark.parametrize(("cards", "up", "action"), TEXTBOOK)
def test_textbook_decisions(bot: Agent, cards: str, up: str, action: str) -> None:
    assert choice(bot, Position(f"S9 {up}", cards, bets=(10,))) == action


# --- As a 閒: against chances found by trying all draws -------------------------------------------


def total(cards: Counts) -> int:
    hard = sum((k + 1) * count for k, count in enumerate(cards))
    return hard + 10 if cards[0] and hard <= 11 else hard


def add(cards: Counts, k: int, by: int = 1) -> Counts:
    return (*cards[:k], cards[k] + by, *cards[k + 1 :])


@cache
def bank_ends(bank: Counts, unseen: Counts) -> dict[int, float]:
    """Chances of the final scores of a bank that hits below 17; 22: a natural, 0: a bust."""
    points = total(bank)
    if sum(bank) == 2 and points == 21:
        return {22: 1.0}
    if sum(bank) >= 2 and points >= 17:
        return {points if points <= 21 else 0: 1.0}
    ends: dict[int, float] = defaultdict(float)
    for k in range(VALUES):
        if unseen[k]:
            chance = unseen[k] / sum(unseen)
            for end, share in bank_ends(add(bank, k), add(unseen, k, -1)).items():
                ends[end] += chance * share
    return ends


def standing(own: Counts, bank: Counts, unseen: Counts) -> float:
    points = total(own)
    if points > 21:
        return -1.0
    ends = bank_ends(bank, unseen)
    return sum(chance * ((points > end) - (points < end)) for end, chance in ends.items())


@cache
def hitting(own: Counts, bank: Counts, unseen: Counts, last: bool) -> float:
    won = 0.0
    for k in range(VALUES):
        if unseen[k]:
            longer, left = add(own, k), add(unseen, k, -1)
            after = standing(longer, bank, left)
            if not last and total(longer) < 21:
                after = max(after, hitting(longer, bank, left, last))
            won += unseen[k] / sum(unseen) * after
    return won


def counts_of(*cards: int) -> Counts:
    return tuple(np.bincount([int(VALUE[c]) - 1 for c in cards], minlength=VALUES).tolist())


def worths(hand: Position) -> list[float]:
    work = addressable(np.zeros(1, WORK))
    worth = banker_worths if hand.s["phase"] == BANK else player_worths
    return list(worth(hand.view(hand.turn)[0], work[0]))


@pytest.mark.parametrize(
    ("cards", "bank"),
    [
        ("C10 H6", "S9 DK"),
        ("C9 H8", "S9 DA"),
        ("C10 H2", "S9 D3"),
        ("C8 H8", "S9 D10"),
        ("C6 H5", "S9 D10"),
        ("CA H7", "S9 D9"),
    ],
)
def test_expected_bets_of_a_player(cards: str, bank: str) -> None:
    hand = Position(bank, cards, bets=(10,))
    own = counts_of(*hand.hands[1])
    up = counts_of(hand.hands[0][1])
    unseen = tuple(d - a - b for d, a, b in zip(DECK, own, up, strict=True))
    stand, hit, double, split = worths(hand)
    assert stand == pytest.approx(standing(own, up, unseen), abs=1e-12)
    assert double == pytest.approx(2 * hitting(own, up, unseen, True), abs=1e-12)
    assert hit == pytest.approx(hitting(own, up, unseen, False), abs=0.003)
    if total(own) == 16 and own[7] != 2:  # no second hit is worth it: exact
        assert hit == pytest.approx(hitting(own, up, unseen, False), abs=1e-12)
    if max(own) == 2:
        one = counts_of(hand.hands[1][0])
        assert split == pytest.approx(2 * hitting(one, up, unseen, False), abs=0.006)


def test_cards_shown_by_others_count() -> None:
    hand = Position("S9 D6", "C10 H2", "C2 CK", "C3 HQ", bets=(10, 10, 10))
    seen = [*hand.hands[1], *(cards[1] for cards in hand.hands if cards is not hand.hands[1])]
    unseen = tuple(d - s for d, s in zip(DECK, counts_of(*seen), strict=True))
    up, own = counts_of(hand.hands[0][1]), counts_of(*hand.hands[1])
    assert worths(hand)[0] == pytest.approx(standing(own, up, unseen), abs=1e-12)


def test_better_than_any_threshold(bot: Agent) -> None:
    """Without doubles and splits, two seats, R19 bank: hitting below 15 brings −0.07327886."""
    mean = sum(DECK[up] / 52 * mean_against(bot, up) for up in range(VALUES))
    assert -0.07327886 < mean < 0


def mean_against(bot: Agent, up: int) -> float:
    """What the bot wins on average by hitting and standing, if the banker shows this card."""
    deck = add(DECK, up, -1)
    reach: dict[Counts, float] = {}
    for first in range(VALUES):
        for second in range(VALUES):
            left = add(deck, first, -1)
            hand = add(add((0,) * VALUES, first), second)
            share = deck[first] / 51 * left[second] / 50
            reach[hand] = reach.get(hand, 0.0) + share
    mean = 0.0
    while reach:
        longer: dict[Counts, float] = {}
        for (hand, share), hits in zip(
            reach.items(), hit_chosen(bot, list(reach), up), strict=True
        ):
            unseen = np.subtract(deck, hand)
            if not hits:
                mean += share * stand_against(hand, up, unseen)
                continue
            for k in np.flatnonzero(unseen):
                chance = share * unseen[k] / unseen.sum()
                if total(add(hand, int(k))) > 21:
                    mean -= chance
                else:
                    longer[add(hand, int(k))] = longer.get(add(hand, int(k)), 0.0) + chance
        reach = longer
    return mean


def hit_chosen(bot: Agent, hands: list[Counts], up: int) -> np.ndarray:
    """Whether the bot hits each hand if it may only hit or stand."""
    example = {
        int(VALUE[card]) - 1: [c for c in range(52) if VALUE[c] == VALUE[card]]
        for card in range(52)
    }
    views = addressable(np.zeros(len(hands), GAME.state))
    for view, hand in zip(views, hands, strict=True):
        view["seats"], view["turn"], view["phase"] = 2, 1, PLAY
        view["joined"][:2] = 1
        cards = [card for k, count in enumerate(hand) for card in example[k][:count]]
        view["cards"][1, 0, : len(cards)] = cards
        view["count"][1, 0] = len(cards)
        view["cards"][0, 0, :2] = (-1, example[up][-1])
        view["count"][0, 0] = 2
    masks = np.zeros((len(hands), GAME.actions.width), np.int8)
    masks[:, STAND] = 1
    masks[:, HIT] = [total(hand) < 21 for hand in hands]
    return bot.act(views, masks) == HIT


WORKING = addressable(np.zeros(1, WORK))[0]


def stand_against(hand: Counts, up: int, unseen: np.ndarray) -> float:
    """What standing is worth, by the bot's own reckoning (tested above); a natural beats 21."""
    left = unseen.astype(float)
    bank_chances(up + 1, left, int(left.sum()), WORKING["reach"], WORKING["chances"])
    if total(hand) == 21 and sum(hand) == 2:
        return 1.0 - float(WORKING["chances"][22])
    player_stands(WORKING["chances"], WORKING["stands"])
    return float(WORKING["stands"][total(hand)])


# --- As a banker -------------------------------------------------------------------------------


def banker_stand(hand: Position, bets: dict[int, int]) -> float:
    """The mean coins of standing now, over all unseen cards that each hidden one can be."""
    view = hand.view(0)[0]
    seen = sum(int(BIT[c]) for c in view["cards"].ravel() if c >= 0)
    own = total(counts_of(*(int(c) for c in view["cards"][0, 0] if c >= 0)))
    mean = 0.0
    for seat, bet in bets.items():
        shown = [int(c) for c in view["cards"][seat, 0] if c >= 0]
        results = []
        for card in range(52):
            if not seen >> card & 1 and view["possible"][seat, VALUE[card] - 1]:
                points = total(counts_of(card, *shown))
                points += points == 21 and len(shown) == 1
                results.append((own > points) - (own < points))
        mean += bet * sum(results) / len(results)
    return mean


def test_expected_coins_of_a_banker() -> None:
    hand = Position("S9 D8", "C10 D10", "C4 H6 H7", "SJ DK DQ", bets=(10, 50, 20))
    hand.play("stand", "hit", "stand", "hit")  # seat 2 has 17, seat 3 has bust
    assert hand.turn == 0
    stand, hit = worths(hand)
    assert stand == pytest.approx(banker_stand(hand, {1: 10, 2: 50}), abs=1e-9)
    assert hit < stand


def test_the_banker_hits_17_against_hands_that_have_beaten_it(bot: Agent) -> None:
    hand = Position("S9 D8", "C8 H8 CK HQ", bets=(50,))
    hand.play("split", "stand", "stand")  # 18 twice, all cards seen
    stand, hit = worths(hand)
    assert stand == -100
    assert hit > stand
    assert choice(bot, hand) == "hit"


def test_the_banker_stands_low_where_he_has_won_already(bot: Agent) -> None:
    hand = Position("S7 D6", "C6 H6 C5 H4", bets=(50,))
    hand.play("split", "stand", "stand")  # 11 and 10
    assert worths(hand)[0] == 100
    assert choice(bot, hand) == "stand"
