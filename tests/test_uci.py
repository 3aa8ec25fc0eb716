"""UCI and UCCI: qipai for other programs, and other programs at qipai's tables."""

from __future__ import annotations

import copy
import io
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent, uci_engine
from qipai.agents.arena import play_arena
from qipai.agents.rule.xiangqi import Search
from qipai.agents.uci_engine import MOST_BYTES, UciAgent, lines_of, thinking_time
from qipai.envs import load_game
from qipai.envs.xiangqi import GAME, position
from qipai.uci_server import Conversation, main
from tests.forked import in_a_child, needs_fork
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


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("nodes 18446744073709551615 depth 1", "nodes 18446744073709551615: 1…1,000,000,000"),
        ("nodes -1", "nodes -1: 1…1,000,000,000, taken as 1"),
        (f"depth {'9' * 5000} nodes 300", "1…64, taken as 64"),
        ("depth 0", "depth 0: 1…64, taken as 1"),
        ("movetime 99999999999999999999 depth 1", "1…86,400,000, taken as 86,400,000"),
        ("movetime -7", "movetime -7: 1…86,400,000, taken as 1"),
    ],
)
def test_a_limit_that_is_no_limit_here_is_told_and_replaced(asked: str, told: str) -> None:
    said = talk("uci", f"position fen {MATE_IN_ONE}", f"go {asked}")
    assert any(line.startswith("info string") and told in line for line in said)
    assert said[-1].startswith("bestmove ")


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
@pytest.mark.parametrize("clock", ["9" * 400, "-" + "9" * 400, "0"])
def test_absurd_clocks_are_clocks(protocol: str, clock: str) -> None:
    names = ("wtime", "btime", "winc", "binc", "time", "increment", "movestogo")
    asked = " ".join(f"{name} {clock}" for name in names)
    said = talk(protocol, f"position fen {MATE_IN_ONE}", f"go {asked} depth 2")
    assert said[-1].startswith("bestmove ")
    said = talk(protocol, f"position fen {MATE_IN_ONE}", f"go ponder {asked}", "ponderhit", "stop")
    assert said[-1].startswith("bestmove ")


def test_a_search_that_fails_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **more: Any) -> None:
        raise OverflowError("out of luck")

    monkeypatch.setattr(Search, "think", failing)
    said = talk("uci", "position startpos", "go depth 1 searchmoves h2e2")
    assert said[-2:] == [
        "info string the search failed: OverflowError('out of luck')",
        "bestmove h2e2",
    ]


@pytest.mark.parametrize(
    "typed",
    [
        b"uci\nisready\nquit\n",
        b"uci\r\nisready\r\nquit\r\n",
        b"uci\risready\rquit\r",
        b"uci\nisready",
        b"\xd6\xd0\xb9\xfa\n\x00\nuci\nsetoption name \xff value \xfe\nisready\n",
        b"uci\n" + b"x" * (5 * MOST_BYTES) + b"\nisready\n",
    ],
    ids=["lines", "carriage returns too", "alone", "no last end", "not UTF-8", "too long"],
)
def test_whatever_bytes_come_in_answers_go_out(
    typed: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "ascii"))
    main()
    said = capsys.readouterr()
    assert (said.err, said.out.splitlines()[-1]) == ("", "readyok")


def test_a_process_talks_too() -> None:
    typed = b"\xd6\xd0\xb9\xfa\n\x00\nuci\rsetoption name \xff value \xfe\r\nisready"
    done = subprocess.run(ENGINE.split(), input=typed, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[-1] == "readyok"


def test_lines_are_told_apart_however_bytes_arrive() -> None:
    text = "position 中\r\n\r\n go\rstop\n\nquit".encode()
    for size in (1, 2, 5, 100):
        parts = iter([text[at : at + size] for at in range(0, len(text), size)])
        assert list(lines_of(lambda n: next(parts, b""))) == ["position 中", " go", "stop", "quit"]  # noqa: B023


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


FAKE = """\
import sys, time

def say(text):
    sys.stdout.buffer.write(text + b"\\n")
    sys.stdout.buffer.flush()

for line in sys.stdin:
    if line.startswith("ucinewgame"):
        continue
    if line.startswith("uci"):
        say(b"id name \\xd6\\xd0\\xb9\\xfa")
        say(b"option name \\xff type check")
        say(b"uciok")
    if line.startswith("isready"):
        say(b"readyok")
    if line.startswith("go"):
        say(b"info string \\xd6\\xd0")
        {answer}
"""


@pytest.fixture
def fake(tmp_path: Path) -> Any:
    """Makes the spec of an engine that speaks GBK, by the Python line in which it answers."""

    def spec(answer: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(FAKE.format(answer=answer))
        return f"uci:{sys.executable} {path}"

    return spec


def ask(agent: Any) -> str:
    """What the agent plays at the start of a game."""
    table = position(START)
    return GAME.action_name(int(agent.act(table, mask_of(table)[None])[0]))


def test_an_engine_may_write_any_bytes(fake: Any) -> None:
    assert ask(load_agent(fake(r'say(b"\xff"), say(b"bestmove h2e2 ponder \xff")'), GAME)) == "H2E2"
    endless = 'say(b"x" * 1_000_000), say(b"bestmove h2e2")'
    assert ask(load_agent(fake(endless), GAME)) == "H2E2"


@pytest.mark.parametrize(
    "answer", ["", "(none)", "0000", r"\xff", "h2e9", "h2", "a" + "9" * 5000 + "b1", "h2e2h2e2"]
)
def test_an_answer_that_is_no_move_is_told(fake: Any, answer: str) -> None:
    agent = load_agent(fake(f'say(b"bestmove {answer}")'), GAME)
    with pytest.raises(RuntimeError, match=r"engine .* said 'bestmove.*' after rnbakabnr"):
        ask(agent)


@pytest.mark.parametrize(
    "answer",
    [
        "time.sleep(99)",
        'while True: say(b"info depth 1")',
        'while True: say(b"thinking")',
        'while True: say(b"")',
        "while True: sys.stdout.buffer.write(b'x' * 1000)",
    ],
)
def test_an_engine_that_never_answers_is_given_up(
    fake: Any, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = load_agent(fake(f"{answer}") + ";go=movetime 100", GAME)
    monkeypatch.setattr(uci_engine, "PATIENCE", 0.5)
    with pytest.raises(RuntimeError, match=r"has said no bestmove for 0\.6 s"):
        ask(agent)
    with pytest.raises(RuntimeError, match="has ended"):
        ask(agent)


def test_time_given_to_think_is_waited_for() -> None:
    assert thinking_time("movetime 90000") == 90
    assert thinking_time("wtime 300000 btime 200000 winc 5") == 300
    assert thinking_time("depth 5 nodes 300") == 0
    assert thinking_time(f"movetime {'9' * 500}") == 86_400


def number_of(agent: UciAgent) -> int:
    """The number of its engine's process."""
    return agent._engine()._process.pid


def test_copies_have_engines_of_their_own() -> None:
    agent = UciAgent(GAME, f"{ENGINE};go=nodes 50")
    twins = [copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    table = position(MATE_IN_ONE)
    for each in (agent, *twins):
        assert GAME.action_name(int(each.act(table, mask_of(table)[None])[0])) == "H7H9"
    assert len({number_of(each) for each in (agent, *twins)}) == 3
    twins[0].close()
    with pytest.raises(RuntimeError, match="has ended"):
        ask(twins[0])
    assert ask(agent)


@needs_fork
def test_a_forked_child_has_an_engine_of_its_own() -> None:
    agent = UciAgent(GAME, f"{ENGINE};go=nodes 50")
    first = ask(agent)
    numbers = [number_of(agent), in_a_child(lambda: (ask(agent), number_of(agent))[1])]
    assert numbers[0] != numbers[1]
    os.kill(numbers[0], 0)  # it lives on
    assert ask(agent) == first and number_of(agent) == numbers[0]


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
