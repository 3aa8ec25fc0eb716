"""The command line: what users type, what they read, and how it ends."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from qipai import __version__, bench, cli, pages
from qipai.agents.agent import KINDS
from qipai.envs import games, load_game, make
from qipai.envs.game import Game
from qipai.envs.scene import Place, Scene
from qipai.envs.xiangqi import START_FEN, position
from qipai.play import Sitting, list_actions, news, read_answer
from tests.xiangqi_games import mask_of, play

COMMANDS = ("games", "rules", "play", "arena", "train", "bench", "page")


def qipai(*arguments: str, answers: str = "") -> Result:
    return CliRunner().invoke(cli.app, arguments, input=answers, prog_name="qipai")


def refused(*arguments: str) -> str:
    """The one line on stderr that refuses these arguments."""
    result = qipai(*arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    (line,) = result.stderr.strip().splitlines()
    return line


# --- Listing and help --------------------------------------------------------------------------


def test_the_version() -> None:
    assert qipai("--version").output.strip() == f"qipai {__version__}"


def test_without_a_command_the_help_is_shown() -> None:
    result = qipai()
    assert result.exit_code == 0
    assert all(command in result.output for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str) -> None:
    result = qipai(command, "--help")
    assert result.exit_code == 0
    assert f"Example: qipai {command}" in result.output


def test_games_are_listed_with_their_facts(game: Game) -> None:
    rows = [row.split() for row in qipai("games").output.splitlines()]
    (line,) = [" ".join(row) for row in rows if game.name in row[:2]]  # maybe behind a frame
    assert game.title in line and str(game.actions.width) in line


def test_rules_are_those_of_the_page(game: Game) -> None:
    result = qipai("rules", game.name)
    assert result.exit_code == 0
    shown = re.sub(r"\s+", "", result.output)
    for name, text in pages.read_rules(game.document).clauses:
        plain = re.sub(r"\s+|`", "", f"{name} {text}")
        assert plain in shown
    assert all(option.name in shown for option in game.rules.options)


def test_help_needs_no_game_and_no_torch() -> None:
    code = (
        "import sys\n"
        "from qipai.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "bad = {'torch', 'numba', 'numpy', 'gymnasium', 'pettingzoo'} & set(sys.modules)\n"
        "sys.exit(str(bad) if bad else 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


# --- Mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["foo"], "foo"),
        (["play"], "GAME"),
        (["rules", "mahjong"], "games: doudizhu"),
        (["play", "doudizhu", "-o", "kickers=free"], "standard, distinct, loose"),
        (["play", "doudizhu", "-o", "colour=red"], "options: seats, stake"),
        (["play", "doudizhu", "-o", "stake"], "NAME=VALUE"),
        (["play", "doudizhu", "-o", "stack=1,2"], "2 entries for 3 seats"),
        (["play", "doudizhu", "--preset", "casino"], "presets: rlcard, openspiel"),
        (["play", "doudizhu", "--seat", "3"], "0…2"),
        (["play", "doudizhu", "--hands", "0"], "--hands"),
        (["play", "doudizhu", "--opponents", "genius"], "random"),
        (["play", "doudizhu", "--opponents", "nowhere:Agent"], "nowhere"),
        (["play", "doudizhu", "--opponents", "search:99999999999999999999"], "1,000,000,000"),
        (["arena", "freecell", "rule:1000000000000"], "1,000,000,000"),
        (["play", "doudizhu"] + ["--opponents", "random"] * 3, "2 other seats"),
        (["arena", "doudizhu"], "AGENT"),
        (["arena", "doudizhu", "random", "genius"], "random"),
        (["arena", "doudizhu", "random", "--json", "no/such/folder/a.json"], "folder"),
        (["arena", "doudizhu", "random", "--json", "/dev/null/a.json"], "folder"),
        (["arena", "doudizhu", "random", "--hands", "999999999999"], "1…100,000,000"),
        (["arena", "doudizhu", "random", "--threads", "99999"], "at most 256"),
        (["arena", "doudizhu", "random", "--time-limit", "nan"], "time_limit=nan: a positive"),
        (["arena", "doudizhu", "model:nowhere"], "there is no model nowhere"),
        (["bench", "mahjong"], "games: doudizhu"),
        (["bench", "--seconds", "0"], "a finite number above 0"),
        (["bench", "--seconds", "nan"], "a finite number above 0"),
        (["bench", "--seconds", "inf"], "a finite number above 0"),
        (["bench", "--json", "no/such/folder/a.json"], "folder"),
        (["page"], "--all"),
        (["page", "doudizhu", "--all"], "--all"),
        (["page", "--all", "--golden", "1"], "--golden"),
    ],
)
def test_mistakes_take_one_line(arguments: list[str], reason: str) -> None:
    assert reason in refused(*arguments)


def test_ctrl_c_is_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Sitting, "play", interrupted)
    result = qipai("play", "doudizhu", "--opponents", "random")
    assert result.exit_code == 130
    assert "Traceback" not in result.output


# --- play --------------------------------------------------------------------------------------


def test_a_match_played_to_its_end(game: Game) -> None:
    answers = "d\n" * game.max_plies(game.options(hands=2))
    result = qipai(
        "play", game.name, "--seed", "3", "--hands", "2", "--opponents", "random", answers=answers
    )
    assert result.exit_code == 0
    assert "Hand 1 is over" in result.output
    assert "The match is over: you" in result.output or "The match is over: seat" in result.output
    assert "reason:" in result.output


def test_wrong_answers_are_asked_again_with_a_reason() -> None:
    start = ["play", "doudizhu", "--seat", "0", "--seed", "3", "--opponents", "random"]
    result = qipai(*start, answers="?\nfoo\n#99\nbid:3\nq\n")
    assert result.exit_code == 0
    for reason in ("All rules: qipai rules", "is no rank", "numbers are 1…", "is not legal now"):
        assert reason in result.output
    assert "You left the table" in result.output


def test_the_end_of_the_input_leaves_the_table() -> None:
    command = [sys.executable, "-m", "qipai", "play", "doudizhu", "--opponents", "random"]
    done = subprocess.run(
        [*command, "--seed", "5", "--seat", "1", "--ascii"],
        input=b"\xff\nd\nd\n",  # a byte that is no UTF-8
        capture_output=True,
    )
    said = done.stdout.decode().replace("\N{REPLACEMENT CHARACTER}", "?")
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert "is no rank" in said and "You left the table" in said
    tables = re.sub(r"^ +\S*: .*$", "", said, flags=re.MULTILINE)
    assert "seat 1 (you)" in tables and tables.isascii()


@pytest.mark.parametrize(
    "typed",
    [
        b"\xd6\xd0\xb9\xfa\n\x00\nq\n",
        b"foo\r\n\xff\r\nq\r\n",
        b"foo\rbar\rq\r",
        b"foo\nq",
        b"\x00" * 50_000 + b"\nq\n",
    ],
    ids=["not UTF-8", "carriage returns too", "alone", "no last end", "too long"],
)
def test_whatever_bytes_are_typed_the_table_stands(
    typed: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8"))
    start = "qipai play doudizhu --opponents random --seed 5 --seat 1"
    monkeypatch.setattr(sys, "argv", start.split())
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert (ended.value.code, said.err) == (0, "")
    assert "is no rank" in said.out and "You left the table" in said.out
    assert len(max(said.out.splitlines(), key=len)) < 1000


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes files")
@pytest.mark.parametrize("command", ["play doudizhu --opponents random", "uci"])
def test_a_closed_input_is_an_empty_one(command: str) -> None:
    shell = f"{sys.executable} -m qipai {command} <&-"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def test_equal_seeds_give_equal_matches() -> None:
    start = ["play", "doudizhu", "--seed", "4", "--opponents", "random"]
    assert qipai(*start, answers="d\n" * 200).output == qipai(*start, answers="d\n" * 200).output


def test_only_what_the_own_seat_sees_is_drawn(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Scene] = []

    def draw(scene: Scene, ascii: bool = False) -> str:
        drawn.append(scene)
        return ""

    def leave(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("qipai.play.render.text", draw)
    Sitting(game, 0, Bots(game), {}, lambda text: None, leave).play(seed=2)
    assert drawn and all(scene.seat == 0 for scene in drawn)


class Bots(dict[int, Any]):
    """Random agents for all seats asked for."""

    def __init__(self, game: Game) -> None:
        from qipai.agents import load_agent

        super().__init__({seat: load_agent("random", game, seat) for seat in range(game.max_seats)})


@pytest.fixture
def leading() -> Iterator[tuple[Game, np.void, list[int]]]:
    """Dou dizhu: the landlord's view on lead, and its legal actions."""
    env = make("doudizhu")
    env.reset(seed=1)
    env.step(env.game.parse("bid:3"))
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    yield env.game, env.view(agent), [int(a) for a in np.flatnonzero(mask)]


def test_an_answer_is_a_name_a_number_or_a_whole_move(
    leading: tuple[Game, np.void, list[int]],
) -> None:
    game, view, legal = leading
    name = game.action_name(legal[0])
    assert read_answer(game, view, legal, name) == [legal[0]]
    assert read_answer(game, view, legal, name.lower()) == [legal[0]]
    assert read_answer(game, view, legal, f"#{len(legal)}") == [legal[-1]]
    body = next(a for a in legal if game.action_name(a).endswith("+x"))
    trio = game.action_name(body).split("+")[0]
    held = view["cards"][view["turn"]]
    other = next(
        n for n, count in zip("3456789TJQKA2", held[:13], strict=True) if count and n not in trio
    )
    steps = read_answer(game, view, legal, f"{trio}+{other}")
    assert [game.action_name(step) for step in steps] == [f"{trio}+x", f"+{other}"]


def test_numbers_need_a_mark_only_where_names_are_numbers(
    leading: tuple[Game, np.void, list[int]],
) -> None:
    game, view, legal = leading
    single = next(a for a in legal if game.action_name(a).isdecimal())
    assert read_answer(game, view, legal, game.action_name(single)) == [single]
    stud = load_game("five_card_stud")
    assert read_answer(stud, np.zeros(1, stud.state)[0], [0, 2], "2") == [2]
    with pytest.raises(ValueError, match="numbers are 1…2"):
        read_answer(stud, np.zeros(1, stud.state)[0], [0, 2], "3")


def test_legal_actions_are_listed_by_kind_with_their_numbers(
    leading: tuple[Game, np.void, list[int]],
) -> None:
    game, view, legal = leading
    text = list_actions(game, view, legal)
    assert all(len(line) <= 80 for line in text.splitlines())
    for place, action in enumerate(legal, start=1):
        assert f"#{place} {game.action_name(action)}" in text


def test_black_speaks_iccs_too() -> None:
    game = load_game("xiangqi")
    table = play(position(START_FEN), "h2e2")
    legal = np.flatnonzero(mask_of(table)).tolist()
    assert read_answer(game, table[0], legal, "b7e7") == [game.parse("H2E2")]
    assert " b7e7" in list_actions(game, table[0], legal)
    assert "H2E2" not in list_actions(game, table[0], legal)
    with pytest.raises(ValueError, match="h2e2 is not legal now|no piece"):
        read_answer(game, table[0], legal, "h2e2")


def test_of_very_many_actions_the_ends_are_listed() -> None:
    game = load_game("roulette")
    text = list_actions(game, game.blank(game.options())[0], list(range(484)))
    assert "#2 chip3:0" in text and "#484 chip1:high" in text
    assert "..." in text and len(text.splitlines()) < 6


def scene(*moves: str, notes: tuple[str, ...] = ("", "")) -> Scene:
    places = tuple(Place(seat, "", 0, note=note) for seat, note in enumerate(notes))
    return Scene(places, (), moves=moves, title="a game", seat=0, turn=0)


def test_news_are_the_moves_added() -> None:
    assert news(scene("0: a"), scene("0: a", "1: b", "0: c")) == ["1: b", "0: c"]
    assert news(scene("0: a", "1: b"), scene("1: b", "0: c")) == ["0: c"]
    assert news(scene(), scene("0: a")) == ["0: a"]
    assert news(None, scene("0: a", notes=("", "here"))) == ["0: a"]


def test_without_moves_news_are_what_seats_say() -> None:
    assert news(scene(), scene(notes=("", "pass"))) == ["1: pass"]
    assert news(scene(notes=("", "pass")), scene(notes=("", "pass"))) == []


# --- train -------------------------------------------------------------------------------------


def test_every_knob_of_the_training_is_an_option() -> None:
    config = pytest.importorskip("qipai.training.config", reason="needs qipai[train]")
    shown = qipai("train", "--help").output
    for field in dataclasses.fields(config.Config):
        if field.name not in ("game", "options"):
            assert f"--{field.name.replace('_', '-')} " in shown


def test_a_training_gets_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    training = pytest.importorskip("qipai.training.maskable_ppo", reason="needs qipai[train]")
    given: list[Any] = []
    monkeypatch.setattr(training, "train", given.append)
    result = qipai(
        "train", "doudizhu", "--minutes", "0.5", "--hidden", "64,32", "-o", "stake=5", "--seed", "3"
    )
    assert result.exit_code == 0, result.output
    (config,) = given
    assert config == training.Config(
        game="doudizhu",
        options={"stake": 5},
        minutes=0.5,
        hidden=(64, 32),
        seed=3,
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--hidden", "wide"], "256,256"),
        (["--gamma", "3"], "gamma"),
        (["-o", "stake=0"], "stake"),
        (["--threads", "99999"], "threads=99999: at most 256"),
        (["--learning-rate", "inf"], "learning_rate=inf: a finite number"),
        (["--minutes", "nan"], "minutes=nan: a finite number"),
        (["--hidden", "9999999999"], "each in 1…4,096"),
        (["--tables", "999999999999"], "at most 1,048,576"),
        (["--n-steps", "1000000000"], "not enough memory"),
        (["--resume", "nowhere"], "there is no model nowhere"),
        (["--out", "/dev/null/run", "--steps", "1"], "cannot be written to"),
    ],
)
def test_mistakes_in_the_training_take_one_line(arguments: list[str], reason: str) -> None:
    pytest.importorskip("qipai.training.config", reason="needs qipai[train]")
    assert reason in refused("train", "doudizhu", *arguments)


# --- arena -------------------------------------------------------------------------------------


def test_the_arena_writes_its_result(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    agents = ["random", "random", "random"]
    result = qipai(
        "arena", "doudizhu", *agents, "--hands", "6", "--seed", "1", "--json", str(path),
        "-o", "stake=5", "-o", "kickers=loose",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "coins per hand" in result.output
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["game"] == "doudizhu" and written["balance"] == 0
    assert written["options"]["stake"] == 5 and written["options"]["kickers"] == "loose"


def test_an_agent_of_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent_of_a_test.py").write_text(
        "class Lowest:\n"
        "    def __init__(self, game, seed): ...\n"
        "    def act(self, views, masks): return masks.argmax(axis=1)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    agents = ["agent_of_a_test:Lowest", "random"]
    result = qipai("arena", "doudizhu", *agents, "--hands", "2", "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "agent_of_a_test:Lowest" in result.output


def test_the_help_names_every_kind_of_agent() -> None:
    for command in ("arena", "train"):
        if command == "train":
            pytest.importorskip("qipai.training.config", reason="needs qipai[train]")
        words = " ".join(re.sub("[│\n]", " ", qipai(command, "--help").output).split())
        assert all(f"{kind}:" in words for kind in (*KINDS, "MODULE:NAME")), words
        assert "at most 256" in words


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_result_that_finds_no_room_is_shown_and_the_reason_told() -> None:
    result = qipai(
        "arena", "doudizhu", "random", "--hands", "2", "--seed", "1", "--json", "/dev/full"
    )
    assert result.exit_code == 2
    assert "coins per hand" in result.output
    assert result.stderr.strip() == "qipai: /dev/full cannot be written: No space left on device"


# --- bench -------------------------------------------------------------------------------------


def test_bench_measures_the_games_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {measure.key: 1 for measure in bench.MEASURES}
    asked: list[Any] = []

    def measured(names: Any, seconds: float) -> list[dict[str, Any]]:
        asked.append((tuple(names), seconds))
        return [{"game": name, **row} for name in names]

    monkeypatch.setattr(bench, "bench", measured)
    path = tmp_path / "bench.json"
    result = qipai("bench", "doudizhu", "--seconds", "0.5", "--json", str(path))
    assert result.exit_code == 0, result.output
    assert "doudizhu" in result.output
    assert json.loads(path.read_text(encoding="utf-8"))[0]["game"] == "doudizhu"
    assert qipai("bench").exit_code == 0
    assert asked == [(("doudizhu",), 0.5), (games(), 2.0)]
