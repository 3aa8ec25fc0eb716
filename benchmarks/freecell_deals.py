"""The FreeCell solver on numbered deals: how many it solves, how fast, and in how many actions.

    python benchmarks/freecell_deals.py                      # deals 1–1000
    python benchmarks/freecell_deals.py 1 32000 --positions 200000

Times are those of the processor on one thread, without the first call, which compiles.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.rule.freecell import POSITIONS, Solution, Solver
from qipai.envs import make_tables


def solve_deal(solver: Solver, deal: int) -> tuple[Solution, float]:
    """What was found, and the seconds it took."""
    table = make_tables("freecell", 1, seed=0, deal=deal).state[0]
    started = time.process_time()
    found = solver.solve(table)
    return found, time.process_time() - started


def row(name: str, values: list[float], form: str) -> str:
    """A line of the table: median, 95 % and the largest."""
    median, most = np.quantile(values, (0.5, 0.95))
    return f"{name:20}" + "".join(f"{v:>12{form}}" for v in (median, most, max(values)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("first", type=int, nargs="?", default=1, help="first deal (default 1)")
    parser.add_argument("last", type=int, nargs="?", default=1000, help="last deal (default 1000)")
    parser.add_argument(
        "--positions", type=int, default=POSITIONS, help=f"kept in a search (default {POSITIONS})"
    )
    arguments = parser.parse_args()
    solver = Solver(Budget(count=arguments.positions))
    solve_deal(solver, 1)
    deals = range(arguments.first, arguments.last + 1)
    results = [solve_deal(solver, deal) for deal in deals]
    found = [solution for solution, _ in results]
    verdicts = [solution.verdict for solution in found]
    print(f"deals {deals[0]}–{deals[-1]}, load average {os.getloadavg()[0]:.1f}")
    for verdict in ("solved", "unsolvable", "unknown"):
        those = [deal for deal, v in zip(deals, verdicts, strict=True) if v == verdict]
        named = "" if verdict == "solved" else ", ".join(map(str, those[:10]))
        print(f"{verdict:12}{len(those):7}  {len(those) / len(deals):7.2%}  {named}".rstrip())
    print(f"{'':20}{'median':>12}{'95 %':>12}{'most':>12}")
    print(row("milliseconds", [1000 * seconds for _, seconds in results], ".2f"))
    print(row("positions", [float(s.positions) for s in found], ",.0f"))
    lengths = [float(len(s.actions)) for s in found if s.verdict == "solved"]
    if lengths:
        print(row("actions", lengths, ".0f"))


if __name__ == "__main__":
    main()
