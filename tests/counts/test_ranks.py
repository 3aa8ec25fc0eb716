"""Cards by rank beside the counts they are drawn and written from."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.kernel import addressable
from qipai.envs.parts.ranks import (
    PACK,
    RANK_NAMES,
    cards_text,
    draw_card,
    lowest_held,
    parse_cards,
    rank_items,
)
from qipai.envs.rng import RNG, entropy, seed_stream


def test_a_pack_has_54_cards_and_text_of_them_reads_back_in_any_order() -> None:
    assert PACK.sum() == 54
    text = cards_text(PACK)
    assert (parse_cards(text) == PACK).all()
    assert (parse_cards("BJ10" + text.replace("BJ", "").replace("T", "", 1)) == PACK).all()
    assert rank_items(parse_cards("3T2SJ")) == ("SJ", "2", "T", "3")
    assert RANK_NAMES[lowest_held(parse_cards("Q92"))] == "9"
    with pytest.raises(ValueError, match="'X' is no rank"):
        parse_cards("33X")


def test_cards_are_drawn_in_proportion_to_their_counts() -> None:
    s = addressable(np.zeros(1, [("rng", RNG)]))[0]
    seed_stream(s["rng"], entropy(1), 0)
    drawn = np.zeros(len(PACK))
    times = 54_000
    for _ in range(times):
        source = PACK.copy()
        rank = draw_card(s, source)
        drawn[rank] += 1
        assert PACK[rank] - source[rank] == 1 == (PACK - source).sum()
    expected = times * PACK.astype(int) / 54
    assert ((drawn - expected) ** 2 / expected).sum() < 36.1  # chi-square, 14 degrees: p = 0.001
