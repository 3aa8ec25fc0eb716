"""Stud tables: a redeal spreads exactly the unseen cards, each of them equally often."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs import make_tables
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import engine
from qipai.envs.parts.stud import seat_cards


@pytest.mark.parametrize("name", ["five_card_stud", "hk_five_card"])
def test_hidden_holes_are_equally_likely(name: str) -> None:
    tables = make_tables(name, 1, seed=3, seats=2)
    game, n = tables.game, 20_000
    seat = int(tables.turn[0])
    view = tables.views()[0]
    seen = {card for s in (0, 1) for card in seat_cards(view, s) if card != HIDDEN}
    worlds = addressable(np.repeat(tables.views(), n))
    engine(game).redeal_views(worlds, np.full(n, seat), np.uint64(8))
    deck = set(range(52 - len(view["deck"]), 52))
    assert len(seen) == 3 and view["hole"][1 - seat] == HIDDEN
    drawn = np.bincount(worlds["hole"][:, 1 - seat], minlength=52)
    assert set(np.flatnonzero(drawn).tolist()) == deck - seen
    expected = n / len(deck - seen)
    chi_square = ((drawn[sorted(deck - seen)] - expected) ** 2).sum() / expected
    assert chi_square < 60  # 24 or 28 degrees of freedom: beyond 60 once in 2,000
    assert all(game.census(world) == game.census(tables.state[0]) for world in worlds[:50])
