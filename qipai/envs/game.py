"""``Game``: what one game must supply to the engine. Its docstring is the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.fields import Fields
from qipai.envs.layout import HIDDEN, Actions, Observation
from qipai.envs.options import Options

if TYPE_CHECKING:
    from qipai.envs.scene import Scene

Kernel = Callable[..., Any]


def _one_step(view: np.void, text: str) -> list[str]:
    return [text]


@dataclass(frozen=True, eq=False)
class Game:
    """One game: data, kernels and words.

    **Kernels** are functions under ``@kernel`` on one table record ``s``. They allocate, raise and
    print nothing, and call no randomness but ``s.rng``.

    - ``deal(s)`` starts a hand from ``s.rng``; the fields that are ``kept`` (``stack``, ``away``,
      banker, streak) are as the last hand left them, all others have their start.
    - ``legal(s, mask)`` sets ``mask[a] = 1`` for the legal actions of seat ``s.turn``; the mask
      comes zeroed. A table in play always has one.
    - ``apply(s, action)`` plays a legal action and all that needs no decision. At a hand's end it
      sets ``coins`` and ``house`` (their sum is 0), calls ``close_hand(s)`` and, if the match
      cannot go on, sets ``s.over``; the next ``deal`` is the engine's business. Payments before
      the end of a hand are set in ``coins`` too and added to ``stack`` by the game.
    - ``conceal(s, seat)`` overwrites in place what ``seat`` can't see with ``HIDDEN``, the random
      state with ``conceal_rng``, and takes back the steps another seat has composed of its move, as
      if that had not begun. ``turn`` stays readable for the seat to act.
    - ``redeal(s, seat)`` fills every ``HIDDEN`` of a view again, uniformly over what ``seat`` can't
      tell apart, drawing from ``s.rng``, which the caller has seeded.
    - ``observe(v, seat, o, known)`` encodes a view (or a full state) for ``seat``, own seat first:
      ``o`` is the record of the observation's ranges, which comes zeroed, ``known`` the one that
      says which entries the seat knows, which comes as all 1.
    - ``default(s)`` returns the action the house plays for a seat that does not answer.
    - ``leave(s, seat)`` applies the game's rule for leaving; ``s.away[seat]`` is set already.
    - ``laid`` (optional): the field that cards are dealt from, and the kernel that deals a hand
      from what lies there and from the fields that are kept.
    - ``restart(s, later)`` (optional) brings ``s`` to the first decision of the hand that went on
      to the table ``later``, with the same cards; ``s`` comes as before the deal. It says whether
      ``recall(s, later)`` can tell the way back: what the seat to act in ``s`` did next, or
      ``NONE`` if nothing more was done.

    **Words** are plain Python on one record.

    - ``unit(s)``: coins that count as 1 in the observations of a table on which a hand has been
      dealt; those of each, for an array of tables.
    - ``max_plies(rules)``: most decisions in a match, from the resolved options.
    - ``census(s)``: how often each card or tile is anywhere on the table; the same at all times.
    - ``contradiction(s)``: what can't be in a table or view whose fields are in their ranges, in a
      sentence that begins with a field's name; None if nothing. Where it finds none, every kernel
      ends, and touches nothing but its arrays, whatever somebody has written into the record.
    - ``report(s)``: at a hand's end, what was settled and why, as JSON-ready values.
    - ``show(v, seat)``: the places, zones, facts and moves of a ``Scene`` of a view; seat None: of
      a full state.
    - ``move(v, text)``: the action names of a whole move written as text.
    - ``say(v, action)``: a legal action's name as people at the table say it, where that is not the
      action's name; ``move`` reads it back.
    - ``check(rules)``: raises ``OptionError`` for options that do not go together.
    """

    name: str
    title: str  # 中文名
    english: str  # what it is called beside that
    summary: str  # one sentence
    version: int
    source: str  # where the rules come from
    document: str  # the module's docstring: the rules by clause
    unit: Callable[[np.void | np.ndarray], Any]

    rules: Options
    actions: Actions
    fields: Fields
    observation: Observation

    deal: Kernel
    legal: Kernel
    apply: Kernel
    conceal: Kernel
    redeal: Kernel
    observe: Kernel
    default: Kernel
    leave: Kernel

    max_plies: Callable[[Mapping[str, Any]], int]
    census: Callable[[np.void], tuple[int, ...]]
    contradiction: Callable[[np.void], str | None]
    report: Callable[[np.void], dict[str, Any]]
    show: Callable[[np.void, int | None], Scene]

    laid: tuple[str, Kernel] | None = None
    restart: Kernel | None = None
    recall: Kernel | None = None
    move: Callable[[np.void, str], list[str]] = _one_step
    say: Callable[[np.void, int], str] | None = None
    check: Callable[[Mapping[str, Any]], None] = lambda rules: None
    unreachable: frozenset[int] = frozenset()  # action ids no table can ever offer
    checked_by: tuple[str, ...] = ()  # outside truths the tests pin, for the page
    limitations: tuple[str, ...] = ()
    history: tuple[str, ...] = ()  # one line a version

    @property
    def id(self) -> str:
        return f"qipai/{self.name}-v{self.version}"

    @property
    def state(self) -> np.dtype:
        """The dtype of a table."""
        return self.fields.dtype

    @property
    def min_seats(self) -> int:
        return self.rules["seats"].low

    @property
    def max_seats(self) -> int:
        return self.rules["seats"].high

    def options(self, preset: str | None = None, /, **given: Any) -> dict[str, Any]:
        """Resolved and checked option values; OptionError lists what is allowed."""
        rules = self.rules.resolve(self.name, given, preset)
        self.check(rules)
        return rules

    def blank(self, rules: Mapping[str, Any]) -> np.ndarray:
        """An array of one unplayed table with these resolved rules."""
        table = self.fields.blank()
        self.rules.write(rules, table["rules"][0])
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        from qipai.envs import load_game

        return load_game, (self.name,)

    def split(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """An observation ``(…, width)`` as named, shaped views."""
        return self.observation.split(observation)

    def scene(self, view: np.void, seat: int | None) -> Scene:
        """What there is to look at in a view; seat None: in a full table, with nothing hidden."""
        turn = None if view["ended"] or view["turn"] == HIDDEN else int(view["turn"])
        shown = self.show(view, seat)
        return replace(
            shown,
            title=f"{self.title} {self.english}",
            seat=seat,
            turn=turn,
            over=bool(view["over"]),
            facts=(f"hand {view['hand'] + 1} of {view['rules']['hands']}", *shown.facts),
        )

    def action_name(self, action: int) -> str:
        return self.actions.name(action)

    def spoken(self, view: np.void, action: int) -> str:
        """A legal action as people at the table say it; ``parse_move`` reads it back."""
        return self.say(view, action) if self.say is not None else self.action_name(action)

    def parse(self, name: str) -> int:
        return self.actions.parse(name)

    def parse_move(self, view: np.void, text: str) -> list[int]:
        """The action ids of a whole move, e.g. ``333444+5+7``; ValueError if it cannot be read."""
        return [self.actions.parse(step) for step in self.move(view, text)]
