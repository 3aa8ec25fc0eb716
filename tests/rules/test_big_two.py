"""Big two by the clauses R1-R18 of its rules, with coins worked out by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qipai.envs import OptionError, make, position
from qipai.envs.big_two import (
    DECK,
    GAME,
    NAMES,
    RANK_NAMES,
    S2,
    parse_cards,
    pay_out,
    play_of,
    points,
)
from qipai.envs.checking import check
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import ENDED, PLAYING
from qipai.envs.tables import Tables
from tests.big_two_positions import Position, text


def spaced(words: str) -> set[str]:
    return set(words.split())


def hand(count: int, spade_two: bool = False, suit: str = "C") -> str:
    """So many cards of a suit, the lowest first, one of them S2 if said."""
    cards = [suit + rank for rank in RANK_NAMES[: count - spade_two]]
    return " ".join(cards + ["S2"] * spade_two)


def beats(higher: str, lower: str) -> bool:
    """Whether a seat with these cards alone can play them on those of the seat before it."""
    before = Position(f"{lower} {_another(lower, higher)}", higher, "", "").play(lower)
    if before.turn != 1:  # it has fewer cards, so the engine passed
        return False
    return text(higher) in before.plays()


def _another(*used: str) -> str:
    """A card that is in neither of these sets."""
    return next(card for card in NAMES if card not in " ".join(used).split())


def is_play(cards: str) -> bool:
    return text(cards) in Position(cards).plays()


def ended(*left: int, winner: int, spade_two: int = NONE, **options) -> Position:
    """A hand in which the winner goes out with a pair, and others are left with so many cards."""
    suits = iter("DCH")
    hands = [
        "S9 H9" if p == winner else hand(n, p == spade_two, next(suits)) for p, n in enumerate(left)
    ]
    return Position(*hands, turn=winner, **options).play("S9 H9")


# --- Cards, deal, turns -------------------------------------------------------------------------


def test_R1_deck():
    table = Position().deal()
    assert GAME.census(table.s) == (1,) * 52
    assert len(set(NAMES)) == 52 and {name[0] for name in NAMES} == set("SHCD")


def test_R2_turns_go_round_in_seat_order():
    table = Position("S3 S4", "S5 S6", "S7 S8", "S9 S10", turn=2)
    table.play("2 S7", "3 S9", "0 pass", "1 pass", "2 pass")
    assert table.s["winner"] == 3  # with its last card


def test_R3_deal():
    tables = Tables(GAME, 500, seed=3).state
    assert (tables["left"] == 13).all()
    assert (np.bitwise_or.reduce(tables["cards"], axis=1) == DECK).all()
    assert all(int(cards).bit_count() == 13 for cards in tables["cards"].ravel())


def test_R3_every_seat_gets_every_card_equally_often():
    n = 4000
    cards = Tables(GAME, n, seed=4).state["cards"]
    held = (cards[:, :, None] >> np.arange(52) & 1).sum(axis=0)
    assert held.sum() == 52 * n
    # Binomial with n draws of 1/4 each: 208 numbers, five standard deviations.
    assert abs(held - n / 4).max() < 5 * (n * 3 / 16) ** 0.5


def test_R3_nothing_is_shown():
    table = Position().deal()
    view = table.view(1)[0]
    assert (view["cards"] == HIDDEN).sum() == 3
    _, visible = table.observation(1)
    hidden = {name for name, flags in visible.items() if not flags.all()}
    assert hidden == {"cards"} and visible["cards"][0].all() and not visible["cards"][1:].any()


def test_R4_order_of_cards():
    assert NAMES[:5] == ("D3", "C3", "H3", "S3", "D4") and NAMES[-5:] == (
        "SA",
        "D2",
        "C2",
        "H2",
        "S2",
    )
    for low, high in (("D3", "C3"), ("S3", "D4"), ("SK", "DA"), ("SA", "D2"), ("H2", "S2")):
        assert beats(high, low) and not beats(low, high)


# --- Leading and following -----------------------------------------------------------------------


def test_R5_holder_of_D3_leads_in_the_first_hand():
    s = Tables(GAME, 100, seed=5).state
    assert (s["cards"][np.arange(100), s["leader"]] & 1 == 1).all()
    assert (s["turn"] == s["leader"]).all() and len(set(s["turn"].tolist())) == 4


def test_R5_the_winner_leads_the_next_hand_what_it_likes():
    table = ended(5, 0, 3, 2, winner=1, hands=3).next_hand()
    assert table.turn == 1 == table.s["leader"] and table.s["winner"] == NONE
    assert len([a for a in table.legal if len(a) <= 3]) == 13  # all singles, D3 or not


EXAMPLE_10 = "D3 H3 C4 S5 H6 D7 C7 H9 S10 DJ HQ SA S2"


def test_R5_E10_the_first_play_contains_D3():
    table = Position(EXAMPLE_10, first=True)
    rows = ("D3", "H3 D3", "D3 C4 S5 H6 D7", "D3 C4 S5 H6 C7", "D3 C4 S5 H6 S2", "SA S2 D3 C4 S5")
    assert table.plays() == {text(row) for row in rows}
    assert set(table.legal) == spaced("D3 H3D3 straight:D7 straight:C7 straight:H6 straight:S5")
    assert table.default == "D3"
    table.play("straight:C7")
    assert table.s["log_count"] == 1 and table.turn == 1  # all steps but the first were forced
    free = Position(EXAMPLE_10).play("straight:C7")
    assert free.legal == ["+D3", "+H3"]


def test_R5_steps_lead_to_D3():
    flush = Position("D3 D4 D5 D6 D8 D9 DJ S3", first=True).play("flush:DJ", "+D9")
    assert set(flush.legal) == spaced("+D8 +D6 +D5") and "+D3" not in flush.legal
    full = Position("D3 C3 S3 H3 S4 H4 C4 S5 H5", first=True)
    assert spaced("S4H4C4+xx S3C3D3+xx") < set(full.legal) and "S3H3C3+xx" not in full.legal
    assert full.play("S4H4C4+xx").legal == ["+C3D3", "+H3D3", "+S3D3"]
    four = Position("D3 S4 H4 C4 D4 S5 H5", first=True)
    assert four.play("4444+x").s["log_count"] == 1  # with D3
    assert Position("D3 S4 H4 C4 S5 H5", first=True).plays() == {"D3"}


def test_R6_the_leader_must_play_and_others_pass_or_beat():
    table = Position("S5 S6", "S7 H4 S4", "S8 D3", "C3 C4")
    assert "pass" not in table.legal
    assert table.play("S5").legal == ["pass", "S7"]
    assert table.play("S7").legal == ["pass", "S8"]


def test_R6_a_seat_may_play_after_a_pass():
    table = Position("S5 S9 D4", "S7 S10 D5", "S8 D3", "C3 C4")
    table.play("S5", "1 pass", "2 S8", "3 pass", "0 S9", "1 S10")
    assert table.turn == 2


def test_R6_after_three_passes_the_owner_leads():
    table = Position("S5 S9 D4", "S7 S10", "S8 D3", "C3 C4").play("S5", "pass", "pass", "pass")
    assert table.turn == 0 and table.s["to_beat"] == NONE == table.s["owner"]
    assert table.legal == ["D4", "S9"]


def test_R6_as_many_cards():
    table = Position("S5 H5", "S7 H7 C7 S8", "SA SK", "C3 C4").play("S5 H5")
    assert table.plays() == {text(pair) for pair in ("S7 H7", "S7 C7", "H7 C7")}


# --- Plays ----------------------------------------------------------------------------------------


def test_R7_E9_no_plays():
    for cards in ("D9 C9 H10", "S9 H9 C9 D9", "S9 H8", "S9 H9 C8 D8 D4", "SJ S9 S8 S7 D6"):
        assert not is_play(cards)
        with pytest.raises(ValueError, match="no play"):
            GAME.parse_move(Position(cards).s, cards)


def test_R7_plays():
    for cards, kind in (
        ("S9", "single"),
        ("S9 H9", "pair"),
        ("S9 H9 D9", "triple"),
        ("H8 S9 C10 SJ DQ", "straight"),
        ("D2 D3 D7 D9 DJ", "flush"),
        ("D3 C3 H3 D4 C4", "full house"),
        ("D3 C3 H3 S3 D4", "four and one"),
        ("SA S2 S3 S4 S5", "straight flush"),
    ):
        assert Position(cards, "S9").play(cards).report["last_play"] == kind


def test_R8_E6_straights():
    for cards in ("SA S2 H3 C4 D5", "S2 H3 C4 D5 D6", "S10 CJ CQ CK CA", "D3 H4 C5 D6 D7"):
        assert is_play(cards)
    for cards in ("SJ SQ SK SA D2", "SQ SK SA S2 H3", "SK SA S2 H3 H4"):
        assert not is_play(cards)
    for cards in ("HA H2 H3 H4 H5", "S10 SJ SQ SK SA"):
        (step,) = [a for a in Position(cards).legal if ":" in a]
        assert step.startswith("sf:")
    order = (
        *("SA S2 H3 C4 S5", "S2 H3 C4 D5 S6", "D3 H4 C5 D6 D7"),
        *("S9 C10 CJ CQ SK", "S10 CJ CQ CK HA", "D10 CJ CQ CK SA"),
    )
    for low, high in combinations(order, 2):
        if not set(low.split()) & set(high.split()):
            assert beats(high, low)
        assert play_of_text(high) > play_of_text(low)


def play_of_text(cards: str) -> int:
    return int(play_of(np.int64(parse_cards(cards))))


def test_R8_a_straight_avoids_one_suit():
    # Below the top only the 7 has another suit, so that all steps are forced.
    table = Position("S5 S6 S7 S8 S9 H7 D9", "C3").play("straight:S9")
    assert table.s["cards"][0] == parse_cards("S7 D9")
    assert "straight:S9" not in Position("S5 S6 S7 S8 S9 D9").legal
    assert spaced("straight:D9 sf:S9") < set(Position("S5 S6 S7 S8 S9 D9").legal)


def test_R9_E9_pairs_and_triples():
    assert beats("H9 S9", "D9 C9") and not beats("C9 H9", "S9 D9")
    assert beats("D4 C4 H4", "S3 H3 C3")


def test_R9_E7_flushes():
    assert beats("D2 D3 D7 D9 DJ", "SA SK SQ SJ S9")
    assert beats("SA S4 S5 S6 S8", "HA HK HQ HJ H9")


def test_R10_E8_kinds():
    for high, low in (
        ("C3 C4 C6 C7 C9", "SA HK SQ SJ S10"),
        ("D3 C3 H3 D4 C4", "S2 SK SQ SJ S9"),
        ("D3 C3 H3 S3 D4", "D2 C2 H2 SA HA"),
        ("DA D2 D3 D4 D5", "C2 H2 S2 SA HA"),
    ):
        assert beats(high, low) and not beats(low, high)
    # The other examples of the order share cards, so no deal has both.
    for high, low in (
        ("D2 D3 D4 D5 D6", "S2 H2 C2 D2 SA"),
        ("DA D2 D3 D4 D5", "D2 C2 H2 S2 SA"),
        ("D4 C4 H4 D3 C3", "S3 H3 D3 SA HA"),
    ):
        assert play_of_text(high) > play_of_text(low)


def test_E11_steps_of_a_flush():
    table = Position("D3 D4 D5 D6 D8 D9 C2")
    singles = spaced("D3 D4 D5 D6 D8 D9 C2")
    assert set(table.legal) == singles | spaced("flush:D8 flush:D9 straight:D6")
    assert Position("D3 D4 D5 D6 D8 D9 C2").play("flush:D8").s["log_count"] == 1
    assert Position("D3 D4 D5 D6 D8 D9 C2").play("straight:D6").s["log_count"] == 1
    assert set(table.play("flush:D9").legal) == spaced("+D8 +D6")


def test_a_flush_of_five_leaves_out_the_straight():
    table = Position("D4 D5 D6 D7 D8 D9", "C3").play("flush:D9", "+D8", "+D7", "+D6")
    assert table.s["cards"][0] == parse_cards("D5")  # with the 4: the 5 would make a straight
    fives = [play for play in Position("D4 D5 D6 D7 D8 D9").plays() if len(play.split()) == 5]
    assert len(fives) == 6


def test_E12_following_a_full_house():
    table = Position("C6 D6 H6 D3 C3 SA", "S7 H7 C7 D7 S9 H9 D4").play("C6 D6 H6 D3 C3")
    bodies = ("H7C7D7+xx", "S7C7D7+xx", "S7H7D7+xx", "S7H7C7+xx")
    assert table.legal == ["pass", *bodies, "7777+x"]
    for body in bodies:
        assert Position.of("big_two", table.table.copy()).play(body).s["log_count"] == 2
    assert set(table.play("7777+x").legal) == spaced("+S9 +H9 +D4")


# --- What is asked, and what is not ---------------------------------------------------------------


def test_a_seat_with_too_few_cards_passes_unasked():
    table = Position("S5 H5 S6 D4", "S9", "S7 H7", "S8").play("S5 H5")
    assert table.turn == 2
    assert table.play("S7 H7").s["ended"]
    table = Position("S5 H5 S6 D4", "S9", "S7 D8", "S8").play("S5 H5")
    assert table.turn == 2 and table.legal == ["pass"]  # it is not known that it must pass
    assert table.play("pass").turn == 0 and table.s["log_count"] == 4


def test_the_last_card_on_lead_is_played_unasked():
    table = Position("S9 H9 D3", "S4 S5 S6 S7", "H4 H5 H6", "C4 C5 C6").play("S9 H9")
    table.play("pass", "pass", "pass")
    assert table.s["ended"] and table.s["winner"] == 0


def test_a_forced_first_card_is_asked():
    table = Position("D3 S5", first=True)
    assert table.legal == ["D3"] and not table.s["ended"]


def test_steps_are_shown_to_the_seat_that_composes_alone():
    table = Position("D4 D5 D6 D7 D8 D10 DJ", "S9 S10").play("flush:DJ", "+D10")
    assert table.view(0)["chosen"][0] == table.s["chosen"] != 0
    assert table.view(1)["body"][0] == NONE and table.view(1)["chosen"][0] == 0


def test_plays_written_by_people():
    table = Position("H8 S9 C10 SJ DQ H9 D9 C9 D4").s
    for written in ("H8 S9 C10 SJ DQ", "dq sj ct s9 h8", "DQ,SJ,C10,S9,H8", "DQSJCTS9H8"):
        assert GAME.move(table, written) == ["straight:DQ", "+S9"]
    assert GAME.move(table, "C9 H9 D9") == ["H9C9D9"]
    for written, said in (
        ("S8 C8", "not in the hand"),
        ("S1", "no card"),
        ("S9 S9", "more than once"),
        ("S9 H8", "no play"),
        ("", "no play"),
    ):
        with pytest.raises(ValueError, match=said):
            GAME.parse_move(table, written)
    going_on = Position("H8 S9 C10 SJ DQ H9 D9 C9 D4").play("straight:DQ")
    assert GAME.move(going_on.s, "H8 S9 C10 SJ DQ") == ["+S9"]
    with pytest.raises(ValueError, match="has been chosen"):
        GAME.parse_move(going_on.s, "C9 H9")


# --- End and settlement ---------------------------------------------------------------------------


def test_R11_the_hand_ends_when_a_seat_is_out():
    table = ended(0, 1, 1, 1, winner=0)
    assert table.s["ended"] and table.s["winner"] == 0 and table.report["reason"] == "out"


def test_R12_E1_card_points():
    table = ended(5, 8, 0, 12, winner=2)
    assert table.report["points"] == [5, 16, 0, 36]
    assert table.coins == (37, -7, 57, -87)


def test_R13_E2_points_with_and_without_S2():
    table = Position()
    for spade_two, expected in ((False, (7, 16, 18, 30, 36, 52)), (True, (7, 32, 36, 60, 72, 104))):
        for n, count in zip((7, 8, 9, 10, 12, 13), expected, strict=True):
            table.s["left"][1] = n
            table.s["cards"][1] = 1 << S2 if spade_two else 1 << (S2 - 1)  # no other 2 counts
            assert points(table.s, 1, NONE) == count


def paid(counts: tuple[int, ...], first: int = 1, **options) -> tuple[int, ...]:
    """What the seats get for these points."""
    table = Position(**options)
    table.s["net"] = [-count for count in counts]
    pay_out(table.s, first)
    return tuple(table.s["coins"].tolist())


def test_R14_E2_E3_settlement():
    assert paid((0, 104, 1, 13)) == (118, -298, 114, 66)
    assert paid((0, 3, 7, 5), stake=10) == (150, 30, -130, -50)
    assert ended(0, 3, 7, 5, winner=0, stake=10).coins == (150, 30, -130, -50)


def test_R15_E4_short_of_coins():
    assert ended(5, 8, 0, 12, winner=2, stack=(100, 100, 100, 60)).coins == (26, -7, 41, -60)
    assert ended(8, 0, 8, 8, winner=1, stack=(10, 100, 5, 100)).coins == (-10, 31, -5, -16)


def test_R15_ties_from_the_seat_after_the_winner():
    # Dues 13, 13, 13 for a pool of 10: the coin left goes to the first after the winner.
    assert paid((0, 0, 0, 13), first=1, stack=(99, 99, 99, 10)) == (3, 4, 3, -10)
    assert paid((0, 0, 0, 13), first=3, stack=(99, 99, 99, 10)) == (4, 3, 3, -10)


def test_R16_E5_leaving():
    hands = (hand(13, True), "D3 D4 S2", "C3 C4", hand(12, True, "H"))
    assert Position(*hands).leave(1).coins == (52, -156, 52, 52)
    assert Position(*hands).leave(3).coins == (72, 72, 72, -216)
    table = Position(*hands, stake=2).leave(0)
    assert table.coins == (-624, 208, 208, 208)
    assert table.s["over"] == ENDED and table.report["points"] == [104, 0, 0, 0]
    assert table.report["reason"] == "a seat left" and table.report["winner"] is None


def test_R16_leaving_short_of_coins_and_in_the_middle_of_a_play():
    table = Position("D4 D5 D6 D7 D8 D10 DJ", "S9 S10", "C3", "C4", stack=(10, 5, 5, 5))
    table.play("flush:DJ").leave(0)
    assert table.coins == (-10, 4, 3, 3) and table.s["body"] == NONE
    other = Position("D4 D5 D6 D7 D8 D10 DJ", "S9 S10", "C3", "C4").play("flush:DJ").leave(2)
    assert other.coins == (52, 52, -156, 52) and other.s["chosen"] == 0


def test_R17_no_answer():
    table = Position("D4 D5 D6 D7 D8 D10 DJ C3", "S9 S10 C9 H10 SJ")
    assert table.default == "C3"
    assert table.play("flush:DJ").default == "+D7"  # below it are just enough cards
    assert Position("S4 H4 C4 S5 H5 S6 H6").play("S4H4C4+xx").default == "+S5H5"
    assert Position("S4 S5", "S6 S7").play("S4").default == "pass"


def test_R18_match():
    table = ended(0, 3, 7, 5, winner=0, stack=(100, 100, 100, 21), hands=3)
    assert table.coins == (15, 3, -13, -5) and table.s["over"] == PLAYING
    table = ended(0, 3, 7, 5, winner=0, stack=(100, 100, 100, 21), hands=3, stake=20)
    assert table.s["over"] == ENDED  # 1 coin is less than 20
    table.s["hand"] = 2
    assert ended(0, 3, 7, 5, winner=0).s["over"] == ENDED  # the last of two hands


def test_options():
    for bad in ({"seats": 3}, {"stake": 0}, {"stack": 0}, {"hands": 1001}):
        with pytest.raises(OptionError):
            make("big_two", **bad)


# --- Views ----------------------------------------------------------------------------------------


def test_a_redeal_keeps_D3_with_the_leader_until_it_is_played():
    table = Position().deal()
    leader = int(table.s["leader"])
    other = (leader + 1) % 4
    views = table.redealt(other, 200)
    assert (views["cards"][:, leader] & 1 == 1).all()
    counts = np.array([[int(c).bit_count() for c in row] for row in views["cards"]])
    assert (counts == 13).all()
    later = table.play("D3").redealt(other, 2000)
    held = later["cards"][:, leader] >> np.arange(52)[:, None] & 1
    unseen = DECK & ~1 & ~int(table.s["cards"][other])
    share = held.mean(axis=1)[[c for c in range(52) if unseen >> c & 1]]
    assert abs(share - 12 / 38).max() < 5 * (12 / 38 * 26 / 38 / 2000) ** 0.5
    assert not (later["cards"] & 1).any()


def test_all_cards_are_shown_in_the_end():
    table = ended(5, 8, 0, 12, winner=2)
    assert (table.view(0)["cards"][0] == table.s["cards"]).all()
    zones = [zone for zone in GAME.scene(table.view(0)[0], 0).zones if zone.name == "hand"]
    assert [len(zone.items) for zone in zones] == [5, 8, 0, 12]


def test_observation():
    table = Position().deal()
    first = int(table.s["leader"])
    seen, _ = table.observation(first)
    assert seen["first_play"][0] == 1 == seen["leads"][0]
    assert seen["cards"][0].sum() == 13 and seen["unseen"].sum() == 39
    table.play("D3", "pass")
    seat = table.turn
    seen, _ = table.observation(seat)
    assert seen["played"][2, 0] == 1 and seen["played"].sum() == 1
    assert seen["turns_ago"][0] == 2 and seen["table_owner"].tolist() == [0, 0, 1, 0]
    assert seen["log"][0, :5].tolist() == [0, 0, 0, 1, 1] and seen["log"][0, 5:].sum() == 0
    assert seen["log"][1, :6].tolist() == [0, 0, 1, 0, 0, 1]
    assert seen["table_kind"][0] == seen["table_rank"][0] == seen["table_suit"][0] == 1
    assert seen["table_cards"][0] == 1 == seen["table_cards"].sum() == seen["passes"][0]


def test_positions_in_words():
    suits = [" ".join(suit + rank for rank in RANK_NAMES) for suit in "DCHS"]
    table = position("big_two", cards=suits, leader=0, turn=0, play=["D7 D6 D5 D4 D3", "pass"])
    assert table["log_count"][0] == 2
    with pytest.raises(ValueError, match="leader is 1, who does not hold D3"):
        position("big_two", cards=suits, leader=1, turn=1)
    with pytest.raises(ValueError, match="no play"):
        position("big_two", cards=suits, leader=0, turn=0, play=["D7 D6"])


# --- What can't be --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "place", "value", "said"),
    [
        ("left", 0, 5, r"left\[0\] is 5: after what was played"),
        ("played_in", 0, 3, "played_in has 3, and log_count is 3"),
        ("played_in", 0, 2, r"left\[0\] is 12"),
        ("to_beat", (), 5, "to_beat is 5"),
        ("winner", (), 1, "winner is 1"),
        ("chosen", (), 1, "chosen is 1"),
        ("net", 0, 1, "net"),
        ("owner", (), 2, "owner is 2"),
        ("turn", (), 2, "turn is 2"),
        ("cards", 0, 0, r"cards\[0\] has 0 cards"),
        ("body", (), 200, "body is straight:C9, and"),
        ("body", (), 53, "body is C3D3"),
    ],
)
def test_what_can_not_be_is_named(field, place, value, said):
    suits = [" ".join(suit + rank for rank in RANK_NAMES) for suit in "DCHS"]
    table = position("big_two", cards=suits, leader=0, turn=0, play=["D3", "C5", "pass"])[0]
    check(GAME, table)
    if place == ():
        table[field] = value
    else:
        table[field][place] = value
    with pytest.raises(ValueError, match=said):
        check(GAME, table)
