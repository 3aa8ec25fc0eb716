"""Doudizhu by the clauses R1-R19 of its rules, with coins worked out by hand."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make
from qipai.envs.checking import check
from qipai.envs.doudizhu import BODY, BODY_END, BODY_KIND, BODY_LENGTH, BODY_LOW, DECK, GAME, SHAPES
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import encoded, engine
from qipai.envs.parts.auction import AUCTION, PLAY
from qipai.envs.parts.ranks import RANK_NAMES, cards_text, parse_cards
from qipai.envs.rng import entropy
from qipai.envs.tables import Tables
from qipai.envs.wire import dumps
from tests.doudizhu_positions import KINDS, Position

LOOSE = {"kickers": "loose"}
DISTINCT = {"kickers": "distinct"}


def auction(first: int, **options) -> Position:
    """A dealt table with the auction open; seat ``first`` bids first and owns the shown card."""
    position = Position.dealt(**options)
    s = position.s
    s["first"] = s["turn"] = first
    s["shown"] = np.flatnonzero(s["cards"][first])[0]
    return position


def leader(hand: str, **options) -> Position:
    """Seat 0 on lead as landlord."""
    return Position(hand, "345", "345", **options)


def spaced(text: str) -> set[str]:
    return set(text.split())


# --- The deal and the auction ------------------------------------------------------------------


def test_R1_deck():
    assert (*"3456789TJQKA2", "SJ", "BJ") == RANK_NAMES
    assert GAME.census(auction(0).s) == (4,) * 13 + (1, 1)


def test_R1_rank_order():
    one_of_each = "3456789TJQKA2SJBJ"
    for rank, name in enumerate(RANK_NAMES[:-1]):
        after = Position(name + "33", one_of_each, "44").play(name)
        singles = [m for m in after.moves() if KINDS[GAME.parse(m)] == "single"]
        assert singles == list(RANK_NAMES[rank + 1 :])


def test_R2_turns_go_round_in_seat_order():
    bids = auction(1).play("bid:pass")
    assert bids.s["turn"] == 2
    assert bids.play("bid:1").s["turn"] == 0
    table = Position("3456", "4567", "5678", landlord=2)
    assert [int(table.play(move).s["turn"]) for move in ("5", "6", "7")] == [0, 1, 2]


def test_R3_deal():
    tables = Tables(GAME, 500, seed=3).state
    assert (tables["cards"].sum(axis=2) == 17).all()
    assert (tables["left"] == 17).all()
    assert (tables["bottom"].sum(axis=1) == 3).all()
    assert (tables["cards"].sum(axis=1) + tables["bottom"] == DECK).all()


def test_R3_every_place_gets_every_card_equally_often():
    n = 20_000
    tables = Tables(GAME, n, seed=33).state
    for places, dealt in ((17, tables["cards"]), (3, tables["bottom"][:, None])):
        mean = places * DECK / 54
        spread = (mean * (1 - DECK / 54) * (54 - places) / 53 / n) ** 0.5
        assert (abs(dealt.mean(axis=0) - mean) < 4.5 * spread).all()


def test_R4_shown_card():
    n = 20_000
    tables = Tables(GAME, n, seed=4).state
    where = np.arange(n)
    assert (tables["turn"] == tables["first"]).all()
    assert (tables["cards"][where, tables["first"], tables["shown"]] > 0).all()
    for shown, chance in ((tables["first"], np.full(3, 1 / 3)), (tables["shown"], DECK / 54)):
        seen = np.bincount(shown, minlength=len(chance)) / n
        assert (abs(seen - chance) < 4.5 * (chance * (1 - chance) / n) ** 0.5).all()


def test_R4_the_shown_card_is_uniform_over_cards():
    tables = Tables(GAME, 20_000, seed=44).state
    held = tables["cards"][np.arange(len(tables)), tables["first"], tables["shown"]]
    hands = tables["cards"].astype(float)
    expected = (hands**2).sum(axis=2).mean() / 17  # of a card drawn uniformly
    assert abs(held.mean() - expected) < 0.03


def test_R4_everybody_sees_the_shown_card_and_its_owner():
    table = auction(2)
    for seat in range(3):
        view = table.view(seat).s
        assert (view["first"], view["shown"]) == (2, table.s["shown"])


def calls_in_full(first: int) -> list[tuple[list[str], int | None, int]]:
    """Every complete auction by R5 with its landlord and bid; None: all passed."""
    auctions = []
    for calls in product(range(4), repeat=3):
        bids = [c for c in calls if c]
        if 3 in bids:
            calls = calls[: calls.index(3) + 1]
            bids = [c for c in calls if c]
        if bids != sorted(set(bids)):
            continue
        landlord = (first + calls.index(max(bids))) % 3 if bids else None
        names = ["bid:pass" if c == 0 else f"bid:{c}" for c in calls]
        if (names, landlord, max(bids, default=0)) not in auctions:
            auctions.append((names, landlord, max(bids, default=0)))
    return auctions


@pytest.mark.parametrize("first", range(3))
def test_R5_every_auction(first):
    auctions = calls_in_full(first)
    for calls, landlord, bid in auctions:
        table = auction(first)
        for i, name in enumerate(calls):
            assert table.s["phase"] == AUCTION
            assert table.s["turn"] == (first + i) % 3
            assert table.steps() == {other[i] for other, _, _ in auctions if other[:i] == calls[:i]}
            table.play(name)
        if landlord is None:
            assert table.s["phase"] == AUCTION and table.s["thrown"] == 1
        else:
            assert table.s["phase"] == PLAY
            assert (table.s["landlord"], table.s["turn"], table.s["bid"]) == (
                landlord,
                landlord,
                bid,
            )


def test_R5_worked_example_4():
    table = auction(2).play("bid:1", "bid:pass", "bid:2")
    assert (table.s["landlord"], table.s["bid"], table.s["phase"]) == (1, 2, PLAY)
    table = auction(1).play("bid:pass", "bid:3")
    assert (table.s["landlord"], table.s["bid"], table.s["phase"]) == (2, 3, PLAY)
    table = auction(0).play("bid:pass", "bid:pass", "bid:pass")
    assert (table.s["landlord"], table.s["phase"], table.s["thrown"]) == (NONE, AUCTION, 1)
    assert not table.s["ended"]


@pytest.mark.parametrize("redeals", [0, 1, 3, 9])
def test_R6_all_pass(redeals):
    table = auction(0, redeals=redeals)
    for thrown in range(redeals + 1):
        before = table.s["cards"].copy()
        assert table.s["thrown"] == thrown
        table.play("bid:pass", "bid:pass")
        assert not table.s["ended"]
        table.play("bid:pass")
        if thrown < redeals:
            assert (table.s["cards"] != before).any()
            assert GAME.census(table.s) == tuple(DECK)
            assert (table.s["cards"].sum(axis=1) == 17).all()
            assert (table.s["calls"] == NONE).all() and table.s["bid"] == 0
            assert table.s["turn"] == table.s["first"]
            assert table.s["cards"][table.s["first"], table.s["shown"]] > 0
    assert table.coins == (0, 0, 0)
    assert table.s["over"]
    assert GAME.report(table.s)["reason"] == "all passed"


def test_R6_thrown_in_cards_stay_unseen():
    """Two tables whose thrown-in deals differ look the same afterwards."""
    table = auction(0)
    other = table.copy()
    other.s["cards"][[1, 2]] = other.s["cards"][[2, 1]]
    passes = ["bid:pass"] * 3
    for seat in range(3):
        one, two = (t.copy().play(*passes).view(seat) for t in (table, other))
        assert dumps(GAME, one.s, seat) == dumps(GAME, two.s, seat)


def test_R7_bottom_cards():
    table = auction(1)
    hand, bottom = table.s["cards"][2].copy(), table.s["bottom"].copy()
    for seat in range(3):
        assert (table.view(seat).s["bottom"] == HIDDEN).all()
    table.play("bid:1", "bid:2", "bid:pass")
    assert (table.s["cards"][2] == hand + bottom).all()
    assert table.s["left"].tolist() == [17, 17, 20]
    for seat in range(3):
        assert (table.view(seat).s["bottom"] == bottom).all()


# --- Play --------------------------------------------------------------------------------------


def test_R8_landlord_leads_and_must_play():
    table = auction(0).play("bid:1", "bid:2", "bid:pass")
    assert table.s["turn"] == table.s["landlord"] == 1
    assert "pass" not in table.steps()


def test_R8_others_pass_or_beat_the_table():
    table = Position("77345", "88663", "99345").play("77")
    assert table.moves() == ["pass", "88"]
    table.play("88")
    assert table.moves() == ["pass", "99"]


def test_R8_a_seat_that_passed_may_play_again():
    table = Position("7Q345", "9K345", "8A345").play("7", "pass", "8", "Q")
    assert table.moves() == ["pass", "K"]


def test_R8_after_two_passes_the_owner_of_the_table_leads():
    table = Position("7345", "8345", "9345").play("7", "8", "pass")
    assert table.s["turn"] == 0 and "pass" in table.moves()
    table.play("pass")
    assert table.s["turn"] == 1 and table.s["kind"] == NONE
    assert table.moves() == ["3", "4", "5"]


def meanings(text: str, **options) -> list[str]:
    """The legal whole moves of a leader that use all cards of the hand, as ``kind name``."""
    lead = leader(text, **options)
    first, used = lead.found()
    whole = (used == lead.s["cards"][0]).all(axis=1)
    names = lead.moves()
    return [f"{KINDS[first[i]]}: {names[i]}" for i in np.flatnonzero(whole)]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("3", "single: 3"),
        ("SJ", "single: SJ"),
        ("BJ", "single: BJ"),
        ("22", "pair: 22"),
        ("AAA", "trio: AAA"),
        ("3337", "trio+1: 333+7"),
        ("222BJ", "trio+1: 222+BJ"),
        ("33344", "trio+2: 333+44"),
        ("34567", "run: 34567"),
        ("TJQKA", "run: TJQKA"),
        ("3456789TJQKA", "run: 3456789TJQKA"),
        ("334455", "pair run: 334455"),
        ("QQKKAA", "pair run: QQKKAA"),
        ("33445566778899TTJJQQ", "pair run: 33445566778899TTJJQQ"),
        ("333444", "trio run: 333444"),
        ("333444555666777888", "trio run: 333444555666777888"),
        ("33344478", "plane+1: 333444+7+8"),
        ("33344477", "plane+1: 333444+7+7"),
        ("333444555666777899TT", "plane+1: 333444555666777+8+9+9+T+T"),
        ("3334447788", "plane+2: 333444+77+88"),
        ("33344455566677889922", "plane+2: 333444555666+77+88+99+22"),
        ("333347", "four+1+1: 3333+4+7"),
        ("222244JJ", "four+2+2: 2222+44+JJ"),
        ("5555", "bomb: 5555"),
        ("SJBJ", "rocket: SJBJ"),
    ],
)
def test_R9_kinds(text, meaning):
    assert meanings(text) == [meaning]


@pytest.mark.parametrize(
    "text",
    [
        *("34", "3SJ", "SJSJ", "33BJ"),  # one rank only, and no pair of jokers
        *("3456", "JQKA2", "QKA23", "A2345", "TJQKASJ"),  # runs: five or more, 3…A
        *("3344", "KKAA22", "334466", "44556"),  # pair runs: three or more
        *("AAA222", "333555"),  # trio runs: neighbours in 3…A
        *("33345", "333444567", "3334445567", "333344567"),  # too many kickers, or mixed ones
    ],
)
def test_R9_no_moves(text):
    assert meanings(text) == []


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("333344", "four+1+1: 3333+4+4"),
        ("33344455", "plane+1: 333444+5+5"),
        ("3334445566", "plane+2: 333444+55+66"),
        ("333444555777", "plane+1: 333444555+7+7+7"),
        ("QQQKKKAAA222", "plane+1: QQQKKKAAA+2+2+2"),
        ("333444555666", "trio run: 333444555666"),
        ("TJQKA", "run: TJQKA"),
        ("33334444", None),
        ("33344433", None),
        ("34445555", None),
        ("333444SJBJ", None),
        ("3333SJBJ", None),
        ("99923", None),
        ("AA2233", None),
    ],
)
def test_R9_worked_example_9(text, meaning):
    assert meanings(text) == ([meaning] if meaning else [])


def test_R9_four_two_option():
    for text in ("333347", "33334455"):
        assert len(meanings(text)) == 1
        assert meanings(text, four_two=False) == []
    steps = leader("333344556", four_two=False).steps()
    assert "3333" in steps and not steps & {"3333+x+x", "3333+xx+xx"}


# --- Kickers -----------------------------------------------------------------------------------


def test_R10_K1_no_kicker_has_a_rank_of_the_main_part():
    lead = leader("33334")
    assert lead.moves() == ["3", "4", "33", "333", "333+4", "3333"]
    for options in ({}, LOOSE):
        assert meanings("3333", **options) == ["bomb: 3333"]
        assert meanings("33344433", **options) == []


def test_R10_K2_pair_kickers_are_pairs_of_different_ranks():
    assert meanings("33322") == ["trio+2: 333+22"]
    assert meanings("333SJBJ") == []
    assert meanings("33334444") == []
    assert meanings("3334442222") == []
    assert meanings("333344SJBJ") == []


def test_R10_K3_single_kickers_never_include_both_jokers():
    assert meanings("33334SJ") == ["four+1+1: 3333+4+SJ"]
    assert meanings("3334445557SJBJ", **LOOSE) == []
    assert meanings("33344455578BJ") == ["plane+1: 333444555+7+8+BJ"]


def test_R10_K4_at_most_three_single_kickers_of_a_rank():
    for options in ({}, LOOSE):
        assert meanings("333444555666999J", **options) == ["plane+1: 333444555666+9+9+9+J"]
        assert meanings("3334445556669999", **options) == []


def test_R10_K5_three_single_kickers_next_to_a_plane_lengthen_it():
    assert meanings("3334445556667778") == []
    assert meanings("444555666777333J") == []
    assert meanings("444555666777338J") == ["plane+1: 444555666777+3+3+8+J"]
    assert meanings("JJJQQQKKKAAA2223") == ["plane+1: JJJQQQKKKAAA+3+2+2+2"]
    assert meanings("3334445556667789") == ["plane+1: 333444555666+7+7+8+9"]


def test_R10_distinct_kickers():
    assert meanings("33344455", **DISTINCT) == []
    assert meanings("333344", **DISTINCT) == []
    assert meanings("33344456", **DISTINCT) == ["plane+1: 333444+5+6"]
    assert meanings("3334445566", **DISTINCT) == ["plane+2: 333444+55+66"]


def test_R10_loose_kickers():
    assert meanings("333444555666", **LOOSE) == [
        "trio run: 333444555666",
        "plane+1: 333444555+6+6+6",
        "plane+1: 444555666+3+3+3",
    ]
    assert meanings("3334445556667778", **LOOSE) == [
        "plane+1: 333444555666+7+7+7+8",
        "plane+1: 444555666777+3+3+3+8",
    ]


# --- Beating -----------------------------------------------------------------------------------


def beats(body: int, table: int) -> bool:
    """R11 on bodies."""
    kind, other = (SHAPES[BODY_KIND[b - BODY]].name for b in (body, table))
    higher = BODY_LOW[body - BODY] > BODY_LOW[table - BODY]
    if kind == "rocket":
        return True
    if kind == "bomb":
        return bool(other != "bomb" or higher)
    return bool(kind == other and BODY_LENGTH[body - BODY] == BODY_LENGTH[table - BODY] and higher)


def test_R11_which_bodies_beat_which():
    lead = Position(cards_text(DECK), cards_text(DECK), "3")
    rocket = GAME.parse("SJBJ")
    for table in range(BODY, BODY_END):
        after = lead.copy()
        GAME.apply(after.s, table)
        while after.s["body"] != NONE:
            GAME.apply(after.s, GAME.default(after.s))
        if table == rocket:  # nothing beats it
            assert after.log == ["0: SJBJ", "1: pass", "2: pass"]
        else:
            offered = set(np.flatnonzero(after.mask))
            better = {body for body in range(BODY, BODY_END) if beats(body, table)}
            assert offered == {GAME.parse("pass")} | better


def test_R11_kickers_never_count():
    table = Position("333AA89", "44467", "34").play("333+A")
    assert table.moves() == ["pass", "444+6", "444+7"]
    table = Position("333AA89", "4446677", "34").play("333+AA")
    assert table.moves() == ["pass", "444+66", "444+77"]


def test_R11_the_two_kinds_of_four_two_do_not_meet():
    table = Position("33337789", "444466", "55").play("3333+7+8")
    assert table.moves() == ["pass", "4444+6+6", "4444"]
    table = Position("333377889", "44446699", "5555").play("3333+77+88")
    assert table.moves() == ["pass", "4444+66+99", "4444"]


def test_R11_lengths_must_be_the_same():
    table = Position("345678", "456789T", "33").play("34567")
    assert table.moves() == ["pass", "45678", "56789", "6789T"]


@pytest.mark.parametrize(
    ("table", "hand", "moves"),
    [
        ("QQ", "888822", ["pass", "22", "8888"]),
        ("8888", "22KK", ["pass"]),
        ("2222", "33SJBJ", ["pass", "SJBJ"]),
        ("22", "22A", ["pass"]),
    ],
)
def test_R11_worked_example_8(table, hand, moves):
    assert Position(table + "345", hand, "345").play(table).moves() == moves


def test_R11_worked_example_8_rocket():
    table = Position("SJBJ345", "33332222A", "456").play("SJBJ")
    assert table.log == ["0: SJBJ", "1: pass", "2: pass"]
    table.s["turn"], table.s["kind"] = (
        1,
        SHAPES.index(next(s for s in SHAPES if s.name == "rocket")),
    )
    assert table.moves() == ["pass"]


# --- End, multiplier, spring -------------------------------------------------------------------


def test_R12_landlord_out():
    table = Position("3A", "47", "56").play("3", "4", "pass", "A")
    assert table.coins == (6, -3, -3)
    assert GAME.report(table.s)["reason"] == "landlord out"
    assert GAME.report(table.s)["winner"] == 0


def test_R12_a_farmer_out_wins_for_both():
    table = Position("34A", "47", "5").play("3", "4", "5")
    assert table.coins == (-12, 6, 6)  # spring
    assert GAME.report(table.s)["reason"] == "farmer out"
    assert GAME.report(table.s)["winner"] == 2


def test_R13_every_bomb_and_the_rocket_double():
    table = Position("3333459", "4444SJBJ7", "5567", bid=1).play("3333")
    assert table.s["doublings"] == 1
    table.play("4444")
    assert table.s["doublings"] == 2
    table.play("pass", "pass", "SJBJ")  # then the last card goes by itself
    assert table.s["doublings"] == 3
    assert table.coins == (-32, 16, 16)  # 1 · 2³, and spring


def test_R13_the_last_move_doubles_too():
    table = Position("43333", "5", "6").play("4", "pass", "pass", "3333")
    assert table.coins == (24, -12, -12)  # 3 · 2, and spring
    table = Position("3SJBJ", "45", "67", bid=2).play("3", "4", "pass", "SJBJ")
    assert table.coins == (8, -4, -4)


def test_R13_what_is_not_played_or_no_bomb_does_not_double():
    table = Position("33334455", "7777", "SJBJ").play("3333+44+55")
    assert table.s["doublings"] == 0
    assert table.coins == (12, -6, -6)  # spring only


def test_R14_spring():
    table = Position("34", "55", "66").play("3", "pass", "pass")
    assert table.s["spring"] and table.coins == (12, -6, -6)


def test_R14_no_spring_if_a_farmer_moved():
    for farmer in (1, 2):
        moves = ["4", "pass"] if farmer == 1 else ["pass", "4"]
        table = Position("3A", "457", "456").play("3", *moves, "A")
        assert not table.s["spring"] and table.coins == (6, -3, -3)


def test_R14_spring_of_the_farmers():
    table = Position("39K", "4T8", "55").play("3", "4", "5", "pass", "pass")
    assert table.s["moves"].tolist() == [1, 1, 2]  # passes are no moves
    assert table.s["spring"] and table.coins == (-12, 6, 6)


def test_R14_no_spring_of_the_farmers_if_the_landlord_moved_twice():
    table = Position("36K", "4T8", "57").play("3", "4", "5", "6", "pass", "7")
    assert not table.s["spring"] and table.coins == (-6, 3, 3)


# --- Settlement --------------------------------------------------------------------------------


def finish(winner: int, landlord: int = 0, bid: int = 3, moves=(2, 1, 1), bombs=0, **options):
    """Coins when ``winner`` plays its last card, after these moves and doublings."""
    hands = ["45"] * 3
    hands[winner] = "3"
    table = Position(*hands, landlord=landlord, turn=winner, bid=bid, **options)
    table.s["moves"], table.s["doublings"] = moves, bombs
    return table.play("3").coins


def test_R15_worked_example_1():
    table = Position("333344445", "789", "789")
    table.play("3333", "pass", "pass", "4444", "pass", "pass")
    assert table.coins == (48, -24, -24)


def test_R15_worked_example_2():
    table = Position("789", "34T", "5K", landlord=1, bid=2).play("3", "5", "pass", "pass")
    assert table.coins == (4, -8, 4)


def test_R15_worked_example_3():
    table = Position("SJBJ9", "789", "3456K", landlord=2, bid=1, stake=5)
    for card in "345":
        table.play(card, "pass", "pass")
    table.play("6", "SJBJ")
    assert table.coins == (10, 10, -20)


@pytest.mark.parametrize("landlord", range(3))
@pytest.mark.parametrize("bid", [1, 2, 3])
def test_R15_each_farmer_settles_with_the_landlord(landlord, bid):
    for winner in range(3):
        coins = finish(winner, landlord, bid, (5, 5, 5), bombs=2, stake=7)
        unit = bid * 4 * 7 if winner == landlord else -bid * 4 * 7
        assert coins == tuple(2 * unit if seat == landlord else -unit for seat in range(3))


def test_R15_largest_stake():
    coins = finish(0, moves=(5, 0, 0), bombs=13, stake=10**9, stack=10**15)
    assert coins == (2 * 49_152 * 10**9, -49_152 * 10**9, -49_152 * 10**9)  # 3 · 2¹⁴


def test_R16_worked_example_5():
    assert finish(0, moves=(8, 2, 1), bombs=1, stack=(1000, 5, 1000)) == (11, -5, -6)


def test_R16_worked_example_6():
    assert finish(2, landlord=1, moves=(1, 3, 1), stack=(50, 5, 50)) == (2, -5, 3)


@pytest.mark.parametrize(
    ("landlord", "stack", "coins"),
    [
        (0, (5, 9, 9), (-5, 3, 2)),
        (2, (9, 9, 5), (3, 2, -5)),
        (0, (4, 9, 9), (-4, 2, 2)),
        (0, (1, 9, 9), (-1, 1, 0)),
        (0, (6, 9, 9), (-6, 3, 3)),
    ],
)
def test_R16_short_landlord(landlord, stack, coins):
    assert finish((landlord + 1) % 3, landlord, stack=stack, moves=(3, 3, 3)) == coins


def test_R16_both_farmers_short():
    assert finish(0, stack=(1, 2, 1)) == (3, -2, -1)


# --- Leaving, no answer, match -----------------------------------------------------------------


def leave(seat: int, landlord: int = 0, bid: int = 3, bombs: int = 0, **options) -> tuple[int, ...]:
    table = Position("345", "456", "567", landlord=landlord, bid=bid, **options)
    table.s["doublings"] = bombs
    table.leave(seat)
    assert table.s["over"]
    return table.coins


def test_R17_worked_example_7():
    assert leave(0, bombs=1) == (-18, 9, 9)
    assert leave(1, bombs=1) == (12, -18, 6)
    assert auction(0).leave(2).coins == (2, 1, -3)
    assert leave(2, landlord=2, bid=1) == (2, 1, -3)


def test_R17_no_spring_and_the_stake_counts():
    assert leave(0, bid=2, bombs=2, stake=10) == (-240, 120, 120)


def test_R17_calls_do_not_count_while_the_auction_is_open():
    assert auction(0, stake=10).play("bid:2").leave(1).coins == (15, -30, 15)


@pytest.mark.parametrize(
    ("stack", "to_landlord", "to_farmer"),
    [(1, 1, 0), (2, 1, 1), (3, 2, 1), (4, 3, 1), (5, 3, 2), (6, 4, 2), (7, 5, 2), (8, 5, 3)],
)
def test_R17_a_short_farmer(stack, to_landlord, to_farmer):
    assert leave(1, stack=(99, stack, 99)) == (to_landlord, -stack, to_farmer)
    assert leave(2, stack=(99, 99, stack)) == (to_landlord, to_farmer, -stack)


def test_R17_a_short_landlord():
    assert leave(1, landlord=1, stack=(99, 5, 99)) == (2, -5, 3)
    assert leave(2, landlord=2, stack=(99, 99, 5)) == (3, 2, -5)


def test_R17_the_match_ends():
    env = make("doudizhu", hands=5)
    env.reset(seed=17)
    env.leave("player_1")
    assert env.rewards == {"player_0": 1, "player_1": -3, "player_2": 2}
    assert all(env.terminations.values())
    assert env.infos["player_0"]["settled"][0]["reason"] == "a seat left"


def test_R17_in_the_middle_of_a_move():
    table = Position("333444555788SJBJ", "345", "345").play("333444+x+x").leave(1)
    assert table.coins == (6, -9, 3)


def default(table: Position) -> str:
    return GAME.action_name(GAME.default(table.s))


def test_R18_no_answer():
    assert default(auction(0)) == default(auction(0).play("bid:1")) == "bid:pass"
    table = Position("4555KK", "6678", "789")
    assert default(table) == "4"
    assert default(table.play("55")) == "pass"
    table = Position("333444555788SJBJ", "345", "345").play("333444+x+x")
    assert default(table) == "+5"
    assert default(table.play("+7")) == "+8"


def play_hand(env) -> dict[str, int]:
    """The first bidder calls 3 and the house plays on for all: a spring for the landlord."""
    env.step(GAME.parse("bid:3"))
    while not env.infos["player_0"]:
        env.step(env.default_action())
    return dict(env.rewards)


def test_R19_hands_of_a_match():
    env = make("doudizhu", hands=3, stake=2, stack=(500, 600, 700))
    env.reset(seed=19)
    stacks = np.array([500, 600, 700])
    for hand in range(3):
        first = env.agent_selection
        view = env.view(first)
        assert (view["stack"] == stacks).all() and view["hand"] == hand
        assert view["doublings"] == view["thrown"] == view["log_count"] == 0
        assert view["landlord"] == view["kind"] == NONE
        assert not view["moves"].any() and not view["played"].any() and not view["spring"]
        rewards = play_hand(env)
        assert rewards == {a: 24 if a == first else -12 for a in env.possible_agents}
        stacks += list(rewards.values())
        assert all(env.terminations.values()) == (hand == 2)


@pytest.mark.parametrize(("stack", "hands"), [(12, 1), (13, 1), (14, 2)])
def test_R19_the_match_ends_early_below_the_stake(stack, hands):
    env = make("doudizhu", hands=3, stake=2, stack=stack)
    env.reset(seed=20)
    for hand in range(hands):
        play_hand(env)
        assert all(env.terminations.values()) == (hand == hands - 1)


def test_R19_a_hand_that_all_passed_is_one_of_the_match():
    env = make("doudizhu", hands=2, redeals=0)
    env.reset(seed=21)
    for hand in range(2):
        assert env.view(env.agent_selection)["hand"] == hand
        for _ in range(3):
            env.step(GAME.parse("bid:pass"))
        assert env.infos["player_0"]["settled"][0]["coins"] == [0, 0, 0]
    assert all(env.terminations.values())


# --- At the table ------------------------------------------------------------------------------

# Group, count, first and last name, and an example of the sheet.
ACTION_TABLE = [
    ("call", 4, "bid:pass", "bid:3", "bid:2"),
    ("pass", 1, "pass", "pass", "pass"),
    ("single", 15, "3", "BJ", "7"),
    ("pair", 13, "33", "22", "77"),
    ("trio", 13, "333", "222", "777"),
    ("trio+1", 13, "333+x", "222+x", "777+x"),
    ("trio+2", 13, "333+xx", "222+xx", "777+xx"),
    ("run", 36, "34567", "3456789TJQKA", "34567"),
    ("pair run", 52, "334455", "5566778899TTJJQQKKAA", "334455"),
    ("trio run", 45, "333444", "999TTTJJJQQQKKKAAA", "333444"),
    ("plane+1", 38, "333444+x+x", "TTTJJJQQQKKKAAA+x+x+x+x+x", "333444+x+x"),
    ("plane+2", 30, "333444+xx+xx", "JJJQQQKKKAAA+xx+xx+xx+xx", "333444+xx+xx"),
    ("four+1+1", 13, "3333+x+x", "2222+x+x", "5555+x+x"),
    ("four+2+2", 13, "3333+xx+xx", "2222+xx+xx", "5555+xx+xx"),
    ("bomb", 13, "3333", "2222", "5555"),
    ("rocket", 1, "SJBJ", "SJBJ", "SJBJ"),
    ("single kicker", 15, "+3", "+BJ", "+8"),
    ("pair kicker", 13, "+33", "+22", "+88"),
]


def test_action_table():
    assert GAME.actions.width == 341 == sum(row[1] for row in ACTION_TABLE)
    ranges = GAME.actions.ranges
    assert [r.name.removesuffix(" body") for r in ranges] == [row[0] for row in ACTION_TABLE]
    for group, (_, count, first, last, example) in zip(ranges, ACTION_TABLE, strict=True):
        assert len(group.names) == count
        assert (group.names[0], group.names[-1]) == (first, last)
        assert example in group.names


@pytest.mark.parametrize(
    ("kind", "width", "counts"),
    [
        ("run", 1, {5: 8, 6: 7, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}),
        ("pair run", 2, {3: 10, 4: 9, 5: 8, 6: 7, 7: 6, 8: 5, 9: 4, 10: 3}),
        ("trio run", 3, {2: 11, 3: 10, 4: 9, 5: 8, 6: 7}),
        ("plane+1", 3, {2: 11, 3: 10, 4: 9, 5: 8}),
        ("plane+2", 3, {2: 11, 3: 10, 4: 9}),
    ],
)
def test_actions_stand_by_length_then_lowest_rank(kind, width, counts):
    names = [n for n, k in zip(GAME.actions.names, KINDS, strict=True) if k == kind]
    mains = [name.split("+")[0] for name in names]
    keys = [(len(main) // width, RANK_NAMES.index(main[0])) for main in mains]
    assert keys == sorted(keys)
    assert Counter(length for length, _ in keys) == counts


def test_composed_moves_worked_example_10():
    lead = leader("333444555788SJBJ")
    singles = lead.copy().play("333444+x+x")
    assert singles.steps() == spaced("+5 +7 +8")
    assert singles.copy().play("+5").steps() == spaced("+5 +7 +8 +SJ +BJ")
    assert singles.copy().play("+8").steps() == spaced("+8 +SJ +BJ")
    pairs = lead.copy().play("333444+xx+xx")
    assert pairs.log == ["0: 3334445588"]


def test_composed_moves_come_in_rank_order():
    table = leader("333444555778899TJ").play("333444555+x+x+x", "+7")
    assert table.steps() == spaced("+7 +8 +9 +T")
    assert table.play("+9").steps() == spaced("+9 +T +J")
    table = leader("333444555778899TT").play("333444555+xx+xx+xx")
    assert table.steps() == spaced("+77 +88")  # three of four pairs: the lowest is 77 or 88
    assert table.play("+77").steps() == spaced("+88 +99")


def test_a_body_needs_its_kickers():
    assert "333444+x+x" not in leader("333444SJBJ").steps()
    assert "333444+x+x" in leader("3334445SJBJ").steps()
    assert "333444+xx+xx" not in leader("333444555567").steps()
    assert "333444555+x+x+x" not in leader("333444555666").steps()
    assert "333444555+x+x+x" in leader("333444555666", **LOOSE).steps()
    assert "3333+x+x" not in leader("333344", **DISTINCT).steps()


def test_moves_parse_in_any_order_worked_example_11():
    lead = leader("33344456SJBJ789TJ")
    for text in ("65443343", "44433365", "333444+5+6", "333444+6+5"):
        assert lead.copy().play(text).log == ["0: 33344456"]
    for text in ("SJBJ", "BJSJ", "sjbj"):
        assert lead.copy().play(text).log == ["0: SJBJ", "1: pass", "2: pass"]
    for text in ("6789T", "678910", "T9876"):
        assert lead.copy().play(text).log == ["0: 6789T"]


def test_moves_parse_by_their_body_where_loose_gives_several_meanings():
    lead = leader("333444555666789", **LOOSE)
    assert lead.copy().play("333444555666").s["length"] == 4
    assert lead.copy().play("333444555+666").s["low"] == 0
    assert lead.copy().play("444555666+3+3+3").s["low"] == 1
    with pytest.raises(ValueError, match="several meanings"):
        GAME.parse_move(leader("3334445556667778", **LOOSE).s, "3334445556667778")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("33344", "not in the hand"),
        ("3456", "is no move"),
        ("34X", "'X' is no rank"),
        ("", "is no move"),
        ("3" * 259, "is no move"),
        ("SJ" * 130, "is no move"),
    ],
)
def test_moves_that_cannot_be_read(text, message):
    lead = leader("345678")
    with pytest.raises(ValueError, match=message):
        GAME.parse_move(lead.s, text)


def test_a_whole_move_is_read_from_its_start_while_another_is_being_composed():
    start = leader("333444555788SJBJ")
    composing = start.copy().play("333444+x+x", "+7")
    for text in ("333444+7+8", "333444+5+8", "333+x", "+8"):
        assert GAME.parse_move(composing.s, text) == GAME.parse_move(start.s, text)


def misread(n: int) -> list[str]:
    """Of n moves of the full deck, as named and in any order of cards, those read as another."""
    wrong = []
    rng = np.random.default_rng(9)
    lead = leader(cards_text(DECK))
    moves = lead.moves()
    for move in rng.choice(moves, n, replace=False):
        counts = parse_cards(move.replace("+", ""))
        names = [name for name, held in zip(RANK_NAMES, counts, strict=True) for _ in range(held)]
        for text in (move, "".join(rng.permutation(names))):
            if lead.copy().play(text).log[0] != "0: " + cards_text(counts):
                wrong.append(text)
    return wrong


def test_moves_of_the_full_deck_are_read_back():
    assert misread(100) == []


@pytest.mark.slow
def test_moves_of_the_full_deck_are_read_back_at_length():
    assert misread(5000) == []


# --- What the engine plays by itself -----------------------------------------------------------


def test_a_kicker_without_choice_is_not_asked_for():
    table = Position("333448", "567", "567").play("333+xx")
    assert table.log == ["0: 33344"]
    table = Position("333444578", "567", "567").play("333444+x+x", "+7")  # 8 is the only one left
    assert table.log == ["0: 33344478"]


def test_the_last_card_of_a_leader_is_not_asked_for():
    table = Position("35", "446", "77").play("3", "pass", "pass")
    assert table.s["ended"]
    assert table.log == ["0: 3", "1: pass", "2: pass", "0: 5"]


def test_passes_after_the_rocket_are_not_asked_for():
    table = Position("33SJBJ", "4444", "2222").play("SJBJ")
    assert table.s["turn"] == 0 and table.s["kind"] == NONE
    assert table.log == ["0: SJBJ", "1: pass", "2: pass"]


def test_the_pass_of_a_seat_with_one_card_facing_more_is_not_asked_for():
    table = Position("33AA", "5", "44").play("33")
    assert table.s["turn"] == 2
    assert table.log == ["0: 33", "1: pass"]


def test_a_leader_with_one_card_goes_out_behind_such_passes():
    table = Position("33A", "5", "6").play("33")
    assert table.log == ["0: 33", "1: pass", "2: pass", "0: A"]
    assert table.coins == (12, -6, -6)


def test_every_other_pass_is_asked_for():
    """The seats after a single K have one card, and two that cannot beat it."""
    table = Position("K345", "Q", "34").play("K")
    assert table.s["turn"] == 1 and table.moves() == ["pass"]
    table.play("pass")
    assert table.s["turn"] == 2 and table.moves() == ["pass"]
    table = Position("KKK345", "34", "34").play("KKK")
    assert table.s["turn"] == 1 and table.moves() == ["pass"]


# --- What a seat sees --------------------------------------------------------------------------


def observe(view: Position, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    values, visible = encoded(GAME, view.table, np.array([seat]))
    return GAME.split(values[0]), GAME.split(visible[0])


def test_hands_are_for_their_owners_even_after_the_end():
    table = auction(0).play("bid:3")
    ended = Position("3A", "47", "56").play("3", "4", "pass", "A")
    for position, seat in product((table, ended), range(3)):
        view = position.view(seat).s
        for other in range(3):
            hidden = (view["cards"][other] == HIDDEN).all()
            assert hidden == (other != seat)


def test_a_move_being_composed_is_for_the_acting_seat_only():
    before = Position("333444555788SJBJ", "345", "345")
    after = before.copy().play("333444+x+x", "+7")
    for seat in (1, 2):
        assert dumps(GAME, after.view(seat).s, seat) == dumps(GAME, before.view(seat).s, seat)
    view = after.view(0)
    assert view.steps() == after.steps() == spaced("+8 +SJ +BJ")
    values, _ = observe(view, 0)
    assert values["kickers"].tolist() == parse_cards("7").tolist()
    assert values["kickers_to_choose"] == 1
    assert values["body"].nonzero()[0].tolist() == [8, 14 + 0, 14 + 15]  # plane+1, of 3, of length
    assert values["body"][-1] == 2


def test_observation_in_the_auction():
    table = auction(1, stake=5, stack=(500, 600, 700)).play("bid:pass", "bid:2")
    for seat in range(3):
        values, visible = observe(table.view(seat), seat)
        own = np.roll(np.arange(3), -seat)  # own seat first
        assert values["phase"].tolist() == [1, 0]
        called = [values["calls"][k].tolist() for k in range(3)]
        calls = {0: [0, 0, 0, 0], 1: [1, 0, 0, 0], 2: [0, 0, 1, 0]}
        assert called == [calls[p] for p in own]
        assert values["bid"] == 2
        assert own[values["first_bidder"].argmax()] == 1
        assert values["shown_card"].argmax() == table.s["shown"]
        assert not values["landlord"].any()
        assert (values["cards"][0] == table.s["cards"][seat]).all()
        assert visible["cards"][0].all() and not visible["cards"][1:].any()
        assert not values["cards"][1:].any()
        assert not visible["bottom"].any() and not values["bottom"].any()
        assert (values["unseen"] == DECK - table.s["cards"][seat]).all()
        assert values["cards_left"].tolist() == [17, 17, 17]
        assert values["stacks"].tolist() == [(500, 600, 700)[p] / 5 for p in own]
        assert values["stake"] == 5


def test_observation_in_play():
    table = auction(1).play("bid:3")
    table.s["cards"][:] = 0
    for seat, hand in enumerate(("89JK", "5567", "34Q")):
        table.s["cards"][seat] = parse_cards(hand)
        table.s["left"][seat] = len(hand)
    table.play("6", "pass", "8", "pass", "pass", "9")
    bottom = table.s["bottom"]
    for seat in range(3):
        values, visible = observe(table.view(seat), seat)
        own = np.roll(np.arange(3), -seat)
        assert values["phase"].tolist() == [0, 1]
        assert own[values["landlord"].argmax()] == 1
        assert (values["bottom"] == bottom).all() and visible["bottom"].all()
        assert values["cards_left"].tolist() == [(2, 3, 3)[p] for p in own]
        played = [parse_cards(c) for c in ("89", "6", "")]
        assert (values["played"] == [played[p] for p in own]).all()
        assert values["moves"].tolist() == [(2, 1, 0)[p] for p in own]
        unseen = DECK - parse_cards("689") - table.s["cards"][seat]
        assert (values["unseen"] == unseen).all()
        assert values["table_kind"].argmax() == 0 and values["table_length"] == 1
        assert RANK_NAMES[values["table_rank"].argmax()] == "9"
        assert (values["table_cards"] == parse_cards("9")).all()
        assert own[values["table_owner"].argmax()] == 0
        assert values["passes"] == 0
        assert not values["body"].any() and not values["kickers"].any()
        log = []
        for entry in values["log"]:
            if entry.any():
                log.append((int(own[entry[:3].argmax()]), bool(entry[3]), cards_text(entry[4:])))
        assert log == [  # newest first
            (0, False, "9"),
            (2, True, ""),
            (1, True, ""),
            (0, False, "8"),
            (2, True, ""),
            (1, False, "6"),
        ]


def test_observation_keeps_the_last_fifteen_moves():
    table = Position("3456789T", "JJKK", "QQKK")
    for card in "345678":
        table.play(card, "pass", "pass")
    values, _ = observe(table.view(0), 0)
    cards = [cards_text(entry[4:]) or "pass" for entry in values["log"]]
    assert cards == [c for card in "87654" for c in ("pass", "pass", card)]
    assert [m.split(": ")[1] for m in table.log] == cards[::-1]


def redealt(view: Position, seat: int, n: int) -> np.ndarray:
    """``n`` tables that ``seat`` cannot tell from the one it sees."""
    views = addressable(np.repeat(view.table, n))
    engine(GAME).redeal_views(views, np.full(n, seat), entropy(23))
    return views


def endgame(
    played_by_1: str = "K", shown: str = "6", owner: int = 2, played_by_2: str = ""
) -> Position:
    """Seat 1 is landlord with bottom cards 4KK; seat 0 holds a 3, seats 1 and 2 four cards each."""
    table = Position("3", "4K79", "6TTJ", landlord=1)
    s = table.s
    s["first"], s["shown"] = owner, RANK_NAMES.index(shown)
    s["bottom"] = parse_cards("4KK")
    s["played"][1], s["played"][2] = parse_cards(played_by_1), parse_cards(played_by_2)
    s["played"][0] = DECK - s["cards"].sum(axis=0) - s["played"].sum(axis=0)
    assert GAME.census(s) == tuple(DECK)
    return table


def check_redeals(table: Position, certain_1: str, certain_2: str) -> None:
    """Seat 0's redeals: what is certain stays, all other cards are equally likely anywhere."""
    n = 4000
    s = table.s
    views = redealt(table.view(0), 0, n)
    certain = [parse_cards(certain_1), parse_cards(certain_2)]
    free = s["cards"][1] + s["cards"][2] - certain[0] - certain[1]
    loose = np.repeat(np.arange(15), free)
    to_1 = int(s["left"][1] - certain[0].sum())
    expected = Counter()
    for chosen in combinations(range(len(loose)), to_1):
        hand = certain[0] + np.bincount(loose[list(chosen)], minlength=15)
        expected[cards_text(hand)] += 1
    ways = sum(expected.values())
    seen = Counter(cards_text(hand) for hand in views["cards"][:, 1])
    assert set(seen) == set(expected)
    for hand, count in expected.items():
        chance = count / ways
        assert abs(seen[hand] / n - chance) < 4.5 * (chance * (1 - chance) / n) ** 0.5
    assert (views["cards"].sum(axis=1) == s["cards"].sum(axis=0)).all()
    assert (views["cards"][:, 0] == s["cards"][0]).all()


def test_redeal_keeps_bottom_cards_and_the_shown_card():
    check_redeals(endgame(), certain_1="4K", certain_2="6")


def test_redeal_lets_played_cards_stand_for_the_known_ones():
    """Cards of a rank are alike: a seat that has played as many is known to hold none."""
    check_redeals(endgame(played_by_1="KK"), certain_1="4", certain_2="6")
    check_redeals(endgame(played_by_1="44KK"), certain_1="", certain_2="6")
    check_redeals(endgame(played_by_1="K", played_by_2="6"), certain_1="4K", certain_2="")


def test_redeal_of_a_landlord_who_owns_the_shown_card():
    check_redeals(endgame("KK", shown="K", owner=1), certain_1="4K", certain_2="")
    check_redeals(endgame("KKK", shown="K", owner=1), certain_1="4", certain_2="")


def test_redeal_does_not_count_what_the_seat_itself_was_shown_with():
    check_redeals(endgame("K", shown="3", owner=0), certain_1="4K", certain_2="")


def test_redeal_in_the_auction():
    """Only the shown card is certain; 17, 16 and 3 of the other 36 unseen cards go anywhere."""
    n = 5000
    table = auction(2)
    s = table.s
    views = redealt(table.view(0), 0, n)
    shown = np.eye(15)[s["shown"]]
    loose = DECK - s["cards"][0] - shown
    assert (views["cards"][:, 0] == s["cards"][0]).all()
    assert (views["cards"].sum(axis=1) + views["bottom"] == DECK).all()
    assert (views["cards"][:, 2] >= shown).all()
    for places, cards in (
        (17, views["cards"][:, 1]),
        (16, views["cards"][:, 2] - shown),
        (3, views["bottom"]),
    ):
        assert (cards.sum(axis=1) == places).all()
        mean = places * loose / 36
        spread = (mean * (1 - loose / 36) * (36 - places) / 35 / n) ** 0.5
        assert (abs(cards.mean(axis=0) - mean) <= 4.5 * spread).all()


def test_redeal_changes_nothing_a_seat_can_see():
    """In every state of some hands: concealed again, a redealt view is the view it came from, and
    what it takes for certain is true."""
    rng = np.random.default_rng(29)
    for first in range(3):
        table = auction(first).play("bid:1", "bid:2", "bid:3")
        while not table.s["ended"]:
            for seat in range(3):
                view = table.view(seat)
                again = Position.of(redealt(view, seat, 1))
                assert GAME.census(again.s) == tuple(DECK)
                assert (again.s["cards"].sum(axis=1) == table.s["left"]).all()
                assert dumps(GAME, again.view(seat).s, seat) == dumps(GAME, view.s, seat)
                if seat == table.s["turn"]:
                    assert again.steps() == table.steps()
            GAME.apply(table.s, rng.choice(np.flatnonzero(table.mask)))


# --- Length, options ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "plies"),
    [
        ({}, 166),
        ({"redeals": 0}, 157),
        ({"redeals": 9, "hands": 1000}, 184_000),
        ({"hands": 8}, 8 * 166),
    ],
)
def test_max_plies(options, plies):
    assert GAME.max_plies(GAME.options(**options)) == plies


def test_default_options():
    assert GAME.options() == {
        "seats": 3,
        "stake": 1,
        "stack": (10_000,) * 3,
        "hands": 1,
        "redeals": 3,
        "kickers": "standard",
        "four_two": True,
    }


def test_presets():
    assert GAME.options("rlcard") == GAME.options()
    assert GAME.options("openspiel") == {
        **GAME.options(),
        "kickers": "loose",
        "four_two": False,
        "redeals": 0,
    }
    assert GAME.options("openspiel", four_two=True)["four_two"] is True
    assert set(GAME.rules.presets) == {"rlcard", "openspiel"}


def test_options_reach_the_table():
    given = {"stake": 7, "stack": (1, 2, 10**15), "hands": 1000, "redeals": 9}
    options = GAME.options(kickers="distinct", four_two=False, **given)
    table = Position("3", "4", "5", **options)
    assert GAME.rules.read(table.s["rules"]) == options
    assert table.s["stack"].tolist() == [1, 2, 10**15]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 4}, "seats=4 is not allowed; allowed: 3"),
        ({"stake": 0}, "stake=0 is not allowed; allowed: 1…1000000000"),
        ({"stake": 10**9 + 1}, "stake=1000000001 is not allowed"),
        ({"stake": 1.5}, "stake=1.5 is not allowed"),
        ({"stack": 0}, "stack=0 is not allowed; allowed: 1…1000000000000000"),
        ({"stack": 10**15 + 1}, "stack=1000000000000001 is not allowed"),
        ({"stack": (5, 5)}, "2 entries for 3 seats"),
        ({"stack": (5, 5, 0)}, "is not allowed"),
        ({"hands": 0}, "hands=0 is not allowed; allowed: 1…1000"),
        ({"hands": 1001}, "hands=1001 is not allowed"),
        ({"redeals": -1}, "redeals=-1 is not allowed; allowed: 0…9"),
        ({"redeals": 10}, "redeals=10 is not allowed"),
        ({"kickers": "free"}, "kickers='free' is not allowed; allowed: standard, distinct, loose"),
        ({"four_two": 1}, "four_two=1 is not allowed; allowed: true, false"),
        ({"spring": True}, "unknown option 'spring'; options: seats, stake"),
        ({"preset": "douzero"}, "unknown preset 'douzero'; presets: rlcard, openspiel"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=re.escape(message)):
        make("doudizhu", **options)


# --- Tables from outside -------------------------------------------------------------------------

DECK_BY_SEAT = ("3333444455556666" + "7", "777888899" + "99TTTTJJ", "JJQQQQKKKKAAAA222")


def fresh() -> Position:
    """The auction of a hand where seat 0 is first and shows a 3; at the bottom lie 2 SJ BJ."""
    made = Position.dealt()
    for seat, cards in enumerate(DECK_BY_SEAT):
        made.s["cards"][seat] = parse_cards(cards)
    made.s["bottom"] = parse_cards("2SJBJ")
    made.s["first"] = made.s["turn"] = made.s["shown"] = 0
    check(GAME, made.s)
    return made


def wrong(made: Position, field: str, place: Any, value: int, seat: int | None = None) -> str:
    """What is said of the table, or of a seat's view, with another value at a place."""
    table = made.table.copy() if seat is None else made.view(seat).table
    check(GAME, table[0], seat)
    table[field][(0, *np.atleast_1d(place))] = value
    with pytest.raises(ValueError, match=f"^{field}") as caught:
        check(GAME, table[0], seat)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_hand_with_nine_sixes_is_refused() -> None:
    for seat in (None, 0):
        assert "expected 0…4" in wrong(fresh(), "cards", (0, 3), 9, seat)


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("calls", 0, NONE, r"calls has a seat that was left out, from seat 0 on"),
        ("calls", 1, 1, r"calls are \[1, 1\] from seat 0 on: a bid must be above those before"),
        ("bid", (), 3, "bid is 3 of bidder=1: by the calls 2 of 1"),
        ("phase", (), 1, "phase is 1: the auction has not ended"),
        ("turn", (), 0, "turn is 0: by the calls and moves so far it is 2"),
        ("landlord", (), 1, "landlord is 1"),
        ("log_count", (), 1, "log_count is 1, and it is still the auction"),
        ("left", 2, 18, r"left\[2\] is 18: after what was played it is 17"),
        ("cards", (0, 0), 3, r"cards\[0\] has 16 cards, and left\[0\] is 17"),
        ("bottom", 0, 1, "bottom has not 3 cards"),
        ("played", (0, 0), 1, "played has cards, and it is still the auction"),
        ("doublings", (), 1, "doublings is 1: at most 0 bombs"),
    ],
)
def test_an_auction_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    assert re.match(error, wrong(fresh().play("bid:1", "bid:2"), field, place, value))


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("log_seat", 1, 2, r"log_seat is \[0, 2, .*: by landlord and log_count \[0, 1, "),
        ("log_cards", (1, 5), 2, "moves|played is not what log_cards says"),
        ("log_cards", (9, 5), 1, "log_cards has more entries than log_count=5 says"),
        ("moves", 0, 3, "moves is not what log_cards says"),
        ("low", (), 4, "low|table_cards is no move of kind, low and length"),
        ("kind", (), 3, "kind|table_cards is no move of kind, low and length"),
        ("kind", (), NONE, "kind|low is 5, and there is no move on the table"),
        ("table_cards", 7, 1, "table_cards is no move of kind, low and length"),
        ("passes", (), 1, "passes|log_cards does not end with a move and passes=1"),
        ("owner", (), 2, "owner is 2: by landlord and log_count 1"),
        ("doublings", (), 2, "doublings is 2: at most 1 bombs and rockets were played"),
        ("winner", (), 0, r"winner is 0, and out of cards are \[\]: ended is False"),
        ("spring", (), True, "spring is True"),
        ("kicks", 2, 1, "kicks is .* by the body and the kickers chosen"),
        ("to_kick", (), 1, "to_kick is 1"),
        ("last_kick", (), 1, "last_kick is 1"),
        ("turn", (), 1, "turn is 1: by the calls and moves so far it is 2"),
    ],
)
def test_play_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    made = fresh().play("bid:3", "3333", "pass", "pass", "7", "8", "pass", "2", "pass", "pass")
    assert made.s["kind"] == NONE
    check(GAME, made.s)
    made = fresh().play("bid:3", "3333", "pass", "pass", "7", "8")
    table = made.table.copy()
    table[field][(0, *np.atleast_1d(place))] = value
    with pytest.raises(ValueError, match=f"^({error})"):
        check(GAME, table[0])


def test_a_move_being_composed_that_contradicts_itself_is_refused() -> None:
    made = fresh().play("bid:3", "4444+x+x", "+3")
    check(GAME, made.s)
    assert "wants no more kickers" not in wrong(made, "to_kick", (), 2)
    assert "by the body and the kickers chosen" in wrong(made, "last_kick", (), 2)
    assert "illegal" in wrong(made, "body", (), GAME.parse("KKK"))
    table = made.view(1).table
    table["body"] = GAME.parse("4444+x+x")
    with pytest.raises(ValueError, match="^body is 4444.x.x, and nobody here is composing a move"):
        check(GAME, table[0], 1)


def test_cards_that_everybody_knows_of_are_where_they_must_be() -> None:
    made = fresh()
    made.s["shown"] = RANK_NAMES.index("Q")
    with pytest.raises(
        ValueError, match=r"^cards\[0\] lacks the shown card or cards of the bottom"
    ):
        check(GAME, made.s)
    made = fresh().play("bid:3")
    made.s["bottom"] = parse_cards("QQQ")
    with pytest.raises(
        ValueError, match=r"^cards\[0\] lacks the shown card or cards of the bottom"
    ):
        check(GAME, made.s)
    check(GAME, made.view(1).s, 1)  # who may well believe it
    with pytest.raises(ValueError, match="^cards, played and bottom have more than 4 cards Q"):
        check(GAME, made.view(2).s, 2)
