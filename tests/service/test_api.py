"""The API around decisions: games, keys, problems, figures, its description and its log."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from qipai.envs import games, load_game
from qipai.envs.schema import view_schema
from qipai.service.app import make_app
from qipai.service.examples import QUESTION
from qipai.service.keys import Keys
from qipai.service.logs import LOGGER, JsonLines
from qipai.service.problems import MEDIA_TYPE
from qipai.service.roster import Model, Roster, read_models

KEY = "a-key-that-is-secret"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(), raise_server_exceptions=False) as found:
        yield found


# --- Games -----------------------------------------------------------------------------------


def test_all_games_are_listed(client: TestClient) -> None:
    listed = client.get("/v1/games").json()
    assert [game["name"] for game in listed] == [*games()]
    assert listed[0]["title"] == "鬥地主" and listed[0]["min_seats"] == 3


def test_a_game_tells_its_options_actions_and_agents(name: str, client: TestClient) -> None:
    game, told = load_game(name), client.get(f"/v1/games/{name}").json()
    for option, info in zip(game.rules, told["options"], strict=True):
        assert (info["name"], info["clause"]) == (option.name, option.clause)
        default = info["default"]
        given = tuple(default) if isinstance(default, list) else default
        assert option.check(given, name) == option.check(option.default, name)
        assert (info["type"] == "flag") == option.flag
        assert info.get("choices", []) == [*option.choices]
    assert told["presets"].keys() == game.rules.presets.keys()
    names = [name for kind in told["actions"] for name in kind["names"]]
    assert names == game.actions.names
    assert [kind["first"] for kind in told["actions"]] == [r.start for r in game.actions.ranges]
    roster = Roster({})
    for agent in told["agents"]:
        roster.load(game, agent["name"].replace("BUDGET", "100"))


def test_the_schema_of_a_game_is_served(name: str, client: TestClient) -> None:
    answer = client.get(f"/v1/games/{name}/view.schema.json")
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.json() == json.loads(json.dumps(view_schema(load_game(name))))


def test_a_game_there_is_not_is_not_found(client: TestClient) -> None:
    for path in ("/v1/games/chess", "/v1/games/chess/view.schema.json"):
        answer = client.get(path)
        assert answer.status_code == 404 and answer.headers["content-type"] == MEDIA_TYPE
        assert "there is no game 'chess'; games: doudizhu" in answer.json()["detail"]


# --- Problems, health, figures ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/v1/nowhere", 404),
        ("GET", "/v1/act", 405),
        ("DELETE", "/v1/games", 405),
        ("OPTIONS", "/v1/act", 405),
        ("POST", "/healthz", 405),
    ],
)
def test_errors_are_problem_details(
    client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status and answer.headers["content-type"] == MEDIA_TYPE
    title = HTTPStatus(status).phrase
    assert answer.json() == {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": title,
    }
    assert (status != 405) or "allow" in answer.headers


def test_it_says_that_it_is_there(client: TestClient) -> None:
    assert client.get("/healthz").json()["status"] == "ok"


def test_figures_count_decisions_and_errors() -> None:
    with TestClient(make_app()) as client:
        client.post("/v1/act", json={**QUESTION, "view": [QUESTION["view"]] * 3})
        client.post("/v1/act", json={**QUESTION, "agent": "search:9", "deadline_ms": 9999})
        client.get("/nowhere")
        text = client.get("/metrics").text
    stud = '{agent="rule",game="five_card_stud"}'
    assert f"qipai_decisions_total{stud} 3.0" in text
    assert f"qipai_request_seconds_count{stud} 1.0" in text
    assert 'qipai_decisions_total{agent="search",game="five_card_stud"} 1.0' in text
    assert 'qipai_errors_total{status="404"} 1.0' in text


# --- Keys ------------------------------------------------------------------------------------


def test_with_keys_v1_is_open_to_who_shows_one() -> None:
    with TestClient(make_app(["another", KEY])) as client:
        for header in (f"Bearer {KEY}", f"bearer  {KEY} ", "Bearer another"):
            shown = {"authorization": header}
            assert client.get("/v1/games", headers=shown).status_code == 200
        for header in ("", KEY, f"Basic {KEY}", "Bearer", f"Bearer {KEY}x", "Bearer \xff"):
            shown = {"authorization": header.encode("latin-1")}  # type: ignore[dict-item]
            answer = client.post("/v1/act", headers=shown, content=b"anything")
            assert answer.status_code == 401 and answer.headers["content-type"] == MEDIA_TYPE
            assert answer.headers["www-authenticate"] == "Bearer"
        for path in ("/healthz", "/metrics", "/openapi.json", "/docs"):
            assert client.get(path).status_code == 200


def test_only_hashes_of_keys_are_kept() -> None:
    assert KEY not in repr(vars(Keys([KEY])))


@pytest.mark.parametrize("key", ["", " a", "a\n", "schlüssel"])
def test_keys_that_no_header_can_hold_are_refused(key: str) -> None:
    with pytest.raises(ValueError, match="a key is made of ASCII"):
        make_app([key])


# --- Models ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rule", "model", "a:b", "", "a b", "x" * 41])
def test_models_need_a_name_of_their_own(name: str) -> None:
    with pytest.raises(ValueError, match="can't name a model"):
        read_models({name: Path("model.npz")})


def test_a_model_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no model nowhere"):
        read_models({"mine": Path("nowhere")})


def test_a_model_is_offered_for_its_game_only() -> None:
    stud, blackjack = load_game("five_card_stud"), load_game("blackjack")
    roster = Roster({"mine": Model(stud, Path("model.npz"))})
    assert "mine" in roster.names(stud) and "mine" not in roster.names(blackjack)


# --- The description -------------------------------------------------------------------------


def test_every_operation_is_described_with_examples(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    count = 0
    for path, operations in described["paths"].items():
        for operation in operations.values():
            count += 1
            assert operation["summary"] and operation["description"]
            bodies = [*operation["responses"].values()]
            if "requestBody" in operation:
                bodies.append(operation["requestBody"])
            for body in bodies:
                for content in body["content"].values():
                    assert content["schema"]
                    assert content["examples"], path
            for parameter in operation.get("parameters", ()):
                assert parameter["description"] and parameter["schema"]["examples"]
            if path.startswith("/v1"):
                assert operation["security"] == [{"HTTPBearer": []}]
                assert {"401", "default"} <= operation["responses"].keys()
    assert count == 6


def test_examples_are_of_the_form_described(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    for operations in described["paths"].values():
        for operation in operations.values():
            bodies = [*operation["responses"].values(), operation.get("requestBody", {})]
            for content in (c for body in bodies for c in body.get("content", {}).values()):
                schema = {**content["schema"], "components": described["components"]}
                examples = [one["value"] for one in content.get("examples", {}).values()]
                for example in examples:
                    Draft202012Validator(schema).validate(example)


def test_the_view_of_the_example_is_valid() -> None:
    schema = view_schema(load_game("five_card_stud"))
    Draft202012Validator(json.loads(json.dumps(schema))).validate(QUESTION["view"])


# --- The log ---------------------------------------------------------------------------------


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged, as text."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    yield written
    LOGGER.removeHandler(handler)


def test_requests_are_logged_without_what_was_sent(log: io.StringIO) -> None:
    wrong: dict[str, Any] = {**QUESTION, "agent": "SECRET"}
    with TestClient(make_app([KEY])) as client:
        shown = {"authorization": f"Bearer {KEY}"}
        client.post("/v1/act?SECRET=1", json=QUESTION, headers=shown)
        client.post("/v1/act", json=wrong, headers=shown)
        client.post("/v1/act", json=QUESTION, headers={"authorization": "Bearer SECRET"})
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["status"] for line in lines] == [200, 422, 401]
    assert all(line["path"] == "/v1/act" and line["ms"] >= 0 for line in lines)
    for secret in (KEY, "SECRET", "CQ", "HQ", "raise_quarter"):
        assert secret not in log.getvalue()


def test_of_a_fault_its_place_is_logged_and_not_its_words() -> None:
    try:
        raise RuntimeError("SA is in the message")
    except RuntimeError as error:
        about = (type(error), error, error.__traceback__)
        record = logging.LogRecord("x", logging.ERROR, "", 0, "fault", None, about)
    line = json.loads(JsonLines().format(record))
    assert line["error"] == "RuntimeError" and "test_api.py" in line["at"][0]
    assert "SA" not in json.dumps(line["event"]) and "message" not in json.dumps(line)
