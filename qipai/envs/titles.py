"""The 27 titles by coins (游戏等级) of the old game halls: they change nothing in play."""

from __future__ import annotations

from typing import NamedTuple

LOWEST = 200  # coins of the second title; every further one needs twice as many


class Title(NamedTuple):
    """A title: its number 1…27, its Chinese name and what that means."""

    number: int
    chinese: str
    english: str


_NAMES = (
    ("穷光蛋", "pauper"),
    ("靠救济", "on relief"),
    ("临时工", "temporary worker"),
    ("正式工", "regular worker"),
    ("主管助理", "assistant supervisor"),
    ("副主管", "deputy supervisor"),
    ("主管", "supervisor"),
    ("经理助理", "assistant manager"),
    ("副经理", "deputy manager"),
    ("经理", "manager"),
    ("总经理助理", "assistant general manager"),
    ("副总经理", "deputy general manager"),
    ("总经理", "general manager"),
    ("总裁助理", "assistant president"),
    ("副总裁", "vice president"),
    ("总裁", "president"),
    ("董事", "board member"),
    ("副董事长", "vice chairman"),
    ("董事长", "chairman"),
    ("娱乐明星", "entertainment star"),
    ("体育巨星", "sports star"),
    ("船业巨子", "shipping magnate"),
    ("石油大亨", "oil tycoon"),
    ("财团主席", "consortium chairman"),
    ("中国首富", "richest in China"),
    ("亚洲首富", "richest in Asia"),
    ("全球首富", "richest in the world"),
)
TITLES = tuple(Title(k, *names) for k, names in enumerate(_NAMES, 1))


def title(coins: int) -> Title:
    """The title of somebody with so many coins (at least 0)."""
    return TITLES[min(len(TITLES), 1 + (max(coins, 0) // LOWEST).bit_length()) - 1]


def threshold(number: int) -> int:
    """The fewest coins of title ``number`` (1…27)."""
    return 0 if number == 1 else LOWEST * 2 ** (number - 2)
