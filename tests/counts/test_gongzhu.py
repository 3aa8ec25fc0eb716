"""Gongzhu beside all ways to share out the cards that count, and endings listed by other code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from qipai.envs.gongzhu import ACTIONS, SIXTEEN, play_card, playable, raw_score, set_text
from qipai.envs.kernel import addressable
from tests.gongzhu_positions import ALL_FOUR, Position, points

SPADE_PIG, SHEEP, TRANSFORMER = "SQ", "DJ", "C10"


def test_sixty_eight_actions_and_sixteen_cards() -> None:
    assert ACTIONS.width == 68
    assert len(set_text(int(SIXTEEN)).split()) == 16


def every_score(exposed: str) -> Counter[int]:
    """The raw score of each set of the sixteen, weighted by the ways the rest can be shared."""
    names, shown = set_text(int(SIXTEEN)).split(), np.int64(0)
    bits = [np.int64(1) << ACTIONS.parse(name) - 16 for name in names]
    for name, bit in zip(names, bits, strict=True):
        shown |= bit if name in exposed.split() else np.int64(0)
    scores: Counter[int] = Counter()
    for number in range(1 << 16):
        taken = np.int64(sum(int(bit) for k, bit in enumerate(bits) if number >> k & 1))
        scores[int(raw_score(taken, shown))] += 3 ** (16 - number.bit_count())
    return scores


@pytest.mark.parametrize(
    ("exposed", "mean", "low", "high", "values"),
    [
        ("", Fraction(-16670925775, 268435456), -600, 800, 65),
        (ALL_FOUR, Fraction(-11690905675, 67108864), -2400, 3200, 76),
    ],
)
def test_every_way_to_share_out_the_sixteen(
    exposed: str, mean: Fraction, low: int, high: int, values: int
) -> None:
    scores = every_score(exposed)
    assert sum(scores.values()) == 4**16
    assert Fraction(sum(s * n for s, n in scores.items()), 4**16) == mean
    assert (min(scores), max(scores), len(scores)) == (low, high, values)


POINTS = dict(zip("AKQJ", (50, 40, 30, 20), strict=True))


def plain_score(taken: list[str], exposed: list[str]) -> int:
    """R11–R15 as they are read, card by card."""
    hearts = [name for name in taken if name[0] == "H"]
    worth = {n: POINTS.get(n[1:], 0 if n[1:] in "234" else 10) for n in hearts}
    factor = {name: 1 + (name in exposed) for name in ALL_FOUR.split()}
    total = sum(worth.values()) * factor["HA"] * (1 if len(hearts) == 13 else -1)
    slam = len(hearts) == 13 and {*ALL_FOUR.split()} <= {*taken}
    if SPADE_PIG in taken:
        total += 100 * factor[SPADE_PIG] * (1 if slam else -1)
    if SHEEP in taken:
        total += 100 * factor[SHEEP]
    if TRANSFORMER in taken:
        others = any(worth.values()) or SPADE_PIG in taken or SHEEP in taken
        total = total * 2 * factor[TRANSFORMER] if others else 50 * factor[TRANSFORMER]
    return total


def test_scores_beside_a_plain_reading() -> None:
    draws = np.random.default_rng(2)
    names = set_text(int(SIXTEEN)).split()
    for k in range(3000):
        often = draws.random() if k % 3 else 0.97
        taken = [name for name in names if draws.random() < often]
        exposed = [name for name in ALL_FOUR.split() if draws.random() < 0.5]
        assert points(" ".join(taken), " ".join(exposed)) == plain_score(taken, exposed)


ENDINGS = [
    (("S3 H4 D5", "SQ HA D2", "C10 DJ S4", "C2 SK H9"), "", "", (38, 38, 74, 66)),
    (("SQ S5 H4", "S7 SK H9", "HA CK S2", "DJ C10 C4"), "SQ", "", (64, 64, 176, 400)),
    (("SQ S5 H4", "S7 SK H9", "HA CK S2", "DJ C10 C4"), "SQ", "S", (112, 112, 240, 416)),
    (("D2 D9 SA", "DJ DK H3", "DA C5 C7", "D4 SQ HK"), "", "", (96, 144, 624, 176)),
]
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def continuations(s: Any) -> int:
    """How the cards of a table can be played, all of them, by the game's own kernels."""
    if not s["cards"].any():
        return 1
    total, cards = 0, int(playable(s))
    for card in range(52):
        if cards >> card & 1:
            after = addressable(np.array([s]))[0]
            play_card(after, np.int64(card))
            after["taken"] = 0  # so that the hand does not end early
            total += continuations(after)
    return total


def plain_continuations(
    hands: list[list[str]], turn: int, trick: list[str], exposed: str, led: str
) -> int:
    """The same by other code."""
    if len(trick) == 4:
        suit = trick[0][0]
        best = max((n for n in trick if n[0] == suit), key=lambda n: RANKS.index(n[1:]))
        return plain_continuations(hands, (turn + trick.index(best)) % 4, [], exposed, led + suit)
    hand = hands[turn]
    if not hand:
        return 1
    follow = [n for n in hand if trick and n[0] == trick[0][0]]
    cards = follow or hand
    for name in exposed.split():
        mine = [n for n in hand if n[0] == name[0]]
        counts = name[0] not in led and (follow or not trick)
        if name in cards and counts and len(mine) > 1:
            cards = [n for n in cards if n != name]
    total = 0
    for card in cards:
        rest = [[n for n in h if n != card] for h in hands]
        total += plain_continuations(rest, (turn + 1) % 4, [*trick, card], exposed, led)
    return total


@pytest.mark.parametrize(("hands", "exposed", "led", "counts"), ENDINGS)
def test_endings(hands: tuple[str, ...], exposed: str, led: str, counts: tuple[int, ...]) -> None:
    for leader, count in enumerate(counts):
        table = Position(*hands, leader=leader, exposed=exposed, led=led)
        assert continuations(table.s) == count
        lists = [text.split() for text in hands]
        assert plain_continuations(lists, leader, [], exposed, led) == count


def test_four_card_endings_beside_other_code() -> None:
    draws = np.random.default_rng(3)
    names = [suit + rank for suit, rank in product("DCHS", RANKS)]
    for _ in range(6):
        cards = [names[k] for k in draws.permutation(52)[:12]]
        hands = [cards[3 * p : 3 * p + 3] for p in range(4)]
        exposed = " ".join(name for name in ALL_FOUR.split() if name in cards)
        leader = int(draws.integers(4))
        table = Position(*(" ".join(h) for h in hands), leader=leader, exposed=exposed)
        assert continuations(table.s) == plain_continuations(hands, leader, [], exposed, "")
