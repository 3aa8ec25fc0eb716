"""Baccarat, clause by clause: hands by card names, coins worked out by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, position
from qipai.envs.baccarat import (
    BANKER_DRAWS,
    GAME,
    ROAD,
    STOOD,
    big_road,
    last_results,
    rooms,
)
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from tests.table import Table, card_names, parse_cards

WIDE = {"max_main": 10**6, "max_tie": 10**6, "max_pair": 10**6, "max_size": 10**6}
BANKER_FIRST = "SK H9 DQ C9"  # 莊 8, a natural
PLAYER_FIRST = "H9 SK C9 DQ"


class Coup(Table):
    """A hand whose cards are given in the order they leave the shoe; bets are by seat."""

    def __init__(self, cards: str = "", *bets: str, **options: Any) -> None:
        super().__init__("baccarat", **{"seats": max(1, len(bets)), **options})
        self.deal()
        self.lay(cards)
        for bet in bets:
            self.bet(bet)

    def lay(self, cards: str) -> Coup:
        """These cards leave the shoe next."""
        shoe = self.s["shoe"]
        for k, card in enumerate(parse_cards(cards), int(self.s["dealt"])):
            other = k + int(np.argmax(shoe[k:] == card))
            assert shoe[other] == card, "there is no such card left"
            shoe[k], shoe[other] = card, shoe[k]
        return self

    def bet(self, bet: str) -> Coup:
        """A seat's chips, largest first: ``banker 1000, big 500``."""
        sizes = self.s["rules"]["chips"].tolist()
        names = []
        for spot, coins in (part.split() for part in bet.split(", ") if part):
            left = int(coins)
            for size in (3, 2, 1):
                number, left = divmod(left, sizes[size - 1])
                names += [f"chip{size}:{spot}"] * number
            assert left == 0
        seat = self.turn
        self.play(*sorted(names, key=GAME.parse))
        return self if self.s["ended"] or self.turn != seat else self.play("done")

    def next(self, cards: str = "", *bets: str) -> Coup:
        """The next hand."""
        self.next_hand()
        self.lay(cards)
        for bet in bets:
            self.bet(bet)
        return self

    @property
    def hands(self) -> tuple[str, str]:
        """閒 and 莊."""
        rows = (" ".join(card_names(row[row != NONE])) for row in self.s["cards"])
        return next(rows), next(rows)

    @property
    def points(self) -> tuple[int, int]:
        points = self.report["points"]
        return points["player"], points["banker"]

    @property
    def cards(self) -> int:
        return int((self.s["cards"] != NONE).sum())

    @property
    def room(self) -> tuple[int, ...]:
        """What the seat to act may still lay: 莊, 閒, 和, pairs, 大小."""
        return tuple(int(coins) for coins in rooms(self.s, self.turn))


def won(cards: str, bet: str, **options: Any) -> int:
    """What a seat's bet brings."""
    return Coup(cards, bet, **{"chips": (1, 10, 1000), "max_chips": 12, **WIDE, **options}).coins[0]


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "points", "dealt"),
    [
        ("S9 HK D10 C7 S2 S2", (9, 7), 4),  # E1
        ("S2 HK D3 C3 S8 S2", (3, 3), 5),  # E2
        ("S2 HK D3 C3 SK H4", (5, 7), 6),  # E3
        ("S6 HK DK C5 S4 S2", (6, 9), 5),  # E4
        ("SK H6 DQ C10 S6 H4", (6, 0), 6),  # E5
        ("SK H6 DQ C10 S5 H4", (5, 6), 5),
        ("SA H2 D2 C2 S10 S2", (3, 4), 5),  # E6
        ("SA H2 D2 C3 S4 HK", (7, 5), 6),
        ("SK HK DK CK S4 H2", (4, 2), 6),  # E7
    ],
)
def test_E1_to_E7_points_and_cards(cards: str, points: tuple[int, int], dealt: int) -> None:
    hand = Coup(cards, "")
    assert (hand.points, hand.cards) == (points, dealt)


def test_E4_two_seats() -> None:
    hand = Coup("S6 HK DK C5 S4", "banker 1000, big 500", "player 300, tie 100, small 100")
    assert (hand.coins, hand.house) == ((1220, -500), -720)


def test_E8_a_pair_and_a_natural() -> None:
    hand = Coup("S8 H8 D8 CK", "banker 100, ppair 200, bpair 100, small 100")
    assert (hand.coins, hand.house) == ((2345,), -2345)
    assert hand.report["won"] == [{"banker": 95, "bpair": -100, "ppair": 2200, "small": 150}]


def test_E9_a_tie() -> None:
    hand = Coup("SK H7 D7 C10", "banker 1000, tie 100", "player 500, bpair 100, small 300")
    assert (hand.points, hand.cards) == ((7, 7), 4)
    assert (hand.coins, hand.house) == ((800, 350), -1150)


@pytest.mark.parametrize(
    ("cards", "bet", "coins"),
    [
        (BANKER_FIRST, "banker 19", 18),
        (PLAYER_FIRST, "player 7", 7),
        (PLAYER_FIRST, "small 3", 4),
        ("S2 HK D3 C3 SK H4", "big 1", 0),
    ],
)
def test_E10_rounding(cards: str, bet: str, coins: int) -> None:
    assert won(cards, bet) == coins


def test_E11_chips() -> None:
    hand = Coup(seats=1)
    assert len(hand.legal) == 22
    hand.play("chip1:banker")
    assert not {"chip3:banker", "chip2:banker"} & {*hand.legal}
    assert not [name for name in hand.legal if name.endswith(":player")]
    hand.play("chip1:banker", "chip1:banker", "chip1:banker")
    assert "chip1:banker" not in hand.legal
    hand = Coup(seats=1).play("chip3:tie", "chip3:tie")
    later = ("bpair", "ppair", "big", "small")
    assert hand.legal == ["done", *(f"chip{d}:{spot}" for spot in later for d in (3, 2, 1))]


# --- Shoe and deal -----------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [1, 3, 8])
def test_R1_a_shoe_of_packs(decks: int) -> None:
    shoe = Coup(decks=decks).s["shoe"]
    assert (np.bincount(shoe[: 52 * decks]) == decks).all()
    assert (shoe[52 * decks :] == NONE).all()


def test_R1_points() -> None:
    assert Coup("SA H9 D10 CJ", "").points == (1, 9)
    assert Coup("S8 H9 D9 C9", "").points == (7, 8)


def test_R2_the_shoe_goes_on() -> None:
    hand = Coup("S9 HK D10 C7", "", hands=3)
    before = hand.s["shoe"].copy()
    hand.next()
    assert (hand.s["shoe"] == before).all()
    assert (int(hand.s["dealt"]), int(hand.s["taken"].sum())) == (4, 4)
    hand.bet("")
    for card in {*parse_cards("S9 HK D10 C7")}:
        assert hand.s["taken"][card] >= 1
    assert GAME.census(hand.s) == (8,) * 52


@pytest.mark.parametrize(("cut", "again"), [(48, False), (49, True)])
def test_R2_a_new_shoe_below_the_cut(cut: int, again: bool) -> None:
    hand = Coup("S9 HK D10 C7", "", hands=3, decks=1, cut=cut)  # 48 cards are left
    assert hand.next().s["dealt"] == (0 if again else 4)
    assert hand.s["taken"].sum() == hand.s["dealt"]
    assert hand.hands == ("S9 D10", "HK C7")  # the last hand is still on the table


def test_R2_a_fresh_shoe_every_hand() -> None:
    hand = Coup("S9 HK D10 C7", "", hands=3, fresh_shoe=True)
    assert hand.next().s["dealt"] == 0


def test_R2_a_match_of_many_hands_uses_every_card_but_the_cut() -> None:
    """From shuffle to shuffle no card is dealt more often than it is there, and the hand before a
    shuffle leaves fewer cards than the cut."""
    hand = Coup("", "", hands=200, decks=2, cut=20)
    shuffles, left = 0, 104
    while not hand.s["over"]:
        left = 104 - int(hand.s["dealt"])
        hand.next()
        if hand.s["dealt"] == 0:
            shuffles += 1
            assert left < 20
        else:
            assert left >= 20
        hand.bet("")
        check(GAME, hand.s)
    assert shuffles > 8


def test_R3_cards_in_turn() -> None:
    assert Coup("S2 HK D3 C3 SK H4", "").hands == ("S2 D3 SK", "HK C3 H4")


# --- Drawing rules -----------------------------------------------------------------------------


@pytest.mark.parametrize("natural", ["S8 HA DK CA", "SA H9 DA CK", "S8 HA DK C8", "SK H8 DK C10"])
def test_R4_nobody_draws_against_a_natural(natural: str) -> None:
    assert Coup(natural, "").cards == 4


def first_cards(player: int, banker: int) -> str:
    """Two tens and a card each, or three tens."""
    cards = ["K" if n == 0 else "A" if n == 1 else str(n) for n in (player, banker)]
    return f"S{cards[0]} H{cards[1]} DK CQ"


@pytest.mark.parametrize("player", range(8))
def test_R5_player_draws_to_five(player: int) -> None:
    drawn = Coup(first_cards(player, 7) + " S2", "").hands[0]
    assert len(drawn.split()) == (3 if player <= 5 else 2)


@pytest.mark.parametrize(("player", "banker"), [*product((6, 7), range(8))])
def test_R6_banker_draws_to_five_if_player_stood(player: int, banker: int) -> None:
    drawn = Coup(first_cards(player, banker) + " S2", "").hands[1]
    assert len(drawn.split()) == (3 if banker <= 5 else 2)


# The thirds after which 莊 draws, by its points.
DRAWS_AFTER = ("0123456789", "0123456789", "0123456789", "012345679", "234567", "4567", "67", "")


@pytest.mark.parametrize("banker", range(8))
def test_R7_banker_draws_by_the_third_card(banker: int) -> None:
    for third, name in enumerate(("D10", "DA", *(f"D{n}" for n in range(2, 10)))):
        drawn = Coup(f"{first_cards(0, banker)} {name} C2", "").hands[1]
        assert (len(drawn.split()) == 3) == (str(third) in DRAWS_AFTER[banker])


def test_R7_the_table_has_57_draws() -> None:
    assert BANKER_DRAWS.sum(axis=1).tolist() == [11, 11, 11, 10, 7, 5, 2, 0]
    assert BANKER_DRAWS[:, STOOD].tolist() == [1] * 6 + [0, 0]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [(BANKER_FIRST, "banker"), (PLAYER_FIRST, "player"), ("S8 H8 DK CK", "tie")],
)
def test_R8_more_points_win(cards: str, winner: str) -> None:
    assert Coup(cards, "").report["winner"] == winner


# --- Bets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spot", "outcomes"),
    [("banker", (95, -100, 0)), ("player", (-100, 100, 0)), ("tie", (-100, -100, 800))],
)
def test_R9_the_main_bets(spot: str, outcomes: tuple[int, int, int]) -> None:
    hands = (BANKER_FIRST, PLAYER_FIRST, "S8 H8 DK CK")
    assert tuple(won(cards, f"{spot} 100") for cards in hands) == outcomes


@pytest.mark.parametrize(
    ("cards", "ppair", "bpair"),
    [
        ("S9 HK C9 DQ", True, False),
        ("S9 HK C9 DK", True, True),
        ("S9 HJ CK DJ", False, True),
        ("S10 HK CJ DQ", False, False),  # of a count, not of a rank
        ("S2 H4 C3 D4 S2 H4", False, True),
        ("S2 H4 C3 D3 S2 H4", False, False),  # a third card makes no pair
    ],
)
def test_R10_pairs(cards: str, ppair: bool, bpair: bool) -> None:
    assert won(cards, "ppair 100") == (1100 if ppair else -100)
    assert won(cards, "bpair 100") == (1100 if bpair else -100)


@pytest.mark.parametrize(
    ("cards", "dealt"),
    [
        ("S8 H8 DK CK", 4),  # a tie
        ("S7 H6 DK CK", 4),
        ("S7 H5 DK CK S2", 5),
        ("S2 HK D3 C3 S8", 5),  # a tie
        ("S2 HK D3 C3 SK H4", 6),
    ],
)
def test_R11_big_and_small(cards: str, dealt: int) -> None:
    assert won(cards, "big 100") == (54 if dealt > 4 else -100)
    assert won(cards, "small 100") == (150 if dealt == 4 else -100)


def test_R12_limits_by_group() -> None:
    hand = Coup(seats=1, max_chips=12, max_main=1200, max_pair=1500, max_size=500, both_sides=True)
    assert hand.room == (1200, 1200, 2000, 1500, 500)
    hand.play("chip3:banker")
    assert hand.room == (200, 200, 2000, 1500, 500)
    hand.play("chip1:player", "chip3:bpair")
    assert hand.room == (100, 100, 2000, 500, 500)
    hand.play("chip2:ppair")
    assert hand.legal == ["done", "chip2:big", "chip1:big", "chip2:small", "chip1:small"]


def test_R12_no_more_than_the_coins() -> None:
    hand = Coup(seats=1, stack=1600).play("chip3:banker")
    assert {name[:5] for name in hand.legal} == {"done", "chip2", "chip1"}
    hand.play("chip2:tie")
    assert {name[:5] for name in hand.legal} == {"done", "chip1"}


@pytest.mark.parametrize(("side", "other"), [("banker", "player"), ("player", "banker")])
def test_R12_one_side(side: str, other: str) -> None:
    barred = Coup(seats=1).play(f"chip1:{side}").legal
    both = Coup(seats=1, both_sides=True).play(f"chip1:{side}").legal
    assert not [name for name in barred if name.endswith(other)]
    assert (f"chip1:{other}" in both) == (side == "banker")  # ids never fall


def test_R12_both_sides_are_paid() -> None:
    assert Coup(BANKER_FIRST, "banker 100, player 100", both_sides=True).coins == (-5,)


def test_R12_the_last_chip_ends_the_turn() -> None:
    hand = Coup(seats=2, max_chips=2).play("chip1:banker", "chip1:banker")
    assert hand.turn == 1
    hand.play("chip1:small", "chip1:small")
    assert hand.s["ended"]


def test_R12_nobody_has_to_bet() -> None:
    assert Coup(BANKER_FIRST, "", "").coins == (0, 0)


@pytest.mark.parametrize(
    "options",
    [
        {"chips": (100, 500, 1250)},
        {"chips": (100, 100, 200)},
        {"max_tie": 99},
        {"stack": 99},
        {"cut": 5},
        {"decks": 9},
    ],
)
def test_R12_options_that_do_not_go_together(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        make("baccarat", **options)


def test_R13_chips_are_concealed_until_all_are_done() -> None:
    hand = Coup("", "banker 1000", "tie 100, big 100", seats=3)
    views = [hand.view(seat)[0] for seat in range(3)]
    assert [view["laid"][0, 0] for view in views] == [0, HIDDEN, HIDDEN]
    assert [view["laid"][1, 0] for view in views] == [HIDDEN, 8, HIDDEN]
    hand.play("chip1:small")
    assert hand.view(0)["laid"][0, 2, 0] == NONE  # as if it had not begun
    assert hand.view(2)["laid"][0, 2, 0] == 20
    hand.play("done")
    assert (hand.view(0)["laid"] == hand.s["laid"]).all()


def test_R14_the_house_pays_and_collects() -> None:
    hand = Coup(BANKER_FIRST, "banker 1000", "player 1000", "player 500", stack=10**15)
    assert (hand.coins, hand.house) == ((950, -1000, -500), 550)
    assert won(BANKER_FIRST, "banker 1001", stack=10**6) == 950


def test_R14_a_stake_is_rounded_as_a_whole() -> None:
    """Two chips of 1 on small win 3, not 1 + 1."""
    assert won(BANKER_FIRST, "small 2") == 3


# --- Seats -------------------------------------------------------------------------------------


def test_R15_who_owns_a_chip_is_in() -> None:
    hand = Coup(seats=4, stack=(99, 100, 5000, 100))
    assert (hand.s["joined"][:4].tolist(), hand.turn) == ([0, 1, 1, 1], 1)
    hand.lay(BANKER_FIRST)
    hand.bet("player 100").bet("").bet("banker 100")
    assert hand.coins == (0, -100, 0, 95)
    assert hand.s["stack"][:4].tolist() == [99, 0, 5000, 195]


def test_R15_the_match_ends_when_no_seat_is_in() -> None:
    hand = Coup(BANKER_FIRST, "player 100", "player 100", hands=9, stack=(100, 150))
    assert hand.s["over"]
    assert not Coup(BANKER_FIRST, "player 100", "banker 100", hands=9, stack=100).s["over"]


def test_R15_hands_of_a_match() -> None:
    assert GAME.options("shoe")["hands"] == 70
    hand = Coup("", "", hands=2)
    assert not hand.s["over"]
    assert hand.next("", "").s["over"]


def test_R16_chips_of_a_leaver_stand() -> None:
    hand = Coup(BANKER_FIRST, "banker 1000", seats=3, hands=3)
    hand.play("chip1:tie").leave(1)
    assert hand.turn == 2
    hand.leave(0)
    hand.play("done")
    assert hand.coins == (950, -100, 0)
    hand.next()
    assert (hand.turn, hand.s["joined"][:3].tolist()) == (2, [0, 0, 1])


def test_R16_who_leaves_before_its_turn_lays_nothing() -> None:
    hand = Coup(BANKER_FIRST, seats=3).leave(1)
    hand.play("chip1:banker", "done")
    assert hand.turn == 2
    hand.leave(2)
    assert hand.coins == (95, 0, 0)


def test_R16_the_match_ends_when_all_have_left() -> None:
    hand = Coup(BANKER_FIRST, seats=2, hands=5).play("chip1:player").leave(1).leave(0)
    assert (hand.coins, bool(hand.s["over"])) == ((-100, 0), True)


def test_R16_no_answer_lays_no_more() -> None:
    assert Coup(seats=1).play("chip1:tie").default == "done"


# --- Views -------------------------------------------------------------------------------------


def test_a_seat_observes_what_is_left() -> None:
    hand = Coup("S2 HK D3 C3 SK H4", "", hands=3)
    seen = hand.next().play("chip2:tie", "chip1:big").known(0)
    left = dict(zip(["2", *"3456789", "10", "J", "Q", "K", "A"], seen["left"] * 4, strict=True))
    assert (left["2"], left["3"], left["4"], left["K"], left["A"]) == (31, 30, 31, 30, 32)
    assert seen["cards_left"] * 52 == 410
    assert seen["chips"].tolist() == [0, 0, 5, 0, 0, 1, 0]
    assert seen["rooms"].tolist() == [100, 100, 15, 20, 49]
    assert seen["chips_left"] == 6
    assert seen["points"].argmax(axis=1).tolist() == [5, 7]
    assert seen["dealt"].tolist() == [0, 0, 1]
    assert seen["cards"].sum(axis=(1, 2)).tolist() == [3, 3]
    assert seen["odds"].tolist() == pytest.approx([0.95, 1, 8, 11, 11, 0.54, 1.5])


@pytest.mark.parametrize(("cut", "flags"), [(46, [0, 0]), (47, [1, 0]), (48, [1, 0]), (49, [1, 1])])
def test_a_seat_observes_whether_the_shoe_ends(cut: int, flags: list[int]) -> None:
    """52 cards are left, after this hand 46 to 48."""
    assert Coup(seats=1, decks=1, cut=cut).known(0)["reshuffle"].tolist() == flags


def test_the_order_of_the_shoe_is_nobodys_and_drawn_from_what_is_left() -> None:
    hand = Coup("SA HA DA CA S2 H2", "", hands=2, decks=1, cut=6).next()
    assert (hand.view(0)["shoe"][0, int(hand.s["dealt"]) : 52] == HIDDEN).all()
    worlds = hand.redealt(0, 3000)
    left = np.flatnonzero(hand.s["taken"] == 0)
    assert (np.sort(worlds["shoe"][:, int(hand.s["dealt"]) : 52], axis=1) == left).all()
    first = np.bincount(worlds["shoe"][:, int(hand.s["dealt"])], minlength=52)[left]
    assert abs(first - 3000 / len(left)).max() < 5 * (3000 / len(left)) ** 0.5


def test_concealed_chips_are_redealt_as_legal_sequences() -> None:
    hand = Coup("", "banker 100", seats=2, max_chips=3, stack=400)
    worlds = hand.redealt(1, 400)
    laid = Counter(tuple(row[row != NONE].tolist()) for row in worlds["laid"][:, 0])
    assert len(laid) > 60
    for world in addressable(worlds):
        check(GAME, world)


# --- Positions, roads --------------------------------------------------------------------------


def test_a_position_in_words() -> None:
    table = position(
        "baccarat",
        options={"seats": 2, "decks": 6},
        shoe="S8 H8 D8 CK",
        play=["chip1:banker+chip1:small+done", "chip2:ppair"],
    )
    env = make("baccarat", seats=2, decks=6)
    env.place(table)
    env.step(GAME.parse("done"))
    assert env.hand_report()["coins"][:2] == [245, 5500]


def test_big_road() -> None:
    """Runs go down, a winner that changes begins a column, ties are counted on the bead before."""
    results = [(name[0], name[1:]) for name in ("T", "B", "B", "T", "T", "Pp", "P", "B", "Bb", "P")]
    beads, place = big_road(results)
    assert beads == {
        (0, 0): "B1",
        (0, 1): "B2",
        (1, 0): "Pp",
        (1, 1): "P",
        (2, 0): "B",
        (2, 1): "Bb",
        (3, 0): "P",
    }
    assert place == (3, 0)


def test_big_road_turns_at_the_bottom() -> None:
    beads, _ = big_road([("B", "")] * 8 + [("P", "")] * 7 + [("B", "")])
    tail = {(0, row) for row in range(6)} | {(1, 5), (2, 5)}
    second = {(1, row) for row in range(5)} | {(2, 4), (3, 4)}
    assert {at for at, bead in beads.items() if bead == "P"} == second
    assert {at for at, bead in beads.items() if bead == "B"} == tail | {(2, 0)}


def test_the_road_keeps_the_last_hands() -> None:
    hand = Coup(BANKER_FIRST, "", hands=ROAD + 10)
    for _ in range(ROAD + 3):
        hand.next("", "")
    results = last_results(hand.s)
    assert (len(results), results[-1][0]) == (ROAD, hand.report["winner"][0].upper())
