"""What cards count where only the last digit of their sum does: A 1, 2–9 themselves, 10 J Q K 0."""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import RANKS

POINTS = 10  # a hand has 0…9
# Of each rank of parts/cards.py: 2 … 10, J, Q, K, A.
POINT = np.array(
    [1 if rank == "A" else int(rank) % POINTS if rank.isdigit() else 0 for rank in RANKS]
)


@kernel
def point(card):
    """What a card counts; 0 if it is not there or hidden."""
    return POINT[card // 4] if card >= 0 else 0


@kernel
def points(a, b, c):
    """The last digit of what up to three cards count; others are not there or hidden."""
    return (point(a) + point(b) + point(c)) % POINTS
