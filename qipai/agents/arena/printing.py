"""Results printed as tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qipai.agents.arena.estimates import Estimate, rarely
from qipai.agents.arena.standings import ArenaResult
from qipai.envs.titles import title

if TYPE_CHECKING:
    from rich.console import Console


def print_result(result: ArenaResult, console: Console | None = None) -> None:
    """Print tables of a result; ``console`` defaults to standard output."""
    from rich.console import Console

    console = console or Console()
    for table in result_tables(result):
        console.print(table)
    for line in result_notes(result):
        console.print(line, markup=False, highlight=False)


def result_tables(result: ArenaResult) -> list[Any]:
    """Rich tables of agents, pairs and seats."""
    agents = _table(
        f"{result.game}-v{result.version}: {result.hands:,} hands",
        ["agent", "coins per hand", "hands", "forfeits", "decisions/s"],
    )
    for one in result.agents:
        speed = "–" if one.decisions_per_second is None else f"{one.decisions_per_second:,.0f}"
        agents.add_row(
            _plain(one.label), _shown(one.coins), f"{one.hands:,}", f"{one.forfeits:,}", speed
        )
    pairs = _table("pairs", ["agents", "difference per hand"])
    for pair in result.pairs:
        pairs.add_row(_plain(f"{pair.first} − {pair.second}"), _shown(pair.difference))
    seats = _table("seats", ["seat", "coins per hand"])
    for seat, mean in enumerate(result.seats):
        seats.add_row(str(seat), _shown(mean))
    return [agents, pairs, seats] if result.pairs else [agents, seats]


def titled(coins: int) -> str:
    """``5,000 副主管 (deputy supervisor)``."""
    rank = title(coins)
    return f"{coins:,} {rank.chinese} ({rank.english})"


def result_notes(result: ArenaResult) -> list[str]:
    """What the tables rest on, in sentences."""
    notes = [
        f"{result.deals:,} deals in {result.seatings:,} seatings, seed {result.seed}, "
        f"{result.seconds:.1f} s; ± is the 95 % interval over deals"
    ]
    if result.different < result.deals:
        notes.append(
            f"only {result.different:,} of the deals differ in play; the others repeat them and "
            "count for nothing in the intervals"
        )
    shown = [
        *(one.coins for one in result.agents),
        *(pair.difference for pair in result.pairs),
        *result.seats,
    ]
    if result.different == 1:
        notes.append("–: no interval is known from one deal")
    elif any(value.margin is None for value in shown):
        notes.append(
            f"–: no interval, as {result.different:,} different deals came out alike; with 95 % "
            f"confidence fewer than {rarely(result.different):.2g} of all would come out otherwise"
        )
    stacks = [f"{one.label} {titled(round(one.stack))}" for one in result.agents]
    notes.append(f"coins at a match's end, on average: {'; '.join(stacks)}")
    if result.seatings < result.possible_seatings:
        notes.append(
            f"a balanced random part of {result.possible_seatings:,} seatings: "
            "every agent equally often in every seat"
        )
    if result.house:
        notes.append(f"the house: {result.house:+,} coins")
    if result.balance:
        notes.append(f"COINS DO NOT ADD UP: {result.balance:+,} with the house's")
    for one in result.agents:
        if one.forfeits:
            notes.append(f"{one.label} forfeited {one.forfeits:,}: {'; '.join(one.reasons)}")
    return notes


def _table(heading: str, columns: Sequence[str]) -> Any:
    from rich.table import Table

    table = Table(title=heading, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _shown(value: Estimate) -> str:
    margin = "–" if value.margin is None else f"{value.margin:,.3f}"
    return f"{value.mean:+,.3f} ± {margin}"
