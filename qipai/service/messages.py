"""The shapes of requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_VIEWS = 64  # in one request
MOST_MS = 10_000  # a deadline
DEFAULT_MS = 1000
LONGEST_NAME = 64

View: TypeAlias = dict[str, Any]


def _view_or_views(written: Any) -> Any:
    """A view, or a list of them; ValueError for anything else."""
    if isinstance(written, dict):
        return written
    if isinstance(written, list) and all(isinstance(view, dict) for view in written):
        if 1 <= len(written) <= MOST_VIEWS:
            return written
        raise ValueError(f"{len(written)} views: expected 1…{MOST_VIEWS}")
    raise ValueError("expected a view, which is an object, or a list of them")


class Question(BaseModel):
    """What to decide: the table as the seat to act sees it, in the form of the game's schema."""

    model_config = ConfigDict(extra="forbid", strict=True)

    view: Annotated[
        View | list[View],
        BeforeValidator(_view_or_views),
        Field(
            description=f"A view as of /v1/games/{{game}}/view.schema.json, or 1…{MOST_VIEWS} of "
            "them, of one game."
        ),
    ]
    agent: Annotated[
        str,
        Field(max_length=LONGEST_NAME, description="Who decides: see `agents` of the game."),
    ] = "rule"
    deadline_ms: Annotated[
        int,
        Field(ge=1, le=MOST_MS, description="After so long the house's action is the answer."),
    ] = DEFAULT_MS


class Answer(BaseModel):
    """A decision."""

    action: Annotated[int, Field(description="Id of the action.")]
    name: Annotated[str, Field(description="Its name, the same in every position.")]
    spoken: Annotated[str, Field(description="As people at the table say it.")]
    move: Annotated[
        list[str],
        Field(
            description="The names of all actions of the move, this one first: several where a "
            "move is composed, as of a body and its kickers. Play them in this order."
        ),
    ]
    took_ms: Annotated[float, Field(description="From the request's body to its answer.")]
    default: Annotated[
        bool, Field(description="The deadline passed: this is the house's action, not the agent's.")
    ]
    chances: Annotated[
        dict[str, float | None] | None,
        Field(description="The chance of each legal action by name; null for agents without."),
    ] = None
    value: Annotated[
        float | None,
        Field(
            description="What the agent expects from here on, in the reward it was trained with; "
            "null for agents that have none."
        ),
    ] = None


class OptionInfo(BaseModel):
    """An option of a game; what does not go with its type is left out."""

    name: str
    type: Annotated[str, Field(description="`integer`, `flag`, `choice` or `row` (of integers)")]
    allowed: Annotated[str, Field(description="what may be given, in words")]
    low: int | None = None
    high: int | None = None
    choices: list[str] | None = None
    length: Annotated[int | None, Field(description="integers in a row")] = None
    per_seat: Annotated[bool, Field(description="one integer for all seats, or one for each")]
    default: Any
    meaning: str
    clause: Annotated[str, Field(description="where the rules say so")]


class ActionRange(BaseModel):
    """Actions of one kind; their ids follow one another."""

    name: str
    first: Annotated[int, Field(description="id of the first of `names`")]
    names: list[str]
    legal_when: str


class AgentInfo(BaseModel):
    """Who can be asked to decide."""

    name: str
    meaning: str


class Summary(BaseModel):
    """A game in short."""

    name: str
    version: Annotated[int, Field(description="changes with the game's behaviour")]
    title: str
    english: str
    summary: str
    min_seats: int
    max_seats: int


class GameInfo(Summary):
    """All about a game."""

    options: list[OptionInfo]
    presets: Annotated[dict[str, dict[str, Any]], Field(description="named sets of options")]
    actions: list[ActionRange]
    agents: list[AgentInfo]


class Health(BaseModel):
    """That the server is there."""

    status: str
    version: str
