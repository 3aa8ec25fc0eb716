"""The auction for the landlord's place: each seat calls once, the highest bid takes the bottom.

A call is pass or a bid of 1, 2 or 3 above every earlier one; a 3 ends the auction. The landlord
takes the bottom cards, the ``bottom`` by rank, and leads. If all pass, the cards are thrown in and
dealt again, at most ``redeals`` times in a hand.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NONE, Actions
from qipai.envs.match import close_hand, end_match_below, next_seat
from qipai.envs.options import Option, integer

AUCTION, PLAY = range(2)  # phases
MOST = 3  # the highest bid
CALLS = MOST + 1


def redeals(clause: str) -> Option:
    """The option of how often a hand is dealt anew."""
    meaning = "new deals after all pass, per hand"
    return integer("redeals", 3, low=0, high=9, meaning=meaning, clause=clause)


def _redeals(s: np.void) -> int:
    return int(s["rules"]["redeals"])


def add_calls(actions: Actions) -> np.int64:
    """Add the calls to the actions of a game; returns the first id, a pass."""
    names = ["bid:pass", *(f"bid:{bid}" for bid in range(1, CALLS))]
    return actions.add("call", names, "auction; a bid above the highest so far")


def auction_fields(seats: int) -> tuple[Field, ...]:
    """What has been called, and who has become landlord."""
    return (
        Field.choice("phase", ("auction", "play"), "what is being done"),
        Field.seat("first", "first bidder"),
        Field.number(
            "thrown", lambda s: int(s["rules"]["redeals"]), "deals thrown in in this hand"
        ),
        Field.number("calls", MOST, "0 pass, 1–3; none: not yet", seats, empty=True),
        Field.number("bid", MOST, "highest bid so far"),
        Field.seat("bidder", "who bid it", empty=True),
        Field.seat("landlord", "none: still the auction", empty=True),
    )


@kernel
def open_auction(s, first):
    """A new deal is bid for, from seat ``first`` on."""
    for seat in range(s.seats):
        s.calls[seat] = NONE
    s.first = first
    s.turn = first
    s.bid = 0
    s.bidder = NONE


@kernel
def mark_calls(s, mask, first):
    """The legal calls; ``first`` is the action id of a pass."""
    mask[first] = 1
    for bid in range(s.bid + 1, CALLS):
        mask[first + bid] = 1


@kernel
def take_bottom(s):
    """The highest bidder becomes landlord, takes the bottom cards and leads."""
    s.phase = PLAY
    s.landlord = s.bidder
    s.turn = s.landlord
    for r in range(len(s.bottom)):
        s.left[s.landlord] += s.bottom[r]
        s.cards[s.landlord, r] += s.bottom[r]


@inlined
def call(s, bid, deal_cards):
    """The seat to act calls; ``deal_cards(s)`` deals anew and opens the auction."""
    s.calls[s.turn] = bid
    if bid > 0:
        s.bid = bid
        s.bidder = s.turn
    s.turn = next_seat(s, s.turn)
    if bid == MOST or s.turn == s.first:
        if s.bid > 0:
            take_bottom(s)
        elif s.thrown < s.rules.redeals:
            s.thrown += 1
            deal_cards(s)
        else:
            close_hand(s)
            end_match_below(s, s.rules.stake)


def auction_contradiction(s: np.void) -> str | None:
    """What can't be of the calls and what follows from them: ``Game.contradiction``."""
    first, phase, seats = int(s["first"]), int(s["phase"]), int(s["seats"])
    order = [(first + k) % seats for k in range(seats)]
    calls = [int(s["calls"][seat]) for seat in order if s["calls"][seat] != NONE]
    bids = [call for call in calls if call > 0]
    if NONE in s["calls"][order[: len(calls)]]:
        return f"calls has a seat that was left out, from seat {first} on"
    if bids != sorted(set(bids)) or MOST in calls[:-1]:
        return (
            f"calls are {calls} from seat {first} on: a bid must be above those before, "
            f"{MOST} is last"
        )
    bid, bidder = (bids[-1], order[calls.index(bids[-1])]) if bids else (0, NONE)
    if (s["bid"], s["bidder"]) != (bid, bidder):
        return f"bid is {s['bid']} of bidder={s['bidder']}: by the calls {bid} of {bidder}"
    done = bid == MOST or len(calls) == seats
    if (phase == PLAY) != (done and bid > 0):
        return f"phase is {phase}: the auction has {'' if done else 'not '}ended with bid={bid}"
    if s["landlord"] != (bidder if phase == PLAY else NONE):
        return f"landlord is {s['landlord']}: bidder is {bidder}, phase is {phase}"
    if phase == AUCTION and not s["ended"] and done:
        return "calls has one of each seat, so the hand must have ended"
    if phase == AUCTION and s["log_count"]:
        return f"log_count is {s['log_count']}, and it is still the auction"
    turn = order[len(calls) % seats]
    if phase == AUCTION and s["turn"] != turn:
        return f"turn is {s['turn']}: by the calls and moves so far it is {turn}"
    return None


def role(s: np.void, seat: int) -> str:
    """What a seat is called in its place of a scene."""
    if s["landlord"] < 0:
        return "bidding"
    return "landlord" if s["landlord"] == seat else "farmer"


def called(s: np.void, seat: int, actions: Actions, first: np.int64) -> str:
    """The call of a seat by its action's name; empty before it."""
    call = int(s["calls"][seat])
    return "" if call < 0 else actions.name(first + call)
