"""What a table looks like, as text and as a picture: what is on it, and nothing that is hidden."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from qipai.envs.doudizhu import GAME as DOUDIZHU
from qipai.envs.drawing import render
from qipai.envs.drawing.glyphs import GLYPHS, strokes
from qipai.envs.scene import BACK, JOKERS, RANKS, SUITS, Deck, Place, Scene, Zone, card
from qipai.envs.tables import Tables

STUD = Scene(
    title="五張牌 five-card stud",
    seat=0,
    turn=1,
    over=False,
    places=(
        Place(0, "in", 868, bet=132, note="raise_half"),
        Place(1, "folded", 12_345, bet=92, note="call"),
    ),
    zones=(
        Zone("hole card", ("H8",), owner=0),
        Zone("open cards", ("SK", "DK", "C9", "SJ"), owner=0),
        Zone("hole card", (BACK,), owner=1),
        Zone("open cards", ("HA", "C8", "DJ", "H10"), owner=1),
        Zone("deck", (), note="18 cards"),
    ),
    facts=("pot 224", "level 132"),
    moves=("1: call", "0: raise_half"),
)
PIECES = ("r", "", "k") + ("",) * 6 + tuple("" for _ in range(72)) + tuple("RNBAKABNR")
BOARD = Scene(
    title="象棋 xiangqi",
    seat=0,
    turn=0,
    over=False,
    places=(Place(0, "red", 1000), Place(1, "black", 1000)),
    zones=(Zone("board", PIECES, columns=9),),
    deck="pieces",
)

EDGES = ("abcdefghi", "9876543210")
TILES = [n + s for s in "mps" for n in "123456789"] + ["E", "S", "W", "N", "RD", "GD", "WD"]
PIECE_LETTERS = list("KABNRCPkabnrcp")


def board_of(pieces: dict[int, str], marked: tuple[int, ...] = (), rows: int = 10) -> Scene:
    """A board of nine columns with these pieces."""
    items = tuple(pieces.get(point, "") for point in range(9 * rows))
    zone = Zone("board", items, columns=9, edges=EDGES, marked=marked)
    return replace(BOARD, zones=(zone,))


def solitaire(*piles: tuple[str, ...], owner: int | None = None) -> Scene:
    """One seat with four cells and these piles."""
    zones = [Zone("cells", ("SA", "", "H10", ""), owner)]
    zones += [Zone(str(i + 1), pile, owner, columns=1) for i, pile in enumerate(piles)]
    return replace(hand_of(), zones=tuple(zones))


def hand_of(*items: str, deck: Deck = "suited") -> Scene:
    """One seat with these cards."""
    zones = (Zone("hand", items, owner=0),)
    return Scene((Place(0, "player", 100),), zones, deck=deck, title="game", seat=0)


def seated(seats: int, seat: int | None = 0, turn: int | None = None) -> Scene:
    """So many seats with five cards each."""
    return Scene(
        tuple(Place(i, "player", 1000 * i, bet=10 * i) for i in range(seats)),
        tuple(Zone("hand", ("SA", "H10", "D9", "C2", BACK), owner=i) for i in range(seats)),
        title="game",
        seat=seat,
        turn=turn,
    )


def doudizhu(plies: int) -> tuple[Scene, Scene]:
    """A table after so many random steps: as the seat to act sees it, and with all hands shown."""
    tables = Tables(DOUDIZHU, 1, seed=5, hands=3)
    for _ in range(plies):
        tables.step(tables.sample())
    seat = int(tables.turn[0])
    return DOUDIZHU.scene(tables.views()[0], seat), DOUDIZHU.scene(tables.state[0], None)


SCENES = [
    STUD,
    BOARD,
    replace(STUD, over=True, turn=None),
    hand_of(*[s + r for s in SUITS for r in RANKS]),
    hand_of("5m", "E", "WD", BACK, deck="tiles"),
    hand_of(*TILES, *TILES, "", "unheard of", deck="tiles"),
    board_of({0: "r", 89: BACK}, marked=(0, 1)),
    solitaire(("SA", "H10", BACK), (), ("D9",) * 19),
    solitaire(("SA", "H10", BACK), (), ("D9",) * 19, owner=0),
    *[seated(seats) for seats in range(1, 7)],
    Scene((), ()),
]


def line_with(drawn: str, words: str) -> str:
    return next(line for line in drawn.splitlines() if words in line)


# --- Names -------------------------------------------------------------------------------------


def test_sj_is_the_small_joker_only_where_ranks_are_all_there_is() -> None:
    assert card("SJ", "ranks") == ("", "SJ")
    assert card("SJ", "suited") == ("S", "J")
    assert card("BJ", "ranks") == ("", "BJ")
    assert card("BJ", "suited") is None


def test_ten_is_read_either_way() -> None:
    assert card("T", "ranks") == card("10", "ranks") == ("", "10")
    assert card("H10", "suited") == card("HT", "suited") == ("H", "10")


@pytest.mark.parametrize("item", ["", BACK, "5m", "E", "S", "S1", "X9", "K"])
def test_other_names_are_no_suited_cards(item: str) -> None:
    assert card(item, "suited") is None


def test_tiles_and_pieces_are_no_cards() -> None:
    assert card("A", "pieces") is None
    assert card("9", "tiles") is None


# --- Text --------------------------------------------------------------------------------------


def test_text_says_who_sits_where_with_what() -> None:
    drawn = render.text(STUD)
    own, other = line_with(drawn, "seat 0 (you)"), line_with(drawn, "seat 1")
    assert "in" in own and "868 coins" in own and "bet 132" in own and "raise_half" in own
    assert "folded" in other and "12,345 coins" in other and "bet 92" in other and "call" in other
    assert "五張牌 five-card stud" in drawn and "pot 224 | level 132" in drawn
    assert "1: call  0: raise_half" in line_with(drawn, "last moves")
    assert "18 cards" in line_with(drawn, "deck")


def test_text_marks_the_seat_to_act() -> None:
    marked = [line for line in render.text(STUD).splitlines() if line.startswith("▶")]
    assert len(marked) == 1 and "seat 1" in marked[0]
    assert "▶" not in render.text(replace(STUD, turn=None))


def test_text_says_that_the_match_is_over() -> None:
    assert "match over" in render.text(replace(STUD, over=True))
    assert "match over" not in render.text(STUD)


def test_text_shows_suits_as_glyphs_and_ranks_as_they_are() -> None:
    drawn = render.text(STUD)
    assert "♠K ♦K ♣9 ♠J" in drawn and "♥A ♣8 ♦J ♥10" in drawn
    assert "BJ SJ 2 T 3" in render.text(hand_of("BJ", "SJ", "2", "T", "3", deck="ranks"))


def test_text_shows_the_back_of_what_lies_face_down() -> None:
    assert render.text(STUD).count("▒▒") == 1
    assert "[]" in render.text(STUD, ascii=True)
    assert "▒▒ ×13" in render.text(hand_of(*[BACK] * 13))


def test_text_shows_a_board_by_rows() -> None:
    lines = render.text(BOARD).splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip() == "board") + 1
    rows = [line.split() for line in lines[first : first + 10]]
    assert rows[0] == ["r", "·", "k"] + ["·"] * 6
    assert rows[1] == ["·"] * 9
    assert rows[9] == list("RNBAKABNR")


def board_lines(scene: Scene) -> list[str]:
    """The lines below the name of the board, without their indent."""
    lines = render.text(scene).splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip() == "board") + 1
    return [line[4:] for line in lines[first:]]


def test_text_shows_the_letters_of_a_board_above_and_before_it() -> None:
    lines = board_lines(board_of({0: "r", 40: "p", 89: "R"}))
    assert lines == [
        "  a b c d e f g h i",
        "9 r · · · · · · · ·",
        "8 · · · · · · · · ·",
        "7 · · · · · · · · ·",
        "6 · · · · · · · · ·",
        "5 · · · · p · · · ·",
        "4 · · · · · · · · ·",
        "3 · · · · · · · · ·",
        "2 · · · · · · · · ·",
        "1 · · · · · · · · ·",
        "0 · · · · · · · · R",
    ]


def test_text_puts_what_is_marked_in_parentheses() -> None:
    lines = board_lines(board_of({0: "r", 40: "p", 89: "R"}, marked=(0, 39, 40, 80, 89)))
    assert lines[1] == "9(r)· · · · · · · ·"
    assert lines[5] == "5 · · ·(· p)· · · ·"
    assert lines[9] == "1 · · · · · · · ·(·)"
    assert lines[10] == "0 · · · · · · · ·(R)"
    hand = Zone("hand", ("1m", "1m", "E"), owner=0, marked=(1,))
    assert "1m (1m) E" in render.text(replace(hand_of(deck="tiles"), zones=(hand,)))


def test_text_shows_a_pile_in_one_line() -> None:
    drawn = render.text(solitaire(("SA", "H10"), (), ("D9",)))
    assert line_with(drawn, "1 (2)").split() == ["1", "(2)", "♠A", "♥10"]
    assert [line.split() for line in drawn.splitlines()[-2:]] == [["2", "–"], ["3", "♦9"]]


def test_text_wraps_a_long_row_of_tiles_below_its_first() -> None:
    lines = render.text(hand_of(*TILES, deck="tiles")).splitlines()[3:]
    assert len(lines) > 1 and max(map(len, lines)) <= 80
    start = lines[0].index("1m")
    assert all(line[:start].strip() == "" for line in lines[1:])
    assert " ".join(line[start:] for line in lines).split() == TILES


@pytest.mark.parametrize("plies", [0, 4, 14, 40])
def test_text_of_a_view_shows_the_own_hand_and_no_other(plies: int) -> None:
    own, _ = doudizhu(plies)
    assert render.text(own, ascii=True).isascii()
    hands = {zone.owner: zone.items for zone in own.zones if zone.name == "hand"}
    lines = [line for line in render.text(own).splitlines() if line.strip().startswith("hand")]
    for owner, line in enumerate(lines):
        shown = line.split(")")[-1].split()
        if owner == own.seat:
            assert tuple(shown) == hands[owner] and BACK not in shown
        else:
            assert set(shown) <= {"▒▒", f"×{len(hands[owner])}"}


def test_text_for_a_spectator_shows_all_hands() -> None:
    _, full = doudizhu(4)
    drawn = render.text(full)
    assert "▒▒" not in drawn and "(you)" not in drawn
    for zone in full.zones:
        assert " ".join(zone.items) in drawn


@pytest.mark.parametrize("scene", SCENES)
def test_text_is_at_most_80_columns_wide_and_ascii_on_demand(scene: Scene) -> None:
    plain = render.text(scene, ascii=True)
    assert plain.isascii()
    assert max(map(len, plain.splitlines())) <= 80
    assert max(map(len, render.text(scene).splitlines())) <= 80


def test_ascii_keeps_the_latin_part_of_the_title_and_the_cards() -> None:
    drawn = render.text(STUD, ascii=True)
    assert drawn.startswith("five-card stud  pot 224")
    assert "SK DK C9 SJ" in drawn
    assert "> seat 1" in drawn


# --- Pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", SCENES)
def test_picture_is_rgb_of_the_width_asked_for(scene: Scene) -> None:
    drawn = render.picture(scene, width=600)
    assert drawn.dtype == np.uint8
    tall = scene.deck == "tiles" or any(zone.columns for zone in scene.zones)
    assert drawn.shape == (600 if tall else 420, 600, 3)


def test_picture_is_900_wide_unless_said() -> None:
    assert render.picture(STUD).shape == (630, 900, 3)
    assert render.picture(BOARD).shape == (900, 900, 3)


def test_picture_repeats() -> None:
    assert (render.picture(STUD) == render.picture(STUD)).all()


@pytest.mark.parametrize(
    ("deck", "items"),
    [
        ("suited", [s + r for s in SUITS for r in RANKS]),
        ("ranks", [*RANKS, *JOKERS]),
        ("tiles", [*TILES, "", "unheard of"]),
        ("pieces", [*PIECE_LETTERS, "", "?"]),
    ],
)
def test_every_card_has_a_face_of_its_own(deck: Deck, items: list[str]) -> None:
    """As small as in a picture 300 wide, where a tile is 25 pixels wide."""
    hands = [render.picture(hand_of(name, deck=deck), 300) for name in [*items, BACK]]
    faces = np.stack(hands).astype(np.int16)[:, 100:]
    for i, face in enumerate(faces[:-1]):
        other = np.abs(faces[i + 1 :] - face).max(axis=3) > 60
        assert other.sum(axis=(1, 2)).min() >= 4, items[i]


def test_each_of_twenty_cards_in_a_hand_can_be_told() -> None:
    cards = [s + r for s in "SH" for r in RANKS[-10:]]
    before = render.picture(hand_of(*cards)).astype(int)
    for place in range(20):
        other = [*cards[:place], "D2", *cards[place + 1 :]]
        after = render.picture(hand_of(*other)).astype(int)
        assert (np.abs(after - before).max(axis=2) > 100).sum() > 100, other


def inked(item: str, deck: Deck, colour: str) -> int:
    """Pixels of an item in a strong red, green or blue."""
    drawn = np.moveaxis(render.picture(hand_of(item, deck=deck)).astype(int), 2, 0)
    own = drawn[["red", "green", "blue"].index(colour)]
    others = np.sort(drawn, axis=0)
    return int(((own == others[2]) & (others[2] > 100) & (others[1] < 0.62 * others[2])).sum())


def test_hearts_and_diamonds_are_red_spades_and_clubs_black() -> None:
    red = {suit: inked(suit + "9", "suited", "red") for suit in SUITS}
    plain = inked("", "suited", "red")
    assert min(red["H"], red["D"]) - plain > 10 * max(red["S"] - plain, red["C"] - plain, 1)


def test_capital_letters_are_red_pieces_small_ones_black() -> None:
    plain = inked(BACK, "pieces", "red")
    for capital in "KABNRCP":
        assert inked(capital, "pieces", "red") - plain > 200
        assert abs(inked(capital.lower(), "pieces", "red") - plain) < 20


def test_dragons_are_red_green_and_an_empty_frame() -> None:
    def middle(item: str) -> np.ndarray:
        zone = Zone("hand", (item,), owner=0)
        drawn = render.picture(replace(hand_of(deck="tiles"), zones=(zone,)))
        rows, columns = np.nonzero((drawn != render.picture(hand_of(deck="tiles"))).any(axis=2))
        y, x = int(np.median(rows)), int(np.median(columns))
        return drawn[y - 8 : y + 8, x - 8 : x + 8].astype(int)

    assert (middle("WD").min(axis=2) > 200).all()
    assert (middle("RD").min(axis=2) < 100).any()
    assert inked("RD", "tiles", "red") > inked("WD", "tiles", "red") + 100
    assert inked("GD", "tiles", "green") > inked("WD", "tiles", "green") + 100


def centre(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """Middle (x, y) of what has changed, in pixels."""
    rows, columns = np.nonzero(np.abs(after.astype(int) - before).max(axis=2) > 20)
    return (columns.min() + columns.max()) / 2, (rows.min() + rows.max()) / 2


def test_pieces_stand_on_the_crossings_of_a_board() -> None:
    empty = render.picture(board_of({}))
    at = {p: centre(empty, render.picture(board_of({p: "R"}))) for p in (0, 8, 31, 40, 81, 89)}
    step = (at[8][0] - at[0][0]) / 8
    for point, (x, y) in at.items():
        row, column = divmod(point, 9)
        assert abs(x - at[0][0] - column * step) < 2 and abs(y - at[0][1] - row * step) < 2


def test_no_line_crosses_the_river_but_at_the_edges() -> None:
    drawn = render.picture(board_of({})).astype(int)
    left, top = centre(drawn, render.picture(board_of({0: "R"})))
    step = (centre(drawn, render.picture(board_of({8: "R"})))[0] - left) / 8

    def dark(column: int, row: float) -> bool:
        x, y = round(left + column * step), round(top + row * step)
        wood = drawn[y, x - 12]
        return bool((np.abs(drawn[y, x - 4 : x + 5] - wood).max(axis=1) > 40).any())

    crossed = [[dark(column, row) for column in (0, 4, 8)] for row in (3.3, 4.3, 5.6)]
    assert crossed == [[True] * 3, [True, False, True], [True] * 3]


@pytest.mark.parametrize("count", [1, 8, 9, 81, 85, 90])
def test_boards_of_any_size_are_drawn(count: int) -> None:
    zone = Zone("board", ("r",) * count, columns=9)
    drawn = render.picture(replace(BOARD, zones=(zone,)))
    more = render.picture(replace(BOARD, zones=(replace(zone, items=("r",) * (count - 1)),)))
    assert (drawn != more).any()


def test_what_is_marked_is_pointed_out_where_it_lies() -> None:
    plain = render.picture(board_of({0: "R"}))
    for point, other in ((0, {0: "R", 1: "R"}), (1, {0: "R", 1: "R"})):
        x, y = centre(plain, render.picture(board_of({0: "R"}, marked=(point,))))
        there = centre(
            render.picture(board_of({})), render.picture(board_of({point: other[point]}))
        )
        assert abs(x - there[0]) < 3 and abs(y - there[1]) < 3
    tiles = hand_of("1m", "2m", "3m", deck="tiles")
    hand = tiles.zones[0]
    marks = [
        centre(
            render.picture(tiles),
            render.picture(replace(tiles, zones=(replace(hand, marked=(i,)),))),
        )[0]
        for i in range(3)
    ]
    assert marks == sorted(marks) and marks[2] - marks[0] > 100


@pytest.mark.parametrize("owner", [None, 0])
def test_each_card_in_the_piles_of_a_solitaire_can_be_told(owner: int | None) -> None:
    piles = [("S9",) * 19, (), ("C9",), *[("D9",) * 6] * 5]
    before = render.picture(solitaire(*piles, owner=owner)).astype(int)
    for pile in (0, 2, 3, 7):
        for place in range(len(piles[pile])):
            changed = (*piles[pile][:place], "HK", *piles[pile][place + 1 :])
            others = [*piles[:pile], changed, *piles[pile + 1 :]]
            after = render.picture(solitaire(*others, owner=owner)).astype(int)
            assert (np.abs(after - before).max(axis=2) > 100).sum() > 100, (pile, place)


@pytest.mark.parametrize("owner", [None, 0])
def test_piles_lie_side_by_side_and_an_empty_one_keeps_its_place(owner: int | None) -> None:
    piles = [("S9", "H8")] * 8
    before = render.picture(solitaire(*piles, owner=owner))
    places = []
    for i in range(8):
        gone = [*piles[:i], (), *piles[i + 1 :]]
        places.append(centre(before, render.picture(solitaire(*gone, owner=owner))))
    x, y = np.array(places).T
    assert np.ptp(y) < 2 and np.ptp(np.diff(x)) < 3 and x[0] < x[-1]


def test_a_full_mahjong_table_is_drawn_with_every_tile() -> None:
    zones = []
    for seat in range(4):
        zones.append(Zone("hand", tuple(TILES[:14]) if seat == 0 else (BACK,) * 13, owner=seat))
        zones.append(Zone("melds", ("E",) * 4 + ("1s",) * 3, owner=seat))
        zones.append(Zone("discards", tuple(TILES[13:34]), owner=seat))
    places = tuple(Place(seat, "player", 1000, note="discard") for seat in range(4))
    scene = Scene(places, tuple(zones), deck="tiles", title="mahjong", seat=0, turn=0)
    before = render.picture(scene).astype(int)
    for i, zone in enumerate(zones):
        for place in (0, len(zone.items) - 1):
            items = (*zone.items[:place], "8p", *zone.items[place + 1 :])
            changed = (*zones[:i], replace(zone, items=items), *zones[i + 1 :])
            after = render.picture(replace(scene, zones=changed)).astype(int)
            assert (np.abs(after - before).max(axis=2) > 60).sum() > 40, (zone.name, zone.owner)


def test_characters_keep_to_their_square() -> None:
    for glyph in GLYPHS:
        points = [xy for stroke in strokes(glyph) for point in stroke for xy in point]
        assert min(points) >= 0 and max(points) <= 100, glyph
        assert all(len(stroke) >= 2 for stroke in strokes(glyph)), glyph


def where_turn_shows(seats: int, seat: int | None, turn: int) -> tuple[float, float]:
    """Centre (x, y) of what marks the seat to act, from 0 to 1."""
    still = render.picture(seated(seats, seat), 450).astype(int)
    acting = render.picture(seated(seats, seat, turn), 450).astype(int)
    rows, columns = np.nonzero(np.abs(acting - still).sum(axis=2))
    return columns.mean() / still.shape[1], rows.mean() / still.shape[0]


def test_own_seat_is_at_the_bottom_and_the_others_follow_clockwise() -> None:
    x, y = zip(*[where_turn_shows(4, 2, (2 + k) % 4) for k in range(4)], strict=True)
    assert y[0] == max(y) and abs(x[0] - 0.5) < 0.1
    assert x[1] == min(x)
    assert y[2] == min(y) and abs(x[2] - 0.5) < 0.1
    assert x[3] == max(x)


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 6])
def test_each_seat_to_act_is_marked_in_a_place_of_its_own(seats: int) -> None:
    marks = {where_turn_shows(seats, None, turn) for turn in range(seats)}
    assert len(marks) == seats


def test_picture_shows_bets_notes_facts_and_moves() -> None:
    drawn = render.picture(STUD)
    first, *others = STUD.places
    for changed in (
        replace(STUD, places=(replace(first, bet=7), *others)),
        replace(STUD, places=(replace(first, stack=7), *others)),
        replace(STUD, places=(replace(first, role="out"), *others)),
        replace(STUD, places=(replace(first, note="fold"), *others)),
        replace(STUD, facts=("pot 7",)),
        replace(STUD, moves=("1: fold",)),
        replace(STUD, over=True),
    ):
        assert (render.picture(changed) != drawn).any()


def test_too_much_of_everything_is_still_drawn() -> None:
    crowd = seated(6)
    drawn = render.picture(
        replace(
            crowd,
            title="題 " + "long title " * 20,
            places=tuple(
                Place(i, "role " * 9, 10**15, bet=10**15, note="note " * 9) for i in range(6)
            ),
            zones=tuple(Zone("hand", ("H10",) * 40, owner=i) for i in range(6)),
            facts=("a fact " * 9,) * 9,
            moves=("a move " * 40,) * 40,
        )
    )
    assert drawn.shape[1] == 900
    assert (drawn != render.picture(crowd)).any()


# --- Errors ------------------------------------------------------------------------------------


def test_a_picture_too_narrow_is_refused() -> None:
    with pytest.raises(ValueError, match="width=200: .* at least 300"):
        render.picture(STUD, width=200)


def test_without_pillow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "qipai.envs.drawing.picture", raising=False)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r'pip install "qipai\[render\]"'):
        render.picture(STUD)


def test_without_tkinter_the_error_says_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    with pytest.raises(RuntimeError, match='tkinter.*"ansi" or "rgb_array"'):
        render.show(STUD)


def test_without_a_display_the_error_says_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    tkinter = pytest.importorskip("tkinter")

    def refuse() -> None:
        raise tkinter.TclError("no display name")

    monkeypatch.setattr(tkinter, "Tk", refuse)
    with pytest.raises(RuntimeError, match='no display.*"ansi" or "rgb_array"'):
        render.show(STUD)


def test_scenes_are_shown_in_one_window_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    class Recorder:
        def __init__(self) -> None:
            self.open, self.titles = True, []
            opened.append(self)

        def show(self, frame: np.ndarray, title: str) -> None:
            self.titles.append(title)

    monkeypatch.setattr(render, "Window", Recorder)
    monkeypatch.setattr(render, "_window", None)
    render.show(STUD)
    render.show(BOARD)
    assert [window.titles for window in opened] == [[STUD.title, BOARD.title]]
    opened[0].open = False
    render.show(STUD)
    assert len(opened) == 2
