"""How strong the bots are: ``rule`` and ``search`` in every game, on duplicate deals.

    python benchmarks/bots.py --write             # docs/bots.md
    python benchmarks/bots.py --write xiangqi     # the rows of some games anew, the others stay
    python benchmarks/bots.py xiangqi             # on the terminal

A pair plays for its share of ``--seconds``; a pilot of a few deals tells how many hands that makes.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

from qipai.agents.arena import ArenaResult, Estimate, play_arena
from qipai.agents.search import PLAY_OUTS
from qipai.envs import games, load_game

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
# Two agents and their share of the time: who is better is the harder to see the closer they are.
PAIRS = ((("rule", "random"), 0.2), (("search", "rule"), 1.0), (("search", "random"), 0.3))
MOST = 20_000  # hands of a pair, however quick they are

# Play-outs of games in which they are slow, so that there are hands enough.
FEWER = {
    "tuidaohu": "search:150",
    "hk_five_card": "search:200",
    "thirteen": "search:50",
    "gongzhu": "search:20",
    "zui_mahjong": "search:100",
}

# What has to be said about a game's bots beside the numbers.
NOTES = {
    "doudizhu": "Play-outs take all seats for rule bots and all unseen cards for equally likely, "
    "whatever has been bid and played: a hand can't be played again from its table.",
    "xiangqi": "Nothing is hidden: `search` is the rule bot's alpha-beta with ten times the nodes.",
    "freecell": "Nothing is hidden: `search` is the rule bot, a solver that leaves hardly a deal "
    "unsolved. There is nothing to win from it.",
    "blackjack": "The rule bot's choices as a player are near the best there is against a banker "
    "on house play, and play-outs assume the same banker: there is next to nothing left to find.",
    "tuidaohu": "A hand has some 70 decisions to play out, so `search` gets few play-outs for up "
    "to 14 discards, and nobody wins on discards, so there is little to read in them.",
    "hk_five_card": "No difference beyond the noise: longer runs gave +4.8 ± 7.0 (`search:200`, "
    "1,500 hands) and +2.7 ± 5.6 (`search:400`, 2,010). All-ins make coins swing widely and the "
    "rule bot samples its chances, so few actions come out better beyond three standard errors.",
    "new_san_gong": "The house keeps its rake.",
    "baccarat": "No bet from a full shoe is worth anything, and the cards seen of one hand do not "
    "change that: both bots bet nothing. What counting wins over whole shoes is measured by "
    "benchmarks/baccarat_means.py.",
    "roulette": "Every spot loses 1/37 of its stake: both bots bet nothing, and there is nothing "
    "to win from that.",
    "san_gong": "Before rake every bet against a bank that can pay is fair; what differs is rake "
    "and luck, which is large.",
    "san_da_yi": "As in doudizhu play-outs take all unseen cards for equally likely, but for ranks "
    "that jokers prove a seat to lack.",
    "big_two": "Redealt hands are weighed by what the others played and passed.",
    "gongzhu": "The rule bot itself tries its cards on twelve redealt deals and solves the last "
    "three tricks, so play-outs with it are slow and few.",
    "zui_mahjong": "Redealt ready seats wait for exactly one kind; whether others passed on a tile "
    "tells nothing.",
    "sanzhang": "Every seat pays the house 100 coins a hand, which is why both of two agents can "
    "lose.",
}

# What the intervals and the comparison rest on.
MEANING = (
    "Deals that were played in the very same way count once in an interval; where all came out "
    "alike, none is known, and – stands for it. Every seat of every seating has an agent of its "
    "own: none meets a deal twice or shares its memory with another seat, be it at the same table. "
    "Agents that share what they know on purpose (in a variable of their class or module, a file, "
    "a factory that hands out one object again and again) are not kept from it."
)


def measure(name: str, first: str, second: str, seconds: float) -> ArenaResult:
    """A result of about so many seconds."""
    game = load_game(name)
    pilot = play_arena(game, [first, second], 1, seed=1, time_limit=60)
    pilot = play_arena(game, [first, second], max(1, pilot.hands), seed=2, time_limit=60)
    hands = int(pilot.hands * seconds / pilot.seconds)
    return play_arena(game, [first, second], max(4, min(hands, MOST)), seed=3, time_limit=60)


def shown(result: ArenaResult) -> str:
    """The first agent's coins per hand, and by how many it is ahead of the second."""
    coins, ahead = result.agents[0].coins, result.pairs[0].difference
    return f"{shortly(coins)}; ahead by {shortly(ahead)}"


def shortly(coins: Estimate) -> str:
    margin = "–" if coins.margin is None else f"{coins.margin:.2g}"
    mean = round(coins.mean, 9) + 0.0  # sums of coins that cancel, but for the last bits
    return f"{mean:+.3g} ± {margin}"


def row(name: str, seconds: float) -> list[str]:
    cells, speeds = [], {}
    searching = FEWER.get(name, "search")
    for pair, part in PAIRS:
        first, second = (searching if agent == "search" else agent for agent in pair)
        result = measure(name, first, second, part * seconds)
        print(f"{name}: {first} against {second}: {shown(result)}", file=sys.stderr)
        cells.append(f"{shown(result)} ({result.hands:,})")
        for kind, one in zip(pair, result.agents, strict=True):
            speeds[kind] = one.decisions_per_second or 0.0
    note = "" if searching == "search" else f", `{searching}`"
    return [f"`{name}`{note}", *cells, f"{speeds['rule']:,.0f}", f"{speeds['search']:,.0f}"]


def rows_of(text: str) -> dict[str, str]:
    """The rows of the page as it stands, by game."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return {line.split("`")[1]: line for line in lines if line.split("`")[1] in games()}


def page(rows: dict[str, str], seconds: float) -> str:
    head = [
        "game",
        *(f"`{first}` against `{second}`" for (first, second), _ in PAIRS),
        "`rule` decisions/s",
        "`search` decisions/s",
    ]
    lines = [
        "# How strong the bots are",
        "",
        "Written by `python benchmarks/bots.py --write`; not by hand. Coins per hand of the first "
        "of two agents at the default options, and by how many coins it is ahead of the second, "
        "with 95 % intervals over duplicate deals and the number of hands. `search` against `rule` "
        f"played for about {seconds:g} seconds, with {PLAY_OUTS} play-outs a decision unless "
        "another number stands there.",
        "",
        *(MEANING, ""),
        f"| {' | '.join(head)} |",
        "|---|" + "--:|" * (len(head) - 1),
        *rows.values(),
        "",
        *(f"- `{name}`: {NOTES[name]}" for name in rows if name in NOTES),
        "",
        f"Measured on {os.cpu_count()} processors, {platform.system()}, Python "
        f"{platform.python_version()}. Decisions per second are by the clock on the wall: a busy "
        "machine makes them fewer.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="for `search` against `rule` (default 60)"
    )
    arguments = parser.parse_args()
    rows = rows_of(PAGE.read_text(encoding="utf-8")) if arguments.write else {}
    for name in arguments.games or games():
        rows[name] = f"| {' | '.join(row(name, arguments.seconds))} |"
    text = page({name: rows[name] for name in games() if name in rows}, arguments.seconds)
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
