"""Option sets under which every game is played in the conformance tests, besides its defaults."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from qipai.envs import (
    big_two,
    blackjack,
    doudizhu,
    freecell,
    gongzhu,
    san_da_yi,
    san_gong,
    tuidaohu,
    xiangqi,
    zui_mahjong,
)
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.parts import auction, tiles, wall
from qipai.envs.parts.cards import RANKS
from qipai.envs.parts.ranks import SMALL_JOKER

# Matches of several hands, odd and unequal stacks, every other value of each rule option.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "baccarat": [
        {"hands": 30, "seats": 3, "stack": (1001, 333, 57), "chips": (7, 14, 70), "decks": 2},
        {"hands": 9, "seats": 6, "stack": (9, 40, 3, 5000, 77, 1), "chips": (1, 3, 9), "decks": 1},
        {"hands": 4, "seats": 1, "fresh_shoe": True, "both_sides": True, "max_chips": 12},
        {
            "hands": 5,
            "seats": 2,
            "cut": 416,
            "max_chips": 1,
            "pay_banker": 0,
            "pay_tie": 10_000,
            "pay_pair": 33,
            "pay_big": 133,
            "pay_small": 7,
        },
    ],
    "big_two": [
        {"hands": 5, "stake": 7, "stack": (1003, 77, 350, 61)},
        {"hands": 20, "stake": 3, "stack": (3, 10**15, 500, 4000)},
    ],
    "blackjack": [
        {"hands": 6, "seats": 3, "stack": (1001, 333, 57), "min_bet": 7, "max_bet": 31},
        {"hands": 5, "seats": 2, "stack": (100, 5000), "double_late": False, "split_by": "rank"},
        {"hands": 20, "seats": 5, "stack": (61, 62, 63, 640, 17), "min_bet": 3, "max_bet": 7},
        {"hands": 3, "seats": 4, "max_bet": 10},
    ],
    "doudizhu": [
        {"hands": 5, "stake": 7, "stack": (1003, 77, 350), "kickers": "loose"},
        {"hands": 3, "redeals": 0, "four_two": False, "kickers": "distinct"},
    ],
    "five_card_stud": [
        {"hands": 6, "seats": 3, "stack": (1001, 333, 57), "ante": 7},
        {"hands": 4, "seats": 2, "stack": (50, 5000)},
        {"hands": 20, "seats": 4, "stack": (61, 62, 63, 640), "ante": 3},
    ],
    "freecell": [
        {"hands": 5, "stake": 7, "stack": 23, "deal": 999_998, "auto_home": False},
        {"hands": 3, "stake": 5, "deal_max": 32_000, "max_moves": 20, "progress_reward": 3},
        {"hands": 2, "stake": 10, "stack": 4, "progress_reward": 1000},
    ],
    "gongzhu": [
        {"hands": 5, "stake": 7, "stack": (1003, 777, 350, 5000), "auto_fourth": False},
        {"hands": 20, "stake": 3, "stack": (3, 10**15, 500, 4000)},
    ],
    "hk_five_card": [
        {"hands": 6, "seats": 3, "stack": (1001, 333, 57), "ante": 7, "all_in_round": 4},
        {"hands": 4, "seats": 2, "stack": (50, 5000), "all_in_round": 1, "fold_refund": True},
        {
            "hands": 20,
            "seats": 5,
            "stack": (61, 62, 63, 640, 75),
            "ante": 3,
            "levels": (1, 4, 9, 25),
            "all_in_round": 3,
            "short_call": False,
        },
    ],
    "new_san_gong": [
        {"hands": 6, "seats": 3, "stack": (1001, 333, 80), "ante": 7, "rake": 0},
        {"hands": 4, "seats": 2, "stack": (110, 5000), "cap": 101, "rake": 100},
        {
            "hands": 20,
            "seats": 4,
            "stack": (61, 62, 63, 640),
            "ante": 3,
            "rake": 5,
            "escape_rake_all": True,
        },
    ],
    "roulette": [
        {"hands": 6, "seats": 3, "stack": (1001, 333, 57), "max_chips": 3, "limit_scope": "spot"},
        {
            "hands": 20,
            "seats": 6,
            "stack": (61, 62, 63, 640, 17, 2),
            "chips": (3, 6, 30),
            "max_inside": 31,
            "max_outside": 3,
            "max_even": 17,
        },
        {"hands": 5, "seats": 1, "stack": 100, "max_chips": 12, "chips": (7, 21, 441)},
        {"hands": 3, "seats": 2, "max_chips": 1},
    ],
    "san_gong": [
        {
            "hands": 20,
            "seats": 3,
            "stack": (1001, 333, 57),
            "bank_min": 50,
            "base_div": 7,
            "coefs": (30, 7, 7, 2, 2),
            "rake": 0,
        },
        {
            "hands": 20,
            "seats": 6,
            "stack": (61, 62, 63, 640, 1, 9999),
            "bank": "turns",
            "bank_min": 60,
            "base_div": 3,
            "use_coef": False,
            "rake": 13,
        },
        {"mode": "pairwise", "hands": 20, "seats": 5, "stack": (501, 62, 63, 64, 1), "room": 7},
        {
            "mode": "casino",
            "hands": 4,
            "seats": 3,
            "stack": (1001, 57, 9),
            "chips": (3, 6, 42),
            "max_chips": 5,
        },
        {
            "mode": "casino",
            "hands": 3,
            "seats": 1,
            "stack": 5000,
            "max_chips": 12,
            "max_main": 110,
            "both_sides": True,
        },
        {"seats": 2, "hands": 3, "stack": (101, 10**15), "base_div": 1, "rake": 100},
    ],
    "san_da_yi": [
        {"hands": 5, "stake": 7, "stack": (1003, 77, 350, 61), "run3_min": 2},
        {"hands": 3, "redeals": 0, "show_bottom": False, "stack": (9, 40, 3, 1)},
    ],
    "sanzhang": [
        {
            "hands": 6,
            "seats": 4,
            "stack": (1777, 345, 1099, 140),
            "ante": 7,
            "low": 3,
            "mid": 10,
            "high": 25,
            "cap": 11,
            "fee": 13,
            "factor": 3,
            "a23": "second",
            "special_distinct": False,
        },
        {"hands": 4, "seats": 2, "stack": (2025, 455), "a23": "none", "fee": 0},
        {"hands": 20, "seats": 3, "stack": (9999, 2345, 12_345_678_901), "factor": 5, "cap": 23},
        {"hands": 3, "seats": 5, "stack": 411, "high": 1000},
    ],
    "thirteen": [
        {"hands": 9, "seats": 3, "stack": (1001, 333, 57), "min_bet": 7, "allow_foul": False},
        {"hands": 5, "seats": 2, "stack": (500, 24), "min_bet": 2, "low_ace": "second"},
        {
            "hands": 20,
            "seats": 4,
            "stack": (61, 62, 63, 640),
            "min_bet": 5,
            "tenure": 2,
            "low_ace": "lowest",
            "dragon_wins": False,
        },
    ],
    "tuidaohu": [
        {
            "hands": 4,
            "stake": 7,
            "stack": (1003, 77, 350, 61),
            "horse_dragons": "one",
            "kongs_in_draw": True,
        },
        {"hands": 3, "horses_max": 0, "tianhu_kong": False, "escape_to": "players"},
        {"hands": 20, "stack": (1, 2, 3, 4), "kongs_in_draw": True, "escape_points": 100},
    ],
    "tuolaji": [
        {
            "hands": 6,
            "seats": 4,
            "stack": (1777, 345, 1099, 140),
            "cap": 11,
            "special_distinct": False,
            "compare_heads_up": True,
        },
        {"hands": 4, "seats": 2, "stack": (2025, 5000), "turn_limit": 4, "ante_float": False},
        {"hands": 20, "seats": 3, "stack": (9999, 2345, 12_345_678_901), "cap": 23, "floor": 100},
        {"hands": 3, "seats": 5, "stack": 1011, "turn_limit": 7, "compare_heads_up": True},
    ],
    "zui_mahjong": [
        {
            "hands": 4,
            "stake": 7,
            "stack": (1003, 777, 350, 261),
            "head_rule": "winner",
            "dragons_each": True,
            "wenqian": "pair",
        },
        {"hands": 3, "zui_value": 3, "discarder_triple": True, "dragon_loose": True},
        {"hands": 20, "stack": (1, 2, 3, 4), "zui_value": 1, "wenqian": "eight", "xiaoniu": False},
    ],
    "xiangqi": [
        {"hands": 7, "stake": 7, "stack": (1003, 15), "red": "seat1", "max_plies": 31},
        {"hands": 3, "repetition": "none", "nocapture_plies": 9, "resign": True},
        {"hands": 2, "stake": 10, "stack": (4, 9), "repetition": "minimal", "red": "seat0"},
        {"hands": 4, "draw_offers": False, "nocapture_plies": 240, "max_plies": 2000},
    ],
}

# How many first deals there are, where they are few: of the ball that is thrown later, or of the
# seat that is Red.
FEW_DEALS = {"roulette": 37, "xiangqi": 2}

# What seats are asked in secret on a table in play, told apart; None: what is done now is public.
SECRETS: dict[str, Callable[[np.void], tuple[int, ...] | None]] = {
    "baccarat": lambda s: (int(s["hand"]),),
    "big_two": lambda s: (int(s["log_count"]),),
    "blackjack": lambda s: (int(s["hand"]),) if s["phase"] == blackjack.BETTING else None,
    "doudizhu": lambda s: (int(s["log_count"]),) if s["phase"] == auction.PLAY else None,
    "gongzhu": lambda s: (int(s["hand"]),) if s["phase"] == gongzhu.EXPOSING else None,
    "roulette": lambda s: (int(s["hand"]),),
    "san_gong": lambda s: (
        (int(s["phase"]),)
        if s["phase"] in (san_gong.GRABBING, san_gong.BETTING, san_gong.LAYING)
        else None
    ),
    "san_da_yi": lambda s: (int(s["log_count"]),) if s["phase"] == auction.PLAY else None,
    "thirteen": lambda s: (int(s["phase"]),),
    "tuidaohu": lambda s: _question(s),
    "zui_mahjong": lambda s: (
        _question(s) or (int(s["discards"]), int(s["melds"].sum()), int(s["back"]))
    ),
}


def _question(s: np.void) -> tuple[int, ...] | None:
    """Who takes the tile in question."""
    asked = s["phase"] in (wall.CLAIM, wall.ROB)
    return (int(s["offer"]), int(s["discards"])) if asked else None


def _turn(s: np.void) -> tuple[int, ...]:
    """What a seat does in its turn, between two moves that all see."""
    return (-1, int(s["discards"]), int(s["melds"].sum()), int(s["back"]))


def variants(name: str) -> list[dict[str, Any]]:
    """The defaults and every other option set of a game."""
    return [{}, *VARIANTS[name]]


def rare_tables(name: str) -> np.ndarray | None:
    """Tables that offer the actions random play meets too seldom; None if there are none such."""
    rare = {
        "big_two": _big_two_straight_flushes,
        "doudizhu": _doudizhu_leads,
        "freecell": _freecell_suits,
        "san_da_yi": _san_da_yi_leads,
        "tuidaohu": lambda: _kongs(tuidaohu.GAME),
        "zui_mahjong": _zui_mahjong_hands,
        "xiangqi": _xiangqi_moves,
    }
    return rare[name]() if name in rare else None


def _big_two_straight_flushes() -> np.ndarray:
    """For each straight flush, a leader who holds just that."""
    first = big_two.STRAIGHT_FLUSH
    tables = addressable(np.zeros(big_two.BODIES - first, big_two.STATE))
    tables["hand"] = 1
    tables["to_beat"] = tables["body"] = big_two.NONE
    tables["cards"][:, 0] = big_two.STEP[first : big_two.BODIES]
    return tables


def _doudizhu_leads() -> np.ndarray:
    """For each body, a landlord on lead who holds just that body and kickers for it."""
    tables = addressable(np.zeros(doudizhu.BODY_END - doudizhu.BODY, doudizhu.STATE))
    tables["seats"] = doudizhu.SEATS
    tables["phase"] = auction.PLAY
    tables["kind"] = tables["body"] = doudizhu.NONE
    tables["rules"]["four_two"] = True
    for i, table in enumerate(tables):
        shape = doudizhu.SHAPES[doudizhu.BODY_KIND[i]]
        low, length = int(doudizhu.BODY_LOW[i]), int(doudizhu.BODY_LENGTH[i])
        hand = table["cards"][0]
        hand[low : low + length] = shape.width
        others = [r for r in reversed(range(13)) if not low <= r < low + length]
        for rank in others[: shape.each * length]:
            hand[rank] = shape.kicker
        table["left"] = hand.sum()
    return tables


def _san_da_yi_leads() -> np.ndarray:
    """For each move, a landlord on lead who holds just its cards; for a full, pairs to choose."""
    tables = addressable(np.repeat(san_da_yi.FIELDS.blank(), len(san_da_yi.MOVES)))
    tables["seats"] = san_da_yi.SEATS
    tables["phase"] = auction.PLAY
    tables["rules"]["run3_min"] = 2
    for table, move in zip(tables, san_da_yi.MOVES, strict=True):
        hand = table["cards"][0]
        for rank, count in move.needs.items():
            hand[rank] = min(count, san_da_yi.DECK[rank])
        wild = sum(move.needs.values()) - int(hand.sum()) + move.jokers
        hand[SMALL_JOKER:] += (min(wild, 2), max(wild - 2, 0))
        if move.kind == san_da_yi.FULL:
            hand[[r for r in range(SMALL_JOKER) if r != move.low]] = 2
        table["left"] = hand.sum()
    return tables


def _freecell_suits() -> np.ndarray:
    """For each column, a table with a run from a king to an ace in it, on one more card."""
    cards = {suit: [suit + rank for rank in RANKS[-2::-1] + RANKS[-1:]] for suit in "CDHS"}
    run = [cards["CD"[i % 2]][i] for i in range(13)]
    others = [card for row in zip(*cards.values(), strict=True) for card in row if card not in run]
    piles = [others[:1] + run, *(others[i::4] for i in (1, 2, 3, 4))]
    tables = []
    for column in range(freecell.COLUMNS):
        columns = ["" for _ in range(freecell.COLUMNS)]
        for i, pile in enumerate(piles):
            columns[(column + i) % freecell.COLUMNS] = " ".join(pile)
        tables.append(freecell.position(columns))
    return addressable(np.concatenate(tables))


def _xiangqi_moves() -> np.ndarray:
    """For each move, a piece of Red that makes it and two generals out of its way."""
    return addressable(np.concatenate([_xiangqi_move(move) for move in xiangqi.MOVES.tolist()]))


def _xiangqi_move(move: int) -> np.ndarray:
    start, end = divmod(move, xiangqi.POINTS)
    steppers = (xiangqi.HORSE, xiangqi.ADVISOR, xiangqi.ELEPHANT)
    kinds = [kind for kind in steppers if end in xiangqi.STEPS[kind, start, :, 0]]
    for red, black in product((3, 4, 5, 13), (66, 68, 84, 86)):
        board = np.zeros(xiangqi.POINTS, np.int8)
        board[black], board[red] = xiangqi.GENERAL + xiangqi.KINDS, xiangqi.GENERAL
        board[start] = (kinds or [xiangqi.ROOK])[0]
        try:
            table = xiangqi.position(xiangqi.write_board(board) + " w")
        except ValueError:  # the piece stands where a general should
            continue
        if move in table["choices"][0]:
            return table
    raise AssertionError(xiangqi.iccs(move))


def _kongs(game: Game) -> np.ndarray:
    """For each kind of tile, a turn with four of it, and one with a pong and the fourth."""
    tables = addressable(np.repeat(game.fields.blank(), 2 * tiles.KINDS))
    tables["phase"] = wall.DRAWN
    tables["back"] = wall.WALL - 1
    for tile in range(tiles.KINDS):
        tables["tiles"][tile, 0, tile] = tiles.COPIES
        table = tables[tiles.KINDS + tile]
        table["tiles"][0, tile] = 1
        table["melds"][0] = 1
        table["meld_kind"][0, 0] = wall.PONG
        table["meld_tile"][0, 0] = tile
    return tables


def _zui_mahjong_hands() -> np.ndarray:
    """Kongs, and a complete hand that can also be kept as one that waits."""
    tables = _kongs(zui_mahjong.GAME)
    complete = tables[:1].copy()
    complete["tiles"][0, 0] = np.bincount(
        tiles.parse_tiles("111222333m 444p 55s"), minlength=tiles.KINDS
    )
    return np.concatenate([tables, complete])
