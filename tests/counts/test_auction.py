"""The landlord's auction beside every sequence of calls, listed."""

from __future__ import annotations

from itertools import product

import pytest

from qipai.envs.layout import NONE
from qipai.envs.parts.auction import AUCTION, PLAY
from tests.table import Table

NAMES = ("bid:pass", "bid:1", "bid:2", "bid:3")


def auctions(seats: int) -> set[tuple[int, ...]]:
    """Every auction: a call of each seat in turn, bids rise, a 3 is the last call."""
    found = set()
    for calls in product(range(4), repeat=seats):
        cut = calls[: calls.index(3) + 1] if 3 in calls else calls
        bids = [call for call in cut if call > 0]
        if bids == sorted(set(bids)):
            found.add(cut)
    return found


@pytest.mark.parametrize("game, seats", [("doudizhu", 3), ("san_da_yi", 4)])
def test_every_auction_can_be_called_and_no_other(game: str, seats: int) -> None:
    found: set[tuple[int, ...]] = set()
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        calls = waiting.pop()
        table = Table(game, redeals=0).deal()
        first = table.turn
        table.play(*(NAMES[call] for call in calls))
        s = table.s
        if s["phase"] == AUCTION and not s["ended"]:
            waiting += [(*calls, call) for call in range(4) if NAMES[call] in table.legal]
            continue
        found.add(calls)
        bid = max(calls)
        landlord = (first + calls.index(bid)) % seats if bid > 0 else NONE
        assert (s["phase"], s["bid"], s["landlord"]) == (PLAY if bid else AUCTION, bid, landlord)
        if bid > 0:
            assert table.turn == landlord
            assert s["left"][landlord] == s["left"].min() + s["bottom"].sum()
    assert found == auctions(seats)
