"""What games of betting by turns share: who is dealt in, the seats still in, the pot, the log.

A record ``s`` has the fields that a function names; by seat are ``live`` (dealt in and not out) and
``stake`` (what was put in in this hand).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NONE, Actions, Range, put_seat
from qipai.envs.match import ENDED, close_hand, count_seats, draw_seat, next_seat
from qipai.envs.options import OptionError
from qipai.envs.parts.shares import share

LOG = 20  # actions kept in order
MOST = 10**9  # actions of a hand that can be counted

# --- Seats -------------------------------------------------------------------------------------


def check_stacks(game: str, rules: Mapping[str, Any], need: int, what: str, *named: str) -> None:
    """OptionError if fewer than two seats could be dealt in.

    Args:
        need: coins that a seat must hold, ``what`` they are for, and the options they follow from.
    """
    if sum(stack >= need for stack in rules["stack"]) < 2:
        stack, *given = [f"{name}={_written(rules[name])}" for name in ("stack", *named)]
        given = [", ".join(given[:-1]), given[-1]] if len(given) > 1 else given
        raise OptionError(
            f"{game}: {stack} with {' and '.join(given)} lets fewer than two seats play; allowed: "
            f"at least two stacks of {what} ({need}) or more"
        )


def _written(value: Any) -> str:
    return repr(list(value) if isinstance(value, tuple) else value)


@inlined
def last_winner(s, can_play):
    """The ``winner`` of the last hand; if there is none, or it can't be dealt in, a random seat."""
    if s.hand == 0 or not can_play(s, s.winner):
        return draw_seat(s, can_play)
    return s.winner


@kernel
def deal_in(s, seat, stake):
    """A seat puts in its first coins and takes part in the hand."""
    s.dealt_in[seat] = 1
    s.live[seat] = 1
    s.stake[seat] = stake


@inlined
def end_hand(s, can_play):
    """The hand is over, and the match if fewer than two seats could be dealt in again."""
    close_hand(s)
    if count_seats(s, can_play) < 2:
        s.over = ENDED


@kernel
def live_seats(s):
    count = 0
    for seat in range(s.seats):
        count += s.live[seat]
    return count


@kernel
def next_live(s, seat):
    """The next live seat after this one; itself if there is no other."""
    for k in range(1, s.seats):
        following = (seat + k) % s.seats
        if s.live[following]:
            return following
    return seat


# --- Coins -------------------------------------------------------------------------------------


@kernel
def pot(s):
    """All stakes."""
    total = 0
    for seat in range(s.seats):
        total += s.stake[seat]
    return total


@kernel
def first_winner(s):
    """The first seat after the ``banker``, itself the last, that has ``won``."""
    for k in range(1, s.seats + 1):
        seat = (s.banker + k) % s.seats
        if s.won[seat]:
            return seat
    return NONE


def winners(s: np.void) -> list[int]:
    """All that have ``won``, in the order in which odd coins go to them."""
    order = [(s["banker"] + k) % s["seats"] for k in range(1, int(s["seats"]) + 1)]
    return [int(seat) for seat in order if s["won"][seat]]


@kernel
def divide(s, coins):
    """Add to ``coins`` of all that have ``won`` an equal part; what is left over goes one by one to
    the first of them after the ``banker``."""
    share(coins, s.won, s.coins, s.seats, next_seat(s, s.banker))


# --- The log: action i of a hand stands at i mod LOG of ``log_seat`` and ``log_action`` ----------


def log_fields(actions: Actions) -> tuple[Field, ...]:
    """The fields of the log of a game with these actions."""
    return (
        Field.number("log_count", MOST, "actions of this hand; entry i stands at i mod LOG"),
        Field.seat("log_seat", "who acted", LOG, empty=True),
        Field.action("log_action", actions, "what was done", LOG),
    )


def log_contradiction(s: np.void) -> str | None:
    """What can't be in a log: ``Game.contradiction``."""
    kept = min(LOG, int(s["log_count"]))
    for name in ("log_seat", "log_action"):
        if (s[name][:kept] == NONE).any() or (s[name][kept:] != NONE).any():
            return f"{name} has not {kept} entries, as log_count={s['log_count']} says"
    return None


@kernel
def log(s, seat, action):
    place = s.log_count % LOG
    s.log_seat[place] = seat
    s.log_action[place] = action
    s.log_count += 1


@kernel
def is_on_record(s):
    """Whether the log tells all that happened in this hand: it goes back to the first action, and
    nobody dealt in has left."""
    for seat in range(s.seats):
        if s.dealt_in[seat] and s.away[seat]:
            return False
    return s.log_count <= LOG


@kernel
def next_logged(s, later):
    """The action after those logged in ``s``, by the log of a later table of the same hand; NONE
    if there is none."""
    number = s.log_count
    return np.int64(later.log_action[number] if number < later.log_count else NONE)


def log_range(seats: int, actions: Actions) -> Range:
    """The range that ``put_log`` fills."""
    return Range("log", (LOG, seats + actions.width), "last actions, newest first: seat, action")


@inlined
def put_log(out, v, seat, seats):
    """Write the log to ``out`` (LOG, seats + actions), newest action first: flags by place after
    the own seat, then of the action."""
    for k in range(min(LOG, v.log_count)):
        place = (v.log_count - 1 - k) % LOG
        put_seat(out[k], seat, v.log_seat[place], v.seats)
        out[k, seats + v.log_action[place]] = 1


def log_lines(v: np.void, actions: Actions) -> tuple[str, ...]:
    """The log in words, ``seat: action``, oldest first."""
    count = int(v["log_count"])
    return tuple(
        f"{int(v['log_seat'][i % LOG])}: {actions.name(int(v['log_action'][i % LOG]))}"
        for i in range(max(0, count - LOG), count)
    )
