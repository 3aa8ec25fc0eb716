"""A person at a table in the terminal, bots in the other seats: what ``qipai play`` does."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from qipai.agents.agent import Agent, decide
from qipai.envs.aec import TableEnv
from qipai.envs.drawing import render
from qipai.envs.game import Game
from qipai.envs.scene import Scene
from qipai.pages import report_text

LONGEST_ANSWER = 200  # characters
MOST_LISTED, ENDS = 100, 6  # legal actions of a kind; of more, the first and last are listed
_GLUE = "\N{NO-BREAK SPACE}"  # keeps a number and its name on one line

HELP = """\
Answer with the name of an action (capital or small letters), with its number
as in #3, or with a whole move where moves take several actions.
  d  play what the house would play for you
  q  leave
  ?  this help
All rules: qipai rules {game}"""


def ask(prompt: str) -> str:
    """A line that the person types, or the start of one that is too long; EOFError at the end."""
    if sys.stdin is not None and sys.stdin.isatty():
        return input(prompt)[:LONGEST_ANSWER]
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(LONGEST_ANSWER) if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line


class PlayTable(TableEnv):
    """A table that keeps the last sight of each hand, which the next deal would cover up."""

    def __init__(self, game: Game, me: str, **arguments: Any) -> None:
        super().__init__(game, **arguments)
        self.me = me
        self.finished: list[Scene] = []

    def hand_report(self) -> dict[str, Any]:
        self.finished.append(self.scene(self.me))
        return super().hand_report()


class Sitting:
    """One match of a person in seat ``seat`` against ``bots`` (seat → agent).

    The person is shown nothing but scenes of the own seat.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        bots: Mapping[int, Agent],
        rules: Mapping[str, Any],
        say: Callable[[str], None] = print,
        ask: Callable[[str], str] = ask,
        ascii: bool = False,
    ) -> None:
        self.game = game
        self.seat = seat
        self.bots = bots
        self.say = say
        self.ask = ask
        self.ascii = ascii
        self.me = f"player_{seat}"
        self.table = PlayTable(game, self.me, **rules)
        self.coins = [0] * self.table.seats
        self.seen: Scene | None = None  # the last sight of this hand

    def warm_up(self) -> None:
        """Use every kernel on a trial table, so that nothing is compiled during the match."""
        trial = TableEnv(self.game, **self.table.rules)
        trial.reset(seed=0)
        agent = trial.agent_selection
        if trial.terminations[agent]:
            return
        for bot in self.bots.values():
            decide(bot, trial)
        trial.scene(agent)
        trial.step(trial.default_action())

    def play(self, seed: int | None) -> None:
        """The whole match; it ends early when the person leaves or the input ends."""
        self.table.reset(seed=seed)
        self.say(f"You are seat {self.seat} of {self.table.seats}. Type ? for help.")
        self._look()
        try:
            while not self._over():
                if self.table.agent_selection == self.me:
                    self._my_turn()
                else:
                    self.table.step(decide(self._bot(), self.table))
                    self._look()
            self.say(f"The match is over: {self._amounts(self.coins)}")
        except EOFError:
            self.table.leave(self.me)
            self._look()
            self.say(f"\nYou left the table: {self._amounts(self.coins)}")

    # --- One decision ------------------------------------------------------------------------

    def _my_turn(self) -> None:
        """Show the table, then play what the person answers, step by step."""
        self._show(self.table.scene(self.me))
        for action in self._answer():
            if not self._mask(self.me)[action]:
                name = self.game.spoken(self.table.view(self.me), action)
                self.say(f"{name} is not legal now")
                return
            self.table.step(action)
            if self._look() or self.table.agent_selection != self.me:
                return

    def _answer(self) -> list[int]:
        legal = [int(a) for a in np.flatnonzero(self._mask(self.me))]
        view = self.table.view(self.me)
        self.say(list_actions(self.game, view, legal))
        while True:
            text = self.ask("your move> ").strip()
            if text == "q":
                raise EOFError
            if text == "d":
                return [self.table.default_action()]
            if text in ("", "?"):
                self.say(HELP.format(game=self.game.name))
                continue
            try:
                return read_answer(self.game, view, legal, text)
            except ValueError as error:
                self.say(f"{error}; ? for help")

    def _look(self) -> bool:
        """Tell what could be seen of the last step; whether a hand has ended in it."""
        for seat, agent in enumerate(self.table.possible_agents):
            self.coins[seat] += self.table.rewards[agent]
        settled = self.table.infos[self.me].get("settled", [])
        for scene, hand in zip(self.table.finished, settled, strict=True):
            self._tell(scene)
            self._show(scene)
            self.say(f"Hand {hand['hand'] + 1} is over: {self._amounts(hand['coins'])}")
            self.say(f"  {report_text(hand)}")
            self.seen = None
        self.table.finished.clear()
        if not self._over():
            self._tell(self.table.scene(self.me))
        return bool(settled)

    # --- Words -------------------------------------------------------------------------------

    def _tell(self, scene: Scene) -> None:
        for line in news(self.seen, scene):
            self.say(f"  {line}")
        self.seen = scene

    def _show(self, scene: Scene) -> None:
        self.say("\n" + render.text(scene, ascii=self.ascii))

    def _amounts(self, coins: Sequence[int]) -> str:
        names = [f"seat {seat}" for seat in range(self.table.seats)]
        names[self.seat] = "you"
        return ", ".join(f"{name} {n:+,}" for name, n in zip(names, coins, strict=True))

    def _bot(self) -> Agent:
        return self.bots[self.table.possible_agents.index(self.table.agent_selection)]

    def _mask(self, agent: str) -> np.ndarray:
        mask: np.ndarray = self.table.observe(agent)["action_mask"]
        return mask

    def _over(self) -> bool:
        return self.table.terminations[self.me] or self.table.truncations[self.me]


def read_answer(game: Game, view: np.void, legal: Sequence[int], text: str) -> list[int]:
    """The action ids that a person's answer stands for, the first of them legal; ValueError."""
    names = {game.spoken(view, action).lower(): action for action in legal}
    if text.lower() in names:
        return [names[text.lower()]]
    number = text.removeprefix("#")
    if number.isdecimal() and (number != text or not _numeric_names(game)):
        if not 1 <= int(number) <= len(legal):
            raise ValueError(f"there is no number {number}; numbers are 1…{len(legal)}")
        return [legal[int(number) - 1]]
    actions = game.parse_move(view, text)
    if actions[0] not in legal:
        raise ValueError(f"{text} is not legal now")
    return actions


def list_actions(game: Game, view: np.void, legal: Sequence[int]) -> str:
    """The legal actions with their numbers, a line for each kind; of very many, the ends."""
    lines = []
    for group in game.actions.ranges:
        members = [
            f"#{place}{_GLUE}{game.spoken(view, action)}"
            for place, action in enumerate(legal, start=1)
            if group.start <= action < group.start + len(group.names)
        ]
        if len(members) > MOST_LISTED:
            members[ENDS:-ENDS] = ["..."]
        if members:
            text = f"{group.name}: " + " ".join(members)
            lines += textwrap.wrap(
                text,
                render.WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
                break_on_hyphens=False,
            )
    return "\n".join(lines).replace(_GLUE, " ")


def news(before: Scene | None, now: Scene) -> list[str]:
    """What happened since ``before``, a scene of the same hand, or since the deal.

    The new moves, or if there are none, what seats say now.
    """
    if before is None:
        return list(now.moves)
    fresh = _appended(before.moves, now.moves)
    return fresh or [
        f"{place.seat}: {place.note}"
        for old, place in zip(before.places, now.places, strict=True)
        if place.note and place.note != old.note
    ]


def _appended(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The end of ``now`` that ``before``, whose beginning may have been forgotten, lacks."""
    for kept in range(min(len(before), len(now)), 0, -1):
        if tuple(before[-kept:]) == tuple(now[:kept]):
            return list(now[kept:])
    return list(now)


def _numeric_names(game: Game) -> bool:
    return any(name.isdecimal() for name in game.actions.names)
