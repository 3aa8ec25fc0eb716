"""The command line ``qipai``. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import dataclasses
import inspect
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from qipai.envs.game import Game

INTERRUPTED = 130  # as shells report a program ended by Ctrl-C


class UserError(Exception):
    """Something the user can put right: one line on stderr and exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        return str(self)


@contextmanager
def checked() -> Iterator[None]:
    """A ValueError in here is the user's, not the program's; an illegal action is the program's.

    So are files that can't be read or written, and sizes for which there is no memory.
    """
    from qipai.envs.tables import IllegalAction

    try:
        yield
    except IllegalAction:
        raise
    except ValueError as error:
        raise UserError(str(error)) from error
    except OSError as error:
        about = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise UserError(about) from error
    except MemoryError as error:
        raise UserError(f"not enough memory: {error}") from error


class Commands(TyperGroup):
    """Commands whose errors take one line.

    ``train`` gets its options and ``arena`` the facts in its help when they are called.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[:1] == ["train"]:
            self.commands["train"] = train_command()
        if args[:1] == ["arena"]:
            explain_arena(self.commands["arena"])
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except (KeyboardInterrupt, typer.Abort):
            print(file=sys.stderr)
            code = INTERRUPTED
        except Exception as error:
            # Typer brings a click of its own or takes the installed one: told by its methods.
            if not hasattr(error, "format_message") or not hasattr(error, "exit_code"):
                raise
            context = getattr(error, "ctx", None)
            hint = f" (see {context.command_path} --help)" if context else ""
            print(f"qipai: {error.format_message()}{hint}", file=sys.stderr)
            code = error.exit_code
        sys.exit(code or 0)


app = typer.Typer(
    cls=Commands,
    help="Reinforcement-learning environments of Chinese card, tile and board games (棋牌).",
    epilog="Example: qipai play doudizhu",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None:  # as where it was closed before
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    app(prog_name="qipai")


# --- What commands share -------------------------------------------------------------------------


def _complete_game(incomplete: str) -> list[str]:
    from qipai.envs import games

    return [name for name in games() if name.startswith(incomplete)]


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's name.", autocompletion=_complete_game)
]
Given = Annotated[
    list[str] | None,
    typer.Option("-o", "--option", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
Preset = Annotated[str | None, typer.Option(metavar="NAME", help="A named set of options.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Equal seeds give equal games.")]


def _in_a_folder(path: Path | None) -> Path | None:
    if path is not None and not path.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}")
    if path is not None and path.is_dir():
        raise typer.BadParameter(f"{path} is a folder")
    if path is not None and not os.access(
        path if path.exists() else path.absolute().parent, os.W_OK
    ):
        raise typer.BadParameter(f"{path} cannot be written")
    return path


JsonPath = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Write the result as JSON, too.", callback=_in_a_folder),
]


def write_json(path: Path | None, text: str) -> None:
    if path is not None:
        try:
            path.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise UserError(f"{path} cannot be written: {error.strerror}") from error


def load(name: str) -> Game:
    """A game by its name or id."""
    from qipai.envs import load_game

    with checked():
        return load_game(name)


def read_options(game: Game, preset: str | None, given: Sequence[str] | None) -> dict[str, Any]:
    """The options given as ``name=value`` texts, checked together with the preset."""
    values = {}
    with checked():
        for text in given or ():
            name, equals, value = text.partition("=")
            if not equals:
                raise ValueError(f"-o {text}: write -o NAME=VALUE")
            try:
                option = game.rules[name]
            except KeyError:
                names = ", ".join(option.name for option in game.rules.options)
                raise ValueError(
                    f"{game.name}: unknown option {name!r}; options: {names}"
                ) from None
            values[name] = option.parse(value, game.name)
        game.options(preset, **values)
    return values


def read_sizes(text: str) -> tuple[int, ...]:
    """``256,256`` as numbers; ValueError."""
    if not all(size.isdecimal() for size in text.split(",")):
        raise ValueError(f"hidden={text!r}: numbers with commas between, as in 256,256")
    return tuple(map(int, text.split(",")))


def find_own_modules() -> None:
    """Let agents given as MODULE:NAME come from the current folder, as with ``python -m``."""
    sys.path.append(os.getcwd())


@contextmanager
def patience(game: Game) -> Iterator[None]:
    """Say why it takes long if it does: the first use of a game compiles its rules."""
    words = (
        f"Compiling the rules of {game.name}: once for this machine and version, 10 to 90 seconds …"
    )
    timer = threading.Timer(1.5, lambda: print(words, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# --- Commands ------------------------------------------------------------------------------------


def _version(wanted: bool) -> None:
    if wanted:
        from qipai import __version__

        print(f"qipai {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def about(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: qipai games")
def games() -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table

    from qipai.envs import games as names

    table = Table(box=None, header_style="bold")
    for heading in ("id", "中文", "seats", "actions", ""):
        table.add_column(heading, justify="right" if heading == "actions" else "left")
    for game in map(load, names()):
        seats = {game.min_seats, game.max_seats}
        table.add_row(
            game.name,
            game.title,
            "–".join(map(str, sorted(seats))),
            str(game.actions.width),
            game.summary,
        )
    Console().print(table)


@app.command(epilog="Example: qipai rules doudizhu")
def rules(game: GameName) -> None:
    """Show the rules and options of a game."""
    from rich.console import Console
    from rich.markdown import Markdown

    from qipai import pages

    found = load(game)
    parts = (
        f"# {found.name} · {found.title}",
        found.summary,
        pages.rules(found, anchors=False),
        pages.options(found, anchors=False),
    )
    Console().print(Markdown("\n\n".join(parts)))


@app.command(epilog="Example: qipai play doudizhu --seat 1 --seed 7 --hands 3 -o kickers=loose")
def play(
    game: GameName,
    seat: Annotated[int | None, typer.Option(min=0, help="Your seat; default: drawn.")] = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="An agent for all other seats, or repeated: one for each, in playing order after "
            "you; default: rule.",
        ),
    ] = None,
    seed: Seed = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Hands in the match.")] = None,
    option: Given = None,
    preset: Preset = None,
    ascii: Annotated[
        bool, typer.Option("--ascii", help="Draw with ASCII characters only.")
    ] = False,
) -> None:
    """Play against bots in the terminal."""
    import numpy as np

    from qipai.agents import load_agent
    from qipai.agents.agent import AgentError
    from qipai.play import Sitting

    find_own_modules()
    found = load(game)
    given = [*(option or ()), *([f"hands={hands}"] if hands else ())]
    resolved = found.options(preset, **read_options(found, preset, given))
    seats = resolved["seats"]
    draws = np.random.default_rng(seed)
    if seat is None:
        seat = int(draws.integers(seats))
    elif seat >= seats:
        raise UserError(f"--seat {seat}: seats are 0…{seats - 1}")
    specs = opponents or ["rule"]
    if len(specs) == 1:
        specs = specs * (seats - 1)
    if len(specs) != seats - 1:
        raise UserError(f"--opponents: {len(specs)} agents for {seats - 1} other seats")
    with checked():
        bots = {
            (seat + 1 + i) % seats: load_agent(spec, found, int(draws.integers(2**31)))
            for i, spec in enumerate(specs)
        }
    sitting = Sitting(found, seat, bots, resolved, ascii=ascii)
    try:
        with patience(found):
            sitting.warm_up()
        sitting.play(seed)
    except AgentError as error:
        raise UserError(str(error)) from error


@app.command(epilog="Example: qipai serve --model mine=runs/doudizhu/…")
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen at; 0.0.0.0: all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A key that requests have to show; repeatable. Default: none is asked."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PATH", help="A trained model that requests may name; repeatable."
        ),
    ] = None,
) -> None:
    """Answer over HTTP what an agent does: bots for servers of your own."""
    try:
        from qipai.service.serving import serve as answer
    except ImportError as error:
        raise UserError(str(error)) from error

    with checked():
        answer(host, port, key or (), read_models(model or ()))


def read_models(given: Sequence[str]) -> dict[str, Path]:
    """``NAME=PATH`` texts as paths by name; ValueError."""
    models = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals:
            raise ValueError(f"--model {text}: write --model NAME=PATH")
        models[name] = Path(path)
    return models


@app.command()
def uci() -> None:
    """Play xiangqi for a graphical program: UCI or UCCI on standard input and output."""
    from qipai.uci_server import main as talk

    talk()


@app.command(epilog="Example: qipai arena doudizhu rule random my_agents:Patient --hands 3000")
def arena(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT...", help="{agents}."),
    ],
    hands: Annotated[
        int, typer.Option(min=1, help="Hands in all, rounded up to deals; at most {hands:,}.")
    ] = 1000,
    seed: Seed = None,
    json: JsonPath = None,
    threads: Annotated[
        int, typer.Option(min=1, help="Threads for the tables; at most {threads}.")
    ] = 1,
    time_limit: Annotated[float, typer.Option(help="Seconds an agent has for a call.")] = 10.0,
    option: Given = None,
    preset: Preset = None,
) -> None:
    """Let agents play each other: equal deals in all seatings."""
    from rich.console import Console
    from rich.progress import Progress

    from qipai.agents.arena import play_arena, print_result

    find_own_modules()
    found = load(game)
    given = read_options(found, preset, option)
    console = Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(console=console, transient=True, disable=quiet) as bar, checked():
        task = bar.add_task("matches")
        result = play_arena(
            found,
            agents,
            hands,
            seed=seed,
            preset=preset,
            options=given,
            threads=threads,
            time_limit=time_limit,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    print_result(result)
    write_json(json, result.to_json())


def explain_arena(command: Any) -> None:
    """Fill in what only modules know that take long to load."""
    from qipai.agents.agent import describe_kinds
    from qipai.agents.arena import MAX_HANDS
    from qipai.envs.tables import MOST_THREADS

    facts = {"agents": describe_kinds(), "hands": MAX_HANDS, "threads": MOST_THREADS}
    for parameter in command.params:
        parameter.help = (parameter.help or "").format(**facts)


_TRAIN_EXAMPLE = "Example: qipai train doudizhu --minutes 10 --opponents pool"


@app.command(epilog=_TRAIN_EXAMPLE)
def train() -> None:
    """Train an agent by self-play with maskable PPO."""


def train_command() -> Any:
    """``train`` with an option for each field of the training's ``Config``.

    Reading that takes longer than all other commands need to start.
    """
    try:
        from qipai.training.config import HELP, Config
    except ImportError as error:
        raise UserError(str(error)) from error

    kinds = get_type_hints(Config)
    special = {"game": GameName, "preset": Preset, "options": Given}

    def parameter(field: dataclasses.Field[Any]) -> inspect.Parameter:
        kind = kinds[field.name]
        default: Any = field.default
        if kind == tuple[int, ...]:
            kind, default = str, ",".join(map(str, default))
        if field.name == "game":
            default = inspect.Parameter.empty
        elif field.name == "options":
            default = None
        return inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=special.get(
                field.name, Annotated[kind, typer.Option(help=HELP[field.name])]
            ),
        )

    def run(**values: Any) -> None:
        from qipai.training.maskable_ppo import train

        find_own_modules()
        with checked():
            found = load(values["game"])
            values["options"] = read_options(found, values["preset"], values["options"])
            values["hidden"] = read_sizes(values["hidden"])
            train(Config(**values))

    run.__doc__ = train.__doc__
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter(field) for field in dataclasses.fields(Config)]
    )
    alone = typer.Typer(add_completion=False)
    alone.command("train", epilog=_TRAIN_EXAMPLE)(run)
    return typer.main.get_command(alone)


@app.command(epilog="Example: qipai bench doudizhu --seconds 1")
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME...]", help="Default: all.", autocompletion=_complete_game),
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long each rate is measured.")] = 2.0,
    json: JsonPath = None,
) -> None:
    """Measure speed, start-up times and sizes beside their budgets."""
    from qipai import bench as benchmark
    from qipai.envs import games as all_games

    with checked():
        rows = benchmark.bench(names or all_games(), seconds)
    benchmark.print_table(rows)
    write_json(json, benchmark.to_json(rows))


@app.command(epilog="Example: qipai page doudizhu")
def page(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's name.", autocompletion=_complete_game),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="The pages of all games.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 if a page is stale.")
    ] = False,
    golden: Annotated[
        int | None,
        typer.Option(min=0, metavar="SEED", help="First record the golden hand anew, from SEED."),
    ] = None,
) -> None:
    """Write the page of a game, docs/games/GAME.md (in a checkout of the repository)."""
    from qipai import pages
    from qipai.envs import games as names

    if (game is None) != every:
        raise UserError("name a game, or --all")
    if golden is not None and (every or check):
        raise UserError("--golden goes with one game, and not with --check")
    stale = False
    for found in map(load, names() if every else [game or ""]):
        with checked(), patience(found):
            if golden is not None:
                pages.record_golden(found, golden)
            current = pages.is_current(found)
            if not current and not check:
                pages.write(found)
        path = pages.page_path(found.name).relative_to(pages.root())
        print(f"{path}: {'current' if current else 'stale' if check else 'written'}")
        stale |= not current
    if check and stale:
        print("Bring them up to date with: qipai page --all", file=sys.stderr)
        raise typer.Exit(1)
