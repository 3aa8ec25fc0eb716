"""Dividing coins: by what is owed to each, to the last coin."""

from __future__ import annotations

from qipai.envs.kernel import inlined, kernel


@kernel
def part(pool, due, total, remainder):
    """⌊pool × due / total⌋, or what that leaves over; all below 2^61, though not the product."""
    whole, rest = 0, 0
    bit = 1
    while bit <= due:
        bit <<= 1
    while bit > 1:  # long multiplication by the bits of ``due``, divided as it goes
        bit >>= 1
        whole, rest = 2 * whole, 2 * rest
        if due & bit:
            whole += pool // total
            rest += pool % total
        whole += rest // total
        rest %= total
    return rest if remainder else whole


@inlined
def share(pool, dues, shares, seats, first):
    """Add to ``shares`` of each seat its part of ``pool``, in proportion to ``dues``.

    Parts are rounded down; what is left goes one by one to the largest remainders, ties in playing
    order from seat ``first``. ``dues`` and ``shares`` are int64 arrays; dues of 0 and below count
    as none, and some due must be positive.
    """
    total = 0
    for seat in range(seats):
        total += max(dues[seat], 0)
    left = pool
    for seat in range(seats):
        if dues[seat] > 0:
            whole = dues[seat] if pool == total else part(pool, dues[seat], total, False)
            shares[seat] += whole
            left -= whole
    for k in range(seats):
        seat = (first + k) % seats
        if left > 0 and dues[seat] > 0:
            rest = part(pool, dues[seat], total, True)
            ahead = 0  # seats that get one of the coins left before this one
            for j in range(seats):
                other = (first + j) % seats
                if dues[other] > 0:
                    others = part(pool, dues[other], total, True)
                    ahead += others > rest or (others == rest and j < k)
            shares[seat] += ahead < left
