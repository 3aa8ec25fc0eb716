"""The page of each game, ``docs/games/<game>.md``, written from the game itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qipai.envs.drawing import render
from qipai.envs.game import Game
from qipai.envs.options import Option, Value
from qipai.golden import dump, load, record, table_at, unchanged

_CLAUSE = re.compile(r"^R(\d+)\.?\s+(.*)$")


@dataclass(frozen=True)
class Rules:
    """The rules of a game as its module docstring tells them."""

    lead: str  # the paragraph before R1
    clauses: tuple[tuple[str, str], ...]  # ("R1", text)
    notes: str  # what follows the last clause


def read_rules(document: str) -> Rules:
    """The docstring taken apart: a clause is a line ``R1 …`` and the indented lines below it."""
    lead: list[str] = []
    notes: list[str] = []
    clauses: list[tuple[str, str]] = []
    open_clause = False
    for line in document.strip().splitlines():
        start = _CLAUSE.match(line)
        if start:
            clauses.append((f"R{start[1]}", start[2]))
            open_clause = True
        elif open_clause and line.startswith(" "):
            name, text = clauses[-1]
            clauses[-1] = (name, f"{text} {line.strip()}")
        else:
            open_clause = False
            (notes if clauses else lead).append(line)
    return Rules("\n".join(lead).strip(), tuple(clauses), "\n".join(notes).strip())


def page(game: Game, golden: dict[str, Any]) -> str:
    """The whole page as Markdown; ``golden`` is the game's recorded hand."""
    sections = (
        heading(game),
        text_table(game, golden),
        at_a_glance(game),
        usage(game),
        rules(game),
        options(game),
        observation(game),
        actions(game),
        rewards(game, golden),
        one_hand(game, golden),
        confidence(game),
        history(game),
    )
    return "\n\n".join(sections) + "\n"


def heading(game: Game) -> str:
    made = (
        f"<!-- Written by `qipai page {game.name}` from the game itself: edit the game instead. -->"
    )
    return f"{made}\n\n# {game.name} · {game.title}\n\n{game.summary}"


def text_table(game: Game, golden: dict[str, Any]) -> str:
    """The golden hand half way, as the seat to act sees it."""

    table = table_at(golden, game, len(golden["actions"]) // 2)
    return _fence("text", render.text(table.scene(table.agent_selection)))


def at_a_glance(game: Game) -> str:
    seats = (
        str(game.min_seats)
        if game.min_seats == game.max_seats
        else f"{game.min_seats}–{game.max_seats}"
    )
    facts = (
        ("id", f"`{game.id}`"),
        ("version", game.version),
        ("seats", seats),
        ("actions", f"{game.actions.width:,}"),
        ("observation", f"float32 ({game.observation.width},)"),
        ("state of a table", f"{game.state.itemsize:,} bytes"),
        ("longest match at the default options", f"{game.max_plies(game.options()):,} decisions"),
    )
    return "## At a glance\n\n" + _grid(("", ""), facts)


def usage(game: Game) -> str:
    code = f"""\
from qipai.envs import make

env = make("{game.name}")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)"""
    return f"## Usage\n\n{_fence('python', code)}\n\nIn the terminal: `qipai play {game.name}`."


def rules(game: Game, anchors: bool = True) -> str:
    found = read_rules(game.document)
    clauses = (
        f"- {_anchor(name) if anchors else ''}**{name}** {_prose(text)}"
        for name, text in found.clauses
    )
    parts = ["## Rules", _prose(found.lead), "\n".join(clauses), _prose(found.notes)]
    return "\n\n".join(part for part in parts if part)


def options(game: Game, anchors: bool = True) -> str:
    known = [name for name, _ in read_rules(game.document).clauses] if anchors else []

    def cells(option: Option) -> Iterable[str]:
        yield f"`{option.name}`"
        yield _short(option.allowed)
        yield _setting(option.default)
        yield option.meaning
        yield _linked(option.clause, known)

    head = ("name", "range", "default", "meaning", "clause")
    blocks = [
        "## Options",
        f'Given to `make("{game.name}", …)` by name, in the terminal with `-o name=value`.',
    ]
    if game.rules.presets:
        blocks.append("Presets, named sets of options; where one says nothing the default holds:")
        blocks.append("\n".join(map(_preset, game.rules.presets, game.rules.presets.values())))
    return "\n\n".join([*blocks, _grid(head, map(cells, game.rules.options))])


def _preset(name: str, values: Mapping[str, Value]) -> str:
    settings = ", ".join(f"`{option}` {_setting(value)}" for option, value in values.items())
    return f"- `{name}`: {settings or 'the defaults'}"


def observation(game: Game) -> str:
    rows = (
        (
            f"{r.start}" if r.stop == r.start + 1 else f"{r.start}–{r.stop - 1}",
            f"`{r.name}`",
            " × ".join(map(str, r.shape)),
            r.meaning,
            r.seen_by,
        )
        for r in game.observation.ranges
    )
    text = (
        "Seats are counted from the own one, in playing order. `game.split(observation)` gives the "
        "ranges by name; entries hidden from the seat read 0 and are False in `observation_mask`."
    )
    head = ("entries", "name", "shape", "meaning", "seen by")
    return f"## Observation\n\n{text}\n\n" + _grid(head, rows)


def actions(game: Game) -> str:
    rows = (
        (
            f"{r.start}" if len(r.names) == 1 else f"{r.start}–{r.start + len(r.names) - 1}",
            r.name,
            len(r.names),
            f"`{r.names[len(r.names) // 2]}`",
            r.legal_when,
        )
        for r in game.actions.ranges
    )
    head = ("ids", "name", "count", "example", "legal when")
    return "## Actions\n\n" + _grid(head, rows)


def rewards(game: Game, golden: dict[str, Any]) -> str:

    table = table_at(golden, game, 0)
    unit = int(game.unit(table.view(table.agent_selection)))
    return (
        "## Rewards and the end\n\n"
        "The reward of a step is what it settled, in coins; the coins of all seats and the house "
        "always sum to 0. When a hand ends, `infos[agent]` says what was settled and why. An "
        "episode is a match of `hands` hands with stacks carried over, or fewer if the match "
        "cannot go on. "
        f"Observations count coins in units of {_plural(unit, 'coin')} at the default options."
    )


def one_hand(game: Game, golden: dict[str, Any]) -> str:
    """The golden hand in words."""

    def seen_after(step: int) -> str:
        return _fence("text", render.text(table_at(golden, game, step).scene(None)))

    parts = (
        f'`make("{game.name}")` with seed {golden["seed"]}, as a spectator sees the deal:',
        seen_after(0),
        "\n".join(_turns(golden)),
        "At the end:",
        seen_after(len(golden["actions"])),
        *map(_settlement, golden["settled"]),
    )
    return "## One hand, annotated\n\n" + "\n\n".join(parts)


def confidence(game: Game) -> str:
    return (
        f"## Checked by\n\n{_bullets(game.checked_by)}\n\n"
        f"## Limitations\n\n{_bullets(game.limitations)}"
    )


def history(game: Game) -> str:
    return f"## Versions\n\n{_bullets(game.history)}\n\n## Source\n\n{_prose(game.source)}"


# --- The pages of a checkout ---------------------------------------------------------------------


def root() -> Path:
    """The checkout the package is installed from; ValueError if it is none."""
    found = Path(__file__).resolve().parents[1]
    if not (found / "docs" / "games").is_dir():
        raise ValueError("pages and goldens are written in a checkout of the repository only")
    return found


def page_path(name: str) -> Path:
    return root() / "docs" / "games" / f"{name}.md"


def golden_path(name: str) -> Path:
    return root() / "tests" / "golden" / f"{name}.json"


def current(game: Game) -> str:
    """The page as it should be now; ValueError if the game has no golden hand yet."""

    try:
        golden = load(golden_path(game.name))
    except FileNotFoundError:
        raise ValueError(
            f"{game.name} has no golden hand yet: qipai page {game.name} --golden SEED"
        ) from None
    return page(game, golden)


def is_current(game: Game) -> bool:
    """Whether the committed page is the one the game gives now."""
    path = page_path(game.name)
    return path.exists() and path.read_text(encoding="utf-8") == current(game)


def write(game: Game) -> None:
    """Write the page; ValueError if the game has no golden hand yet."""
    page_path(game.name).write_text(current(game), encoding="utf-8")


def record_golden(game: Game, seed: int) -> None:
    """Record the golden hand anew, from ``seed``.

    ValueError if the old one is of the same version but no longer replays: changed behaviour needs
    a new version first.
    """

    path = golden_path(game.name)
    if path.exists():
        old = load(path)
        if old["version"] == game.version and not unchanged(old, game):
            raise ValueError(
                f"{game.name} no longer plays its golden hand as version {game.version} did: bump "
                "VERSION in the game's file (a version never released: delete "
                f"{path.relative_to(root())} first)"
            )
    path.write_text(dump(record(game, seed)), encoding="utf-8")


# --- Words ---------------------------------------------------------------------------------------


def _turns(golden: dict[str, Any]) -> Iterable[str]:
    """The decisions, one line for each turn of a seat."""
    last = None
    line = ""
    number = 0
    for entry in golden["actions"]:
        if entry["agent"] != last:
            if line:
                yield line
            number += 1
            last = entry["agent"]
            line = f"{number}. {last} `{entry['name']}`"
        else:
            line += f" `{entry['name']}`"
    yield line


def _settlement(settled: dict[str, Any]) -> str:
    coins = ", ".join(f"player_{seat} {c:+,}" for seat, c in enumerate(settled["coins"]))
    house = f", house {settled['house']:+,}" if settled["house"] else ""
    why = report_text(settled)
    return f"Coins: {coins}{house}." + (f" Settled: {why}." if why else "")


def report_text(settled: dict[str, Any]) -> str:
    """Why a hand was settled so, from the game's own report; what does not apply is left out."""
    own = {k: _value(v) for k, v in settled.items() if k not in ("hand", "coins", "house")}
    return "; ".join(f"{key}: {value}" for key, value in own.items() if value.strip("–, "))


def _value(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(v)}" for key, v in value.items())
    return str(value)


def _setting(value: Value) -> str:
    """An option's value as it is written on the command line."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(text: str) -> str:
    """Long powers of ten as powers."""
    return re.sub(r"\b10{6,}\b", lambda found: f"10^{len(found[0]) - 1}", text)


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _anchor(name: str) -> str:
    return f'<a id="{name.lower()}"></a>'


def _linked(text: str, names: Sequence[str]) -> str:
    """Clauses in a text as links to their anchors."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        return f"[{name}](#{name.lower()})" if name in names else name

    return re.sub(r"\bR\d+\b", link, text)


def _prose(text: str) -> str:
    """A docstring's text as Markdown."""
    return text.replace("``", "`").replace("*", r"\*")


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {_prose(line)}" for line in lines) or "None."


def _grid(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table."""

    def line(cells: Iterable[Any]) -> str:
        return "| " + " | ".join(str(c).replace("|", r"\|") for c in cells) + " |"

    return "\n".join([line(head), line("---" for _ in head), *map(line, rows)])


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"
