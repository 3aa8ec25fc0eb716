"""Cards where the faces 公 are the strong ones: K > Q > J > 10 > 9 > … > 2 > A, and how many are
faces."""

from __future__ import annotations

from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.cards import CARD_NAMES, SUITS

TEN, JACK = 9, 10  # ranks in this order: A, 2, …, 9, 10, J, Q, K are 0…12
_CARDS, _SUITS = len(CARD_NAMES), len(SUITS)
_LOWEST_FACE = JACK * _SUITS


@kernel
def order(card):
    """The place of a card in this order, 4 × rank + suit; negative if there is none."""
    return (card + _SUITS) % _CARDS if card >= 0 else NONE


@kernel
def faces(a, b, c):
    """How many of the cards are J, Q or K."""
    face = _LOWEST_FACE
    return int(order(a) >= face) + int(order(b) >= face) + int(order(c) >= face)
