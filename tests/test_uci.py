"""UCI and UCCI: qipai for other programs, and other programs at qipai's tables."""

from __future__ import annotations

import sys
import time

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.arena import play_arena
from qipai.envs import load_game
from qipai.envs.xiangqi import GAME, position
from qipai.uci import Conversation
from tests.xiangqi_games import mask_of, play

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
MATE_IN_ONE = "4k4/9/9/9/4p4/9/9/1r7/r8/4K4 b"  # b2b0, and nothing else
ENGINE = f"{sys.executable} -m qipai uci"


def talk(*commands: str) -> list[str]:
    """The answers to some commands; a search is let finish."""
    said: list[str] = []
    conversation = Conversation(said.append)
    for command in commands:
        assert conversation.hear(command) == (command != "quit")
        if command.startswith("go") and not {"infinite", "ponder"} & set(command.split()):
            while not said or "bestmove" not in said[-1]:
                time.sleep(0.001)
    conversation.close()
    return said


# --- qipai as an engine --------------------------------------------------------------------------


def test_uci_greets_and_is_ready() -> None:
    said = talk("uci", "isready")
    assert said[0].startswith("id name qipai") and said[1].startswith("id author")
    assert said[-2:] == ["uciok", "readyok"]


def test_uci_plays_on_from_a_line_of_moves() -> None:
    said = talk("uci", f"position fen {START} - - 0 1 moves h2e2 h9g7", "go depth 3")
    move = said[-1].split()[1]
    assert said[-1].startswith("bestmove ")
    [action] = GAME.parse_move(play(position(START), "h2e2 h9g7")[0], move)
    assert mask_of(play(position(START), "h2e2 h9g7"))[action]
    assert "info depth 3 score cp " in said[-2] and f" pv {move}" in said[-2]


def test_uci_announces_mate() -> None:
    said = talk("uci", f"position fen {MATE_IN_ONE}", "go nodes 2000")
    assert said[-2].startswith("info depth 1 score mate 1 ")
    assert said[-1] == "bestmove b2b0"


def test_positions_as_other_programs_write_them() -> None:
    start = START.replace("n", "h").replace("B", "E").replace(" w", " r")
    for written in (start, f"{start} - - 0 1"):
        said = talk("uci", f"position fen {written} moves h2e2", "go depth 1")
        assert said[2:] == talk("uci", f"position fen {START} moves h2e2", "go depth 1")[2:]
        assert said[-1] != "bestmove (none)"


def test_ranks_from_one_for_those_who_set_the_variant() -> None:
    commands = ["position startpos moves h3e3 h10g8", "go depth 2"]
    said = talk("uci", "setoption name UCI_Variant value xiangqi", *commands)
    ours = talk("uci", "position startpos moves h2e2 h9g7", "go depth 2")
    assert not any("info string" in line for line in said)
    assert said[-1] != ours[-1]
    file, rank = ours[-1].split()[1][:2]
    assert said[-1].split()[1].startswith(f"{file}{int(rank) + 1}")


@pytest.mark.parametrize(
    ("commands", "complaint"),
    [
        (["setoption name Hash value 16"], "there is no option Hash 16"),
        (["banmoves e9x"], "'e9x' is no move"),
        (["go depth 1 searchmoves b2b0 e9x nodes 5"], "'e9x' is no move"),
    ],
)
def test_what_makes_no_sense_is_told_and_changes_nothing(
    commands: list[str], complaint: str
) -> None:
    said = talk("uci", f"position fen {MATE_IN_ONE}", *commands, "nonsense", "go depth 1")
    assert any(line.startswith("info string") and complaint in line for line in said)
    assert said[-1] == "bestmove b2b0"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("position startpos moves a0a9", "a0a9 is no legal move"),
        ("position startpos moves e9x", "'e9x' is no move"),
        ("position fen 9/9 w", "9/9"),
        ("position fen 3k5/9/9/9/9/9/9/9/4r4/5K3 w", "the game is over"),
        ("position", "position startpos or position fen"),
    ],
)
def test_a_position_that_cannot_be_played_has_no_move(command: str, complaint: str) -> None:
    said = talk("uci", f"position fen {MATE_IN_ONE}", command, "go depth 1")
    assert complaint in said[-2] and said[-1] == "bestmove (none)"
    said = talk("uci", command, f"position fen {MATE_IN_ONE}", "go depth 1")
    assert said[-1] == "bestmove b2b0"


def test_pondering_ends_with_the_clock_or_when_told() -> None:
    said = talk("uci", "go ponder infinite", "isready", "ponderhit", "stop")
    assert said[-1].startswith("bestmove ") and "readyok" in said[:-1]
    said = []
    conversation = Conversation(said.append)
    for command in ("uci", "go ponder movetime 50"):
        conversation.hear(command)
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in said)
    conversation.hear("ponderhit")
    while not said[-1].startswith("bestmove"):
        time.sleep(0.001)


def test_an_endless_search_ends_when_told() -> None:
    said = talk("uci", "go infinite", "isready", "stop")
    assert said[-1].startswith("bestmove ")
    assert "readyok" in said
    said = talk("uci", f"position fen {MATE_IN_ONE}", "go infinite", "stop", "go depth 1")
    assert said[-1] == "bestmove b2b0" and said.count("bestmove b2b0") == 2


def test_clocks_are_kept() -> None:
    started = time.perf_counter()
    said = talk("uci", "go wtime 600 btime 600 winc 0 binc 0", "go movetime 20", "go wtime -5")
    assert said[-1].startswith("bestmove") and time.perf_counter() - started < 30


def test_only_the_moves_named_are_searched() -> None:
    said = talk("uci", "position startpos", "go depth 2 searchmoves a0a1 i0i1")
    assert said[-1] in ("bestmove a0a1", "bestmove i0i1")
    said = talk("uci", "position startpos", "go searchmoves a0a1 depth 2")
    assert said[-1] == "bestmove a0a1"


def test_a_position_that_repeats_is_played_on() -> None:
    """The program at the other end decides when a game has ended."""
    shuffle = "a0a1 a9a8 a1a0 a8a9 " * 80
    said = talk("uci", f"position startpos moves {shuffle}", "go depth 1")
    assert said[-1].startswith("bestmove ") and not any("info string" in line for line in said)


def test_ucci() -> None:
    said = talk("ucci", "isready", f"position fen {MATE_IN_ONE} - - 0 1", "go depth 2", "quit")
    assert said[2:5] == ["option usemillisec type check default false", "ucciok", "readyok"]
    assert said[-3].startswith("info depth 1 score 2")
    assert said[-2:] == ["bestmove b2b0", "bye"]
    said = talk("ucci", f"position fen {MATE_IN_ONE}", "banmoves b2b0", "go depth 2")
    assert said[-1] != "bestmove b2b0"
    every = [GAME.action_name(int(a)) for a in np.flatnonzero(mask_of(position(MATE_IN_ONE)))]
    flipped = [
        "".join("ihgfedcba"["abcdefghi".index(n[i])] + str(9 - int(n[i + 1])) for i in (0, 2))
        for n in (name.lower() for name in every)
    ]
    said = talk(
        "ucci", f"position fen {MATE_IN_ONE}", f"banmoves {' '.join(flipped)}", "go depth 2"
    )
    assert said[-1] == "nobestmove"


# --- Engines at the table ------------------------------------------------------------------------


def test_an_engine_sits_at_a_table() -> None:
    agent = load_agent(f"uci:{ENGINE};go=nodes 300", GAME)
    table = position(MATE_IN_ONE)
    for ranks in ("from 0", "from 1"):
        action = int(agent.act(table, mask_of(table)[None])[0])
        GAME.apply(table[0], action)
        assert table["winner"][0] == 1, ranks
        table = position(MATE_IN_ONE)


def test_an_engine_declines_draws() -> None:
    agent = load_agent(f"uci:{ENGINE};go=nodes 300", GAME)
    table = play(position(START), "a0a1 a9a8 a1a0 a8a9 b0c2 b9c7 c2b0 c7b9 c3c4 c6c5")
    GAME.apply(table[0], GAME.parse("offer_draw"))
    action = int(agent.act(table, mask_of(table)[None])[0])
    assert GAME.action_name(action) == "decline"


def test_an_engine_plays_whole_games_in_the_arena() -> None:
    result = play_arena(
        GAME, [f"uci:{ENGINE};go=nodes 50", "random"], 2, seed=1, options={"max_plies": 40}
    )
    assert [agent.forfeits for agent in result.agents] == [0, 0]


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("uci:no_such_program_anywhere", "xiangqi", "cannot be started"),
        ("uci:", "xiangqi", "no command"),
        (f"uci:{ENGINE};Skill=3", "xiangqi", "no option Skill; options: UCI_Variant"),
        (f"uci:{ENGINE};Skill", "xiangqi", "'Skill' is no setting: write NAME=VALUE"),
        (f"uci:{sys.executable} -c pass", "xiangqi", "has ended; does it speak UCI"),
        (f"uci:{ENGINE}", "doudizhu", "UCI engines play xiangqi, not doudizhu"),
    ],
)
def test_an_engine_that_cannot_play_says_why(spec: str, game: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        load_agent(spec, load_game(game))
