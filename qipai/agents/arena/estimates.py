"""Means and their 95 % intervals, a game one observation."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """Coins per hand; the 95 % interval is ``mean`` ± ``margin``.

    None where no interval is known: only one game was seen, or all came out alike.
    """

    mean: float
    margin: float | None


def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t with ``freedom`` ≥ 1 degrees of freedom.

    Closed forms for 1 and 2, beyond them the Cornish–Fisher expansion of Abramowitz and Stegun
    (1964), 26.7.5: 0.12 % low at 3, 0.03 % at 4, and ever less.
    """
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = statistics.NormalDist().inv_cdf(0.975)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def estimate(coins: np.ndarray, hands: np.ndarray) -> Estimate:
    """Coins per hand from sums over each of several different games, (games,) both.

    With equally many hands in all games this is their mean with Student's interval; otherwise the
    ratio of the sums and its linearised variance (Cochran, Sampling Techniques, 1977, 2.11). Games
    that all come out alike tell nothing of how far others may be off, so there is no interval then.
    """
    games = len(coins)
    mean = float(coins.sum() / hands.sum())
    if games < 2 or np.allclose(coins / hands, mean, rtol=1e-12, atol=1e-12):
        return Estimate(mean, None)
    rest = coins - mean * hands
    error = math.sqrt(float((rest**2).sum()) * games / (games - 1)) / float(hands.sum())
    return Estimate(mean, student_quantile(games - 1) * error)


def rarely(games: int) -> float:
    """The share of all games below which, with 95 % confidence, those are that come out otherwise,
    if ``games`` came out alike: some 3 / ``games`` (Clopper and Pearson, 1934)."""
    return 1 - 0.05 ** (1 / games)
