"""What games of betting by turns share: the seats still in, the pot, and the log of actions.

A record ``s`` has the fields that a function names; by seat are ``live`` (dealt in and not out) and
``stake`` (what was put in in this hand).
"""

from __future__ import annotations

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NOBODY, Actions, put_seat
from qipai.envs.parts.shares import share
from qipai.envs.rng import below

LOG = 20  # actions kept in order
MOST = 10**9  # actions of a hand that can be counted

# --- Seats -------------------------------------------------------------------------------------


@inlined
def players(s, can_play):
    """How many seats could be dealt in, by the game's kernel ``can_play(s, seat)``."""
    count = 0
    for seat in range(s.seats):
        count += can_play(s, seat)
    return count


@inlined
def random_player(s, can_play):
    """One of the seats that could be dealt in; −1 if there is none."""
    left = below(s.rng, players(s, can_play))
    drawn = -1
    for seat in range(s.seats):
        left -= can_play(s, seat)
        if left < 0 and drawn < 0:
            drawn = seat
    return drawn


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


@kernel
def to_act(s, first, count):
    """The first live one of ``count`` seats from ``first`` on that has not ``acted``, or NOBODY."""
    for k in range(count):
        seat = (first + k) % s.seats
        if s.live[seat] and not s.acted[seat]:
            return seat
    return NOBODY


def contradiction(s: np.void) -> str | None:
    """What can't be among seats that bet by rounds (``street``): ``Game.contradiction``.

    The fields looked at, besides everybody's, are ``dealt_in``, ``live``, ``acted``, ``stake``,
    ``paid`` and ``winner``.
    """
    turn, playing = int(s["turn"]), not s["ended"]
    if s["live"].sum() < 1 + playing:
        return f"live has {s['live'].sum()} seats, and the hand has{' not' * playing} ended"
    if playing and (not s["live"][turn] or s["acted"][turn]):
        return f"turn is {turn}, a seat that is out or has acted in this round"
    if (s["winner"] == NOBODY) != playing:
        return f"winner is {s['winner']}, and the hand has{' not' * playing} ended"
    stakes = s["dealt_in"] * (s["rules"]["ante"] + s["paid"].sum(axis=0))
    for seat in range(len(stakes)):
        stake = s["stake"][seat]
        if stake != stakes[seat]:
            return f"stake[{seat}] is {stake}: ante and bets come to {stakes[seat]}"
        if playing and stake > s["stack"][seat]:
            return f"stake[{seat}] is {stake}, more than its stack of {s['stack'][seat]}"
    return None


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
    return NOBODY


@kernel
def divide(s, coins):
    """Add to ``coins`` of all that have ``won`` an equal part; what is left over goes one by one to
    the first of them after the ``banker``."""
    share(coins, s.won, s.coins, s.seats, (s.banker + 1) % s.seats)


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
        if (s[name][:kept] == NOBODY).any() or (s[name][kept:] != NOBODY).any():
            return f"{name} has not {kept} entries, as log_count={s['log_count']} says"
    return None


@kernel
def log(s, seat, action):
    place = s.log_count % LOG
    s.log_seat[place] = seat
    s.log_action[place] = action
    s.log_count += 1


@kernel
def log_in_round(s, seat, action):
    """Log an action; it is the seat's ``last_action`` in this betting round (``street``)."""
    s.last_action[s.street, seat] = action
    log(s, seat, action)


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
    """The action after those logged in ``s``, by the log of a later table of the same hand; NOBODY
    if there is none."""
    number = s.log_count
    return np.int64(later.log_action[number] if number < later.log_count else NOBODY)


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
