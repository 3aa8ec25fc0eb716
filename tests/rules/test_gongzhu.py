"""Gongzhu, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs import OptionError, make, make_tables
from qipai.envs.checking import check
from qipai.envs.gongzhu import EXPOSING, GAME, PLAYING_CARDS, read_set, set_text
from qipai.envs.layout import HIDDEN, NONE
from tests.gongzhu_positions import ALL_FOUR, HEARTS, WHOLE, Position, dealt, hands_dealt, points

# --- The worked examples -----------------------------------------------------------------------

# Cards that make the raw scores (−120, −280, 0, 160) and (−10, 0, 0, 0) with something exposed.
EXAMPLE_1 = ("SQ H10 H9", "HA HK HQ HJ C10", "H4", "")


def coins_of(raw: tuple[int, ...], first: int, **options: object) -> tuple[int, ...]:
    """What raw scores pay; they are made of hearts and the sheep, in so far as that can be."""
    position = Position(leader=first, taken=[TAKEN[points_] for points_ in raw], **options)
    return position.settle().coins


TAKEN = {
    0: "",
    -10: "H5",
    -100: "SQ",
    -120: "SQ H5 H6",
    -280: "HA HK HQ H10 H9 C10",
    160: "DJ H5 H6 C10",
    50: "C10",
    -300: "HA HK HQ HJ H5 C10",
    -480: "HA HK SQ H10 H9 H8 H7 H6 C10",
    -150: "HA HK HQ HJ H5",
}


@pytest.mark.parametrize("raw", TAKEN)
def test_the_scores_used_below_are_right(raw: int) -> None:
    assert points(TAKEN[raw]) == raw


@pytest.mark.parametrize("first", range(4))
def test_E1_thirds(first: int) -> None:
    assert coins_of((-120, -280, 0, 160), first) == (-80, -293, 80, 293)
    assert coins_of((-120, -280, 0, 160), first, stake=3) == (-240, -880, 240, 880)


def test_E1_ties_of_remainders() -> None:
    assert coins_of((-10, 0, 0, 0), 0) == (-10, 4, 3, 3)
    assert coins_of((-10, 0, 0, 0), 1) == (-10, 3, 4, 3)


@pytest.mark.parametrize(
    ("taken", "score"),
    [
        ("SQ", -100),
        ("DJ", 100),
        ("C10", 50),
        ("C10 H3 H2", 50),
        ("C10 H5", -20),
        ("C10 SQ DJ", 0),
        ("HA HK SQ C10", -380),
        ("H4", 0),
    ],
)
def test_E2_nothing_exposed(taken: str, score: int) -> None:
    assert points(taken) == score


@pytest.mark.parametrize(
    ("taken", "exposed", "score"),
    [
        ("C10 S4", "C10", 100),
        ("HQ C10", "C10", -120),
        ("SQ DJ HA", "HA", -100),
        ("SQ DJ HA", "SQ DJ HA", -100),
        ("HA H10 SQ C10", ALL_FOUR, -1280),
    ],
)
def test_E3_exposed(taken: str, exposed: str, score: int) -> None:
    assert points(taken, exposed) == score


@pytest.mark.parametrize(
    ("more", "exposed", "score"),
    [
        ("", "", 200),
        ("", "HA", 400),
        ("SQ", "", 100),
        ("C10", "", 400),
        ("SQ C10", "", 200),
        ("SQ DJ", "", 200),
        ("SQ DJ C10", "", 800),
        ("SQ DJ C10", ALL_FOUR, 3200),
    ],
)
def test_E4_all_hearts(more: str, exposed: str, score: int) -> None:
    assert points(f"{HEARTS} {more}", exposed) == score


def test_E4_all_hearts_but_one() -> None:
    assert points(HEARTS.replace("H2", "")) == -200


@pytest.mark.parametrize(
    ("held", "lead", "led", "exposed", "legal"),
    [
        ("SQ S5 H4", "", "", "SQ", "H4 S5"),
        ("SQ H4", "", "", "SQ", "H4 SQ"),
        ("SQ S5 H4", "S7", "", "SQ", "S5"),
        ("SQ S5 H4", "S7", "S", "SQ", "S5 SQ"),
        ("SQ H4", "S7", "", "SQ", "SQ"),
        ("SQ S5 H4", "C7", "", "SQ", "H4 S5 SQ"),
        ("SQ S5 H4", "S7", "", "", "S5 SQ"),
    ],
)
def test_E5_exposed_cards_wait(held: str, lead: str, led: str, exposed: str, legal: str) -> None:
    hands = (held,) if not lead else ("D2 D3", held, "", lead)
    hand = Position(*hands, leader=3 if lead else 0, led=led, exposed=exposed)
    if lead:
        hand = Position(held, "", "", lead, leader=3, led=led, exposed=exposed).play(lead)
    assert hand.turn == 0
    assert " ".join(hand.legal) == legal


def test_E6_answers() -> None:
    hands = ("SQ S5", "HA", "DJ", "C10")
    answers = ("expose:SQ", "expose:HA", "expose:DJ", "expose:none")
    shown = [set_text(int(e)) for e in hands_dealt(*hands).play(*answers).s["exposed"]]
    assert shown == ["SQ", "HA", "DJ", "C10"]
    shown = [
        set_text(int(e)) for e in hands_dealt(*hands, auto_fourth=False).play(*answers).s["exposed"]
    ]
    assert shown == ["SQ", "HA", "DJ", ""]
    hand = hands_dealt("SQ HA", "DJ", "", "C10")
    hand.play("expose:SQ+HA", "expose:none", "expose:none", "expose:none")
    assert [set_text(int(e)) for e in hand.s["exposed"]] == ["HA SQ", "", "", ""]


def test_E6_what_a_hand_can_expose() -> None:
    hand = hands_dealt("SQ DJ H3", "HA S2", "C10")
    assert hand.legal == ["expose:none", "expose:SQ", "expose:DJ", "expose:SQ+DJ"]
    hand = hands_dealt("S2 H3", "SQ DJ HA C10")
    assert hand.legal == ["expose:none"]


def test_E7_who_takes() -> None:
    hand = Position("H2 S3", "D9 S4", "D5 S5", "DA S6", leader=2)
    assert hand.play("D5", "DA", "H2", "D9").s["taker"][0] == 3
    assert hand.turn == 3
    hand = Position("CA D3", "S2 S4", "HA D5", "DA D6", leader=1)
    assert hand.play("S2", "HA", "DA", "CA").s["taker"][0] == 1


def test_E8_a_seat_has_left() -> None:
    hand = Position(leader=2, taken=[TAKEN[-100], TAKEN[50], "", ""])
    hand.s["away"][3] = 1
    assert hand.settle().coins == (17, 216, 150, -383)
    hand = Position(leader=0, taken=["", TAKEN[-300], TAKEN[-100], TAKEN[-480]])
    hand.s["away"][3] = 1
    assert hand.settle().coins == (293, -106, 160, -347)
    assert hand.s["over"] == 1


def test_E9_short_of_coins() -> None:
    assert coins_of((-120, -280, 0, 160), 0, stack=(500, 200, 500, 500)) == (-80, -200, 60, 220)


def by_default(*answers: str) -> Position:
    hand = dealt(WHOLE)
    hand.play(*answers or ["expose:none"] * 4)
    while not hand.s["ended"]:
        hand.play(hand.default)
    return hand


def test_E10_a_hand_by_default() -> None:
    hand = by_default()
    assert hand.s["first"] == 3 and hand.s["log"][0] == 39
    assert hand.s["log_count"] == 52
    assert [len(set_text(int(cards)).split()) for cards in hand.s["taken"]] == [12, 12, 12, 16]
    assert hand.report["scores"] == [50, -150, -100, 50]
    assert hand.report["pig"] == 2 and hand.s["pig_taker"] == 2
    assert hand.coins == (117, -150, -83, 116)


def test_E10_with_all_four_exposed() -> None:
    answers = [""] * 4
    start = dealt(WHOLE)
    for seat in range(4):
        held = set_text(int(start.s["cards"][seat])).split()
        answers[seat] = "+".join(n for n in ALL_FOUR.split() if n in held) or "none"
    hand = by_default(*(f"expose:{answer}" for answer in answers))
    assert hand.report["scores"] == [100, -300, -200, 100]
    assert hand.coins == (234, -300, -167, 233)


def test_E11_certain_voids() -> None:
    hand = Position("S2 C7", "SQ H6", "SK H4", "H3 HA", exposed="SQ HA")
    hand.play("0 S2", "1 SQ", "2 SK", "3 H3", "2 H4", "3 HA", "0 C7", "1 H6")
    assert [hand.voids(seat) for seat in range(4)] == ["H", "S", "", "HS"]


# --- Clause by clause ----------------------------------------------------------------------------


def test_R1_fifty_two_cards() -> None:
    hand = dealt(WHOLE)
    assert GAME.census(hand.s) == (1,) * 52
    assert not np.bitwise_and.reduce(hand.s["cards"])
    assert np.bitwise_or.reduce(hand.s["cards"]) == 2**52 - 1


def test_R2_four_seats() -> None:
    with pytest.raises(OptionError, match="seats=3"):
        make("gongzhu", seats=3)


def test_R3_one_card_each_in_turn() -> None:
    hand = dealt("DA DK DQ DJ CA CK CQ CJ")
    for seat, cards in enumerate(("CA DA", "CK DK", "CQ DQ", "CJ DJ")):
        assert {*cards.split()} < {*set_text(int(hand.s["cards"][seat])).split()}
        assert len(set_text(int(hand.s["cards"][seat])).split()) == 13


def test_R4_four_cards_can_be_exposed() -> None:
    hand = hands_dealt(ALL_FOUR)
    assert len(hand.legal) == 16
    assert hand.legal[15] == "expose:SQ+HA+DJ+C10" and hand.legal[9] == "expose:SQ+C10"


def test_R5_answers_are_concealed_until_all_are_in() -> None:
    hand = hands_dealt("SQ", "HA", "DJ", "C10").play("expose:SQ", "expose:none")
    for seat in range(4):
        view = hand.view(seat)[0]
        expected = [HIDDEN, HIDDEN, NONE, NONE]
        if seat < 2:
            expected[seat] = int(hand.s["answer"][seat])
        assert view["answer"].tolist() == expected
        assert not view["exposed"].any()
    values, visible = hand.observation(2)
    assert values["answers"][:, 0].tolist() == [0, 0, 1, 1]
    assert visible["answers"].all(axis=1).tolist() == [True, True, False, False]
    hand.play("expose:none", "expose:none")
    assert hand.s["phase"] == PLAYING_CARDS
    assert hand.view(3)[0]["answer"].tolist() == [1, 0, 0, 0]
    assert [set_text(int(e)) for e in hand.view(3)[0]["exposed"]] == ["SQ", "", "", ""]
    assert "SQ" in set_text(int(hand.s["cards"][0]))


def test_R5_seats_answer_in_order_whoever_leads() -> None:
    hand = hands_dealt("", "", "", "S2")
    for seat in range(4):
        assert hand.s["phase"] == EXPOSING
        hand.play(f"{seat} expose:none")


@pytest.mark.parametrize("auto_fourth", [True, False])
def test_R6_three_expose_the_fourth(auto_fourth: bool) -> None:
    hand = hands_dealt("SQ", "DJ HA C10", auto_fourth=auto_fourth)
    hand.play("expose:none", "expose:HA+DJ+C10", "expose:none", "expose:none")
    assert set_text(int(hand.s["exposed"][0])) == ("SQ" if auto_fourth else "")


def test_R7_the_first_lead() -> None:
    hand = hands_dealt("", "", "S2 D5", "").play(*["expose:none"] * 4)
    assert hand.s["first"] == 2 and hand.s["log_count"] == 1
    assert set_text(1 << int(hand.s["log"][0])) == "S2"
    assert hand.turn == 3


def test_R7_later_the_taker_of_the_pig_leads() -> None:
    hand = dealt(WHOLE, hands=2).play(*["expose:none"] * 4)
    while not hand.s["ended"]:
        hand.play(hand.default)
    hand.next_hand()
    assert hand.s["pig_taker"] == 2 and hand.s["first"] == NONE
    hand.play(*["expose:none"] * 4)
    assert hand.turn == hand.s["first"] == 2 and hand.s["log_count"] == 0
    assert len(hand.legal) == 13


def test_R8_following() -> None:
    hand = Position("S2 H2", "S5 SQ HA D3", "HK D4", "S3", leader=0)
    assert hand.play("S2").legal == ["S5", "SQ"]
    assert hand.play("S5").legal == ["D4", "HK"]  # points in the first trick
    assert "H2" in Position("S2 H2").legal  # hearts led at any time


def test_R9_only_the_first_trick_of_the_suit() -> None:
    hand = Position("D2 SA", "D3 D5 DJ", "D4 S3", "D6 S4", exposed="DJ", tricks=2)
    assert hand.play("D2").legal == ["D3", "D5"]
    hand.play("D3", "D4", "D6", "3 S4")
    hand = Position("D2 SA", "D5 DJ", "D4 S3", "D6 S4", exposed="DJ", led="D", tricks=2)
    assert hand.play("D2").legal == ["D5", "DJ"]


def test_R9_an_exposed_card_played_alone_tells_a_void() -> None:
    hand = Position("D2 D7", "DJ S2", "D3 D4", "D5 S4", exposed="DJ", tricks=2)
    assert hand.play("D2", "DJ").voids(1) == "D"
    hand = Position("D2 D7", "DJ S2", "D3 D4", "D5 S4", exposed="DJ", led="D", tricks=2)
    assert hand.play("D2", "DJ").voids(1) == ""
    hand = Position("D2 D7", "DJ S2", "D3 D4", "D5 S4", tricks=2)
    assert hand.play("D2", "DJ").voids(1) == ""


def test_R10_the_taker_leads() -> None:
    hand = Position("C5 D3", "C9 D4", "CA D5", "SA D6").play("C5", "C9", "CA", "SA")
    assert hand.turn == 2 and set_text(int(hand.s["taken"][2])) == "C5 C9 CA SA"


def test_R11_hearts() -> None:
    each = [points(name) for name in HEARTS.split()]
    assert each == [0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50]
    assert sum(each) == -200
    assert points("HK H5", "HA") == -100


def test_R12_pig_and_sheep() -> None:
    assert (points("SQ"), points("DJ"), points("SQ DJ")) == (-100, 100, 0)
    assert (points("SQ", "SQ"), points("DJ", "DJ"), points("SQ DJ", "DJ")) == (-200, 200, 100)


def test_R13_the_transformer() -> None:
    assert (points("C10"), points("C10", "C10")) == (50, 100)
    assert (points("C10 DJ"), points("C10 DJ", "C10")) == (200, 400)
    assert points("C10 SQ DJ", "C10") == 0


def test_R14_all_hearts_count_positive() -> None:
    assert points(HEARTS) == 200 and points(f"{HEARTS} SQ") == 100


def test_R15_slam() -> None:
    assert points(f"{HEARTS} SQ DJ C10") == 800
    assert points(f"{HEARTS} SQ DJ C10", "SQ") == 1000


def test_R16_the_sum_is_zero_whatever_remains() -> None:
    draws = np.random.default_rng(1)
    for _ in range(300):
        owner = draws.integers(4, size=52)
        taken = [
            " ".join(name for name, who in zip(WHOLE.split(), owner, strict=True) if who == p)
            for p in range(4)
        ]
        first, stake = int(draws.integers(4)), int(draws.integers(1, 10))
        hand = Position(leader=first, taken=taken, stake=stake, stack=10**9).settle()
        raw = np.array([points(text) for text in taken])
        due = (4 * raw - raw.sum()) * stake
        assert (abs(np.array(hand.coins) * 3 - due) < 3).all() and hand.house == 0


def test_R17_the_last_of_the_sixteen_ends_the_hand() -> None:
    taken = [HEARTS, "SQ DJ", "", ""]
    hand = Position("C2 D3", "C10 D4", "C3 D5", "C4 D6", taken=taken, tricks=3)
    hand.s["pig_taker"] = 1
    hand.play("C2", "C10", "C3", "C4")
    assert hand.s["ended"] and hand.s["log_count"] == 16
    assert hand.report["scores"] == [200, 0, 0, 0]


def test_R18_who_receives_shares_what_is_paid() -> None:
    hand = Position(leader=0, taken=[TAKEN[-120], TAKEN[-280], "", TAKEN[160]], stack=(1, 2, 5, 5))
    hand.settle()
    assert hand.s["due"].tolist() == [-80, -293, 80, 293]
    assert hand.coins == (-1, -2, 1, 2)  # 3 × 80/373 and 3 × 293/373: 0 and 2, the larger rest


def test_R19_leaving() -> None:
    env = make("gongzhu", hands=3)
    env.reset(seed=4)
    while not any(env.terminations.values()):
        if env.agent_selection == "player_2":
            env.leave("player_2")
        else:
            env.step(env.default_action())
    report = env.hand_report()
    assert report["reason"] == "a seat left" and report["left"] == [2]
    assert report["scores"][2] <= -400 and report["due"][2] < 0


def test_R19_leaving_out_of_turn_while_cards_are_exposed() -> None:
    hand = hands_dealt("SQ", "HA", "DJ", "C10").play("expose:SQ").leave(3)
    assert hand.turn == 1 and not hand.s["ended"]
    hand.play("1 expose:none", "2 expose:none")
    assert hand.s["answer"].tolist() == [1, 0, 0, 0] and hand.s["phase"] == PLAYING_CARDS
    for seat in (0, 1, 2):
        hand.leave(seat)
    assert hand.s["ended"] and hand.s["over"] == 1
    assert all(points <= -400 for points in hand.report["scores"])


def test_R20_no_answer() -> None:
    assert hands_dealt(ALL_FOUR).default == "expose:none"
    assert Position("SA H3 D3 C4").default == "D3"
    assert Position("S2 H3 D3 C2").default == "C2"
    assert Position("D2 SQ S5", "", "", "S7", leader=3).play("S7").default == "S5"


def test_R21_the_match_ends_early() -> None:
    raw = [TAKEN[-120], TAKEN[-280], "", TAKEN[160]]
    hand = Position(taken=raw, hands=5, stake=2, stack=(1000, 588, 1000, 1000)).settle()
    assert hand.s["over"] == 1 and hand.s["stack"][1] == 1
    hand = Position(taken=raw, hands=5, stake=2, stack=(1000, 589, 1000, 1000)).settle()
    assert hand.s["over"] == 0


# --- Redeal and views ----------------------------------------------------------------------------


def test_a_redeal_keeps_voids_and_exposed_cards() -> None:
    hand = hands_dealt(
        "S2 HA D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ",
        "SQ C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK",
        "S3 S4 S5 S6 S7 S8 S9 S10 SJ SK SA H2 H3",
        "H4 H5 H6 H7 H8 H9 H10 HJ HQ HK CA DK DA",
    )
    hand.play("expose:HA", "expose:SQ", "expose:none", "expose:none", "SQ", "S3", "HK")
    hand.play("1 C2", "2 H2", "3 CA", "0 D2", "3 DA", "0 D3")
    assert [hand.voids(seat) for seat in range(4)] == ["C", "S", "C", "S"]
    views, clubs = hand.redealt(2, 300), read_set("C2") * 8191
    for view in views:
        assert int(view["cards"][0]) & read_set("HA") and not int(view["cards"][0]) & clubs
        check(GAME, view)
    assert len({tuple(view["cards"].tolist()) for view in views}) == 300
    assert any(int(view["cards"][3]) & clubs for view in views)


def test_concealed_answers_are_redrawn_from_the_new_hands() -> None:
    hand = hands_dealt("SQ HA", "DJ", "C10").play("expose:SQ+HA", "expose:none")
    answers = {int(view["answer"][0]) for view in hand.redealt(2, 500)}
    assert answers == {0, 1, 2, 3, 4, 5, 6, 7}  # C10 is seen
    for view in hand.redealt(2, 50):
        check(GAME, view)


def test_moves_as_people_write_them() -> None:
    hand = hands_dealt(ALL_FOUR)
    for text in ("C10+SQ", "expose:C10+SQ", "sq cT", "expose SQ C10", "expose:SQ+C10"):
        assert GAME.parse_move(hand.s, text) == [9]
    assert GAME.parse_move(hand.s, "none") == GAME.parse_move(hand.s, "expose:none") == [0]
    for text, said in (("S3", "S3 can't be exposed"), ("", "write none"), ("X", "X can't")):
        with pytest.raises(ValueError, match=said):
            GAME.parse_move(hand.s, text)
    hand = Position("S10 H3")
    for text in ("S10", "s10", "ST", "sT"):
        assert GAME.parse_move(hand.s, text) == [GAME.parse("S10")]
    with pytest.raises(ValueError, match="S1"):
        GAME.parse_move(hand.s, "S1")


def test_the_observation_of_a_hand() -> None:
    hand = dealt(WHOLE).play(*["expose:none"] * 4)
    for _ in range(6):
        hand.play(hand.default)
    seen = hand.known(hand.turn)
    assert seen["tricks"] == [1] and seen["cards"].sum() == 12
    assert seen["played"].sum() == 7 and seen["trick"].sum() == 3 and seen["taken"].sum() == 4
    assert seen["unseen"].sum() == 52 - 12 - 7


def test_stakes_and_stacks_at_their_highest() -> None:
    tables = make_tables("gongzhu", 8, seed=1, stake=10**9, stack=10**15, hands=2)
    for _ in range(200):
        tables.step(tables.sample())
        assert (tables.reward.sum(axis=1) == 0).all()
        assert (abs(tables.reward) < 10**14).all()
