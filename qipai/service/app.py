"""The API: what can be asked, and in what order a question is looked at."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Response, Security
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST

from qipai import __version__
from qipai.envs import games, load_game
from qipai.envs.game import Game
from qipai.envs.schema import view_schema
from qipai.service import catalogue, questions
from qipai.service.decisions import BusyError, Decider, Decision, Desk
from qipai.service.examples import ANSWER, QUESTION
from qipai.service.gate import Gate
from qipai.service.keys import Keys
from qipai.service.messages import Answer, GameInfo, Health, Question, Summary
from qipai.service.metrics import Metrics
from qipai.service.problems import Problem, responses, tell_problems
from qipai.service.questions import Questions
from qipai.service.roster import Model, Roster

ABOUT = """Decisions of qipai's bots, for servers of their own.

A table is sent as one seat sees it; the answer is what the agent does there. Nothing is kept
between requests. The first request for a game compiles its rules, which takes up to a minute, once
for each machine and version."""

JSON = "application/json"
GameName = Annotated[str, Path(examples=["five_card_stud"], description="a game's name")]


class SchemaResponse(JSONResponse):
    media_type = "application/schema+json"


def make_app(keys: Sequence[str] = (), models: Mapping[str, Model] | None = None) -> FastAPI:
    """The ASGI application.

    Args:
        keys: one of which every request to /v1 has to show; without any, none is asked for.
        models: trained models by the names that requests may give.
    """
    roster, metrics = Roster(models or {}), Metrics()
    desk = Desk(roster)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(
        title="qipai",
        version=__version__,
        description=ABOUT,
        redoc_url=None,
        lifespan=lifespan,
    )
    tell_problems(app)
    app.add_middleware(Gate, keys=Keys(keys), metrics=metrics)
    app.include_router(_decisions(desk, metrics))
    app.include_router(_games(roster))
    app.include_router(_operation(metrics))
    return app


def _kept_router(tag: str) -> APIRouter:
    """Routes below /v1. The key is looked at by the gate; here it is only told of."""
    told = Security(HTTPBearer(auto_error=False, description="a key of `qipai serve --key`"))
    return APIRouter(
        prefix="/v1",
        tags=[tag],
        dependencies=[told],
        responses=responses(_401="this server asks for a key: Authorization: Bearer KEY"),
    )


# --- Decisions -------------------------------------------------------------------------------


def _decisions(desk: Desk, metrics: Metrics) -> APIRouter:
    router = _kept_router("decisions")
    several = {**QUESTION, "view": [QUESTION["view"]] * 2}
    asked = _content(JSON, **{"one view": QUESTION, "several views": several})

    @router.post(
        "/act",
        summary="What an agent does",
        response_model=Answer | list[Answer],
        response_description="An answer, or for a list of views a list of them.",
        responses={
            200: _content(JSON, **{"one view": ANSWER, "several views": [ANSWER, ANSWER]}),
            **responses(
                _400="There was an error parsing the body",
                _413="a body has at most 1,048,576 bytes",
                _422="dealt is 40: expected 0…28 (cards dealt so far)",
                _503="4,096 decisions are waiting: ask again later",
            ),
        },
        openapi_extra={"requestBody": asked},
    )
    async def act(question: Question) -> Response:
        """The agent's action for the seat to act in a view. Once the deadline has passed it is the
        house's action, with `default` set: an agent that is late is never an error."""
        began = time.perf_counter()
        single = isinstance(question.view, dict)
        messages = [question.view] if isinstance(question.view, dict) else question.view
        try:
            with desk.room(len(messages)):
                decider, asked = await _understood(desk, question.agent, messages)
                left = question.deadline_ms / 1000 - (time.perf_counter() - began)
                decisions = await desk.decide(decider, asked, max(0.0, left))
        except BusyError as error:
            retry = {"Retry-After": "1"}
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), retry) from None
        seconds = time.perf_counter() - began
        labels = asked.game.name, desk.roster.kind(question.agent)
        metrics.latency.labels(*labels).observe(seconds)
        metrics.decisions.labels(*labels).inc(len(decisions))
        metrics.defaults.labels(*labels).inc(sum(one.by_house for one in decisions))
        answers = [
            _answer(asked, place, decision, seconds) for place, decision in enumerate(decisions)
        ]
        return JSONResponse(answers[0] if single else answers)

    return router


async def _understood(
    desk: Desk, agent: str, messages: Sequence[dict[str, Any]]
) -> tuple[Decider, Questions]:
    """Who is asked, and what; Problem if there is no such agent or a view can't be."""
    try:
        game = questions.game_of(messages)
        decider = await desk.decider(game, agent)
        await desk.warm_up(game)
        return decider, await questions.read(game, messages)
    except ValueError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None


def _answer(asked: Questions, place: int, decision: Decision, seconds: float) -> dict[str, Any]:
    game, action = asked.game, decision.move[0]
    return {
        "action": action,
        "name": game.action_name(action),
        "spoken": game.spoken(asked.views[place], action),
        "move": [game.action_name(step) for step in decision.move],
        "took_ms": round(seconds * 1000, 3),
        "default": decision.by_house,
        "chances": _by_name(game, asked.masks[place], decision.chances),
        "value": None if decision.value is None else _finite(decision.value),
    }


def _by_name(game: Game, mask: Any, chances: Any) -> dict[str, float | None] | None:
    if chances is None:
        return None
    legal = mask.nonzero()[0].tolist()
    return {game.action_name(action): _finite(float(chances[action])) for action in legal}


def _finite(number: float) -> float | None:
    """The number, where JSON has it."""
    return number if math.isfinite(number) else None


def _content(media: str, schema: Any = None, **examples: Any) -> dict[str, Any]:
    """What a body is documented by: examples by their names, and a schema where no model is."""
    told = {"examples": {name: {"value": value} for name, value in examples.items()}}
    return {"content": {media: told if schema is None else {"schema": schema, **told}}}


# --- Games -----------------------------------------------------------------------------------


def _games(roster: Roster) -> APIRouter:
    router = _kept_router("games")
    stud = load_game("five_card_stud")
    unknown = responses(_404="there is no game 'chess'; games: doudizhu, five_card_stud, …")

    def find(name: str) -> Game:
        try:
            return load_game(name)
        except ValueError as error:
            raise Problem(HTTPStatus.NOT_FOUND, str(error)) from None

    @router.get(
        "/games",
        summary="All games",
        responses={200: _content(JSON, stud=[catalogue.summary(stud).model_dump()])},
    )
    def list_games() -> list[Summary]:
        """The games in short."""
        return [catalogue.summary(load_game(name)) for name in games()]

    @router.get(
        "/games/{game}",
        summary="A game",
        response_model_exclude_none=True,
        responses={
            200: _content(JSON, stud=catalogue.details(stud, roster).model_dump()),
            **unknown,
        },
    )
    def show_game(game: GameName) -> GameInfo:
        """Its options, its actions, and the agents that play it here."""
        return catalogue.details(find(game), roster)

    @router.get(
        "/games/{game}/view.schema.json",
        summary="The schema of its views",
        response_class=SchemaResponse,
        responses={
            200: _content(SchemaResponse.media_type, {"type": "object"}, stud=view_schema(stud)),
            **unknown,
        },
    )
    def show_schema(game: GameName) -> Response:
        """JSON Schema (2020-12) of a view of the game."""
        return SchemaResponse(view_schema(find(game)))

    return router


# --- Operation -------------------------------------------------------------------------------


def _operation(metrics: Metrics) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get(
        "/healthz",
        summary="Whether the server is there",
        responses={200: _content(JSON, fine={"status": "ok", "version": __version__})},
    )
    async def health() -> Health:
        """Answers as long as requests are answered at all."""
        return Health(status="ok", version=__version__)

    @router.get(
        "/metrics",
        summary="Figures for Prometheus",
        response_class=Response,
        responses={
            200: _content("text/plain", {"type": "string"}, fresh=Metrics().text().decode())
        },
    )
    async def show_metrics() -> Response:
        """Decisions, their latency, defaults and errors."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return router
