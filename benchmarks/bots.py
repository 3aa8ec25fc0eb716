"""How strong the bots are: ``rule`` and ``search`` in every game, on duplicate deals.

    python benchmarks/bots.py --write     # docs/bots.md
    python benchmarks/bots.py xiangqi     # some games, on the terminal

Each pair plays for about ``--seconds``; a pilot of a few deals tells how many hands that makes.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from qipai.agents.arena import ArenaResult, Estimate, play_arena
from qipai.agents.search import PLAY_OUTS
from qipai.envs import games, load_game

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
PAIRS = (("rule", "random"), ("search", "rule"), ("search", "random"))
MOST = 20_000  # hands of a pair, however quick they are

# Play-outs of games in which they are slow, so that there are hands enough.
FEWER = {"tuidaohu": "search:40", "hk_five_card": "search:100"}

# What has to be said about a game's bots beside the numbers.
NOTES = {
    "doudizhu": "Play-outs take all seats for rule bots and all unseen cards for equally likely, "
    "whatever has been bid and played.",
    "xiangqi": "Nothing is hidden: `search` is the rule bot's alpha-beta with ten times the nodes.",
    "freecell": "Nothing is hidden: `search` is the rule bot, a solver that leaves hardly a deal "
    "unsolved. There is nothing to win from it.",
    "tuolaji": "`search` does not beat `rule`. It deals the others' cards evenly although they "
    "have looked, called and raised, and so takes its own hand for better than it is; `rule` "
    "believes bets.",
    "blackjack": "The rule bot's choices as a player are near the best there is against a banker "
    "on house play, and play-outs assume the same banker: there is next to nothing left to find.",
    "tuidaohu": "A hand has some 70 decisions to play out, so `search` gets few play-outs, and "
    "nobody wins on discards, so there is little to read: no difference was found.",
    "hk_five_card": "Play-outs by a bot that samples are slow: too few hands for a verdict.",
    "new_san_gong": "Too few hands for a verdict; the others' cards are dealt evenly, as in "
    "`tuolaji`, but two of three lie open.",
    "sanzhang": "`search` **loses** to `rule`, for the reason given at `tuolaji`: raises add up "
    "without a limit here, so every bet against a hand that was looked at costs more.",
}


def measure(name: str, first: str, second: str, seconds: float) -> ArenaResult:
    """A result of about so many seconds."""
    game = load_game(name)
    pilot = play_arena(game, [first, second], 1, seed=1, time_limit=60)
    pilot = play_arena(game, [first, second], max(1, pilot.hands), seed=2, time_limit=60)
    hands = int(pilot.hands * seconds / pilot.seconds)
    return play_arena(game, [first, second], max(4, min(hands, MOST)), seed=3, time_limit=60)


def shown(result: ArenaResult) -> str:
    """The first agent's coins per hand; of one seat, how much more than the second's."""
    alone = len(result.seats) == 1
    coins: Estimate = result.pairs[0].difference if alone else result.agents[0].coins
    if coins.margin is None:
        return f"{coins.mean:+.3g}, one deal"
    return f"{coins.mean:+.3g} ± {coins.margin:.2g}"


def row(name: str, seconds: float) -> list[str]:
    cells, speeds = [], {}
    searching = FEWER.get(name, "search")
    for pair in PAIRS:
        first, second = (searching if agent == "search" else agent for agent in pair)
        result = measure(name, first, second, seconds)
        print(f"{name}: {first} against {second}: {shown(result)}", file=sys.stderr)
        cells.append(f"{shown(result)} ({result.hands:,})")
        for kind, one in zip(pair, result.agents, strict=True):
            speeds[kind] = one.decisions_per_second or 0.0
    note = "" if searching == "search" else f", `{searching}`"
    return [f"`{name}`{note}", *cells, f"{speeds['rule']:,.0f}", f"{speeds['search']:,.0f}"]


def page(names: Sequence[str], seconds: float) -> str:
    head = [
        "game",
        *(f"`{first}` against `{second}`" for first, second in PAIRS),
        "`rule` decisions/s",
        "`search` decisions/s",
    ]
    lines = [
        "# How strong the bots are",
        "",
        "Written by `python benchmarks/bots.py --write`; not by hand. Coins per hand of the first "
        "of two agents at the default options, with 95 % intervals over duplicate deals and the "
        "number of hands; in `freecell`, with its one seat, how much more it wins than the second "
        f"on equal deals. Each pair played for about {seconds:g} seconds, `search` at its default "
        f"of {PLAY_OUTS} play-outs a decision unless another number stands there.",
        "",
        f"| {' | '.join(head)} |",
        "|---|" + "--:|" * (len(head) - 1),
        *(f"| {' | '.join(row(name, seconds))} |" for name in names),
        "",
        *(f"- `{name}`: {NOTES[name]}" for name in names if name in NOTES),
        "",
        f"Measured on {os.cpu_count()} processors, {platform.system()}, Python "
        f"{platform.python_version()}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each pair (default 60)")
    arguments = parser.parse_args()
    text = page(arguments.games or games(), arguments.seconds)
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
