"""Decisions over HTTP, asked of the application itself."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from qipai.agents import load_agent
from qipai.agents.composing import HouseAgent, whole_moves
from qipai.agents.model import MODEL, ModelAgent, save_model
from qipai.envs import load_game, make_tables
from qipai.envs.tables import Tables
from qipai.envs.wire import to_wire
from qipai.service import decisions, gate
from qipai.service.app import make_app
from qipai.service.decisions import Decider
from qipai.service.examples import ANSWER, QUESTION
from qipai.service.messages import MOST_VIEWS
from qipai.service.problems import LONGEST, MEDIA_TYPE, MOST_ERRORS
from qipai.service.questions import Questions
from qipai.service.roster import Roster, read_models
from tests.agents.test_model_agent import make_network

STUD, DOUDIZHU = load_game("five_card_stud"), load_game("doudizhu")
PATIENCE_MS = 10_000
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(), raise_server_exceptions=False) as found:
        yield found


def in_the_middle(name: str, n: int = 1, steps: int = 5) -> Tables:
    tables = make_tables(name, n, seed=3)
    for _ in range(steps):
        tables.step(tables.sample())
    return tables


def messages(tables: Tables) -> list[dict[str, Any]]:
    pairs = zip(tables.views(), tables.turn.tolist(), strict=True)
    return [json.loads(json.dumps(to_wire(tables.game, view, seat))) for view, seat in pairs]


def question(view: Any, agent: Any = "rule", **more: Any) -> dict[str, Any]:
    return {"view": view, "agent": agent, "deadline_ms": PATIENCE_MS, **more}


def ask(client: TestClient, view: Any, agent: str = "rule", **more: Any) -> Any:
    answer = client.post("/v1/act", json=question(view, agent, **more))
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, status: int, **request: Any) -> str:
    """The detail of a problem, whose form is looked at."""
    answer = client.request(**{"method": "POST", "url": "/v1/act", **request})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == MEDIA_TYPE
    told = answer.json()
    assert (told["type"], told["status"]) == ("about:blank", status) and told["title"]
    assert len(told["detail"]) <= LONGEST and len(told.get("errors", [])) <= MOST_ERRORS
    return str(told["detail"])


def figures(client: TestClient) -> str:
    return client.get("/metrics").text


def wait_for(holds: Any) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- What is answered ------------------------------------------------------------------------


def test_the_rule_bot_answers_as_it_does_at_a_table(client: TestClient) -> None:
    tables = in_the_middle("doudizhu", 30)
    expected = whole_moves(load_agent("rule", DOUDIZHU), DOUDIZHU, tables.views())
    for message, move in zip(messages(tables), expected, strict=True):
        answer = ask(client, message)
        assert answer["move"] == [DOUDIZHU.action_name(action) for action in move]
        assert (answer["action"], answer["name"]) == (move[0], answer["move"][0])
        assert not answer["default"] and answer["chances"] is answer["value"] is None
        assert answer["took_ms"] > 0
    assert max(map(len, expected)) > 1


def test_a_list_of_views_gets_a_list_of_answers(client: TestClient) -> None:
    tables = in_the_middle("blackjack", MOST_VIEWS)
    answers = ask(client, messages(tables), "random")
    assert len(answers) == MOST_VIEWS
    legal = tables.action_mask[np.arange(MOST_VIEWS), [answer["action"] for answer in answers]]
    assert legal.all()
    assert len({answer["name"] for answer in answers}) > 1
    assert len(ask(client, messages(tables)[:1])) == 1


def test_actions_are_said_as_people_say_them(client: TestClient) -> None:
    tables = in_the_middle("five_card_stud", 60)
    for answer, view in zip(ask(client, messages(tables)), tables.views(), strict=True):
        assert answer["spoken"] == STUD.spoken(view, answer["action"])


def test_agents_with_a_budget_answer_too(client: TestClient) -> None:
    tables = in_the_middle("five_card_stud")
    load_agent("search:1", STUD).act(tables.views(), tables.action_mask)  # compiles, which takes
    [message] = messages(tables)
    for agent in ("search:40", "search:20ms"):
        assert not ask(client, message, agent)["default"]


def test_a_model_tells_its_chances_and_what_it_expects(tmp_path: Path) -> None:
    save_model(tmp_path / MODEL, STUD, make_network(STUD))
    tables = in_the_middle("five_card_stud", 5)
    chances, values = ModelAgent(STUD, tmp_path).weigh(tables.views(), tables.action_mask)
    app = make_app(models=read_models({"mine": tmp_path}))
    with TestClient(app) as client:
        for k, answer in enumerate(ask(client, messages(tables), "mine")):
            legal = np.flatnonzero(tables.action_mask[k])
            assert [*answer["chances"]] == [STUD.action_name(a) for a in legal]
            assert np.allclose([*answer["chances"].values()], chances[k, legal])
            assert sum(answer["chances"].values()) == pytest.approx(1)
            assert answer["value"] == pytest.approx(float(values[k]))
        [other] = messages(in_the_middle("blackjack"))
        assert "plays five_card_stud" in refused(client, 422, json=question(other, "mine"))
        names = [one["name"] for one in client.get("/v1/games/five_card_stud").json()["agents"]]
        assert names == ["random", "rule", "search", "search:BUDGET", "mine"]


def test_numbers_beyond_json_are_null(monkeypatch: pytest.MonkeyPatch) -> None:
    class Overflown:
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return masks.argmax(axis=1)

        def weigh(self, views: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return np.full(masks.shape, np.nan), np.full(len(views), np.inf)

    monkeypatch.setattr(Roster, "load", lambda *_: Overflown())
    with TestClient(make_app()) as client:
        answer = ask(client, QUESTION["view"])
    assert answer["value"] is None and set(answer["chances"].values()) == {None}


def test_the_example_is_answered_as_it_says(client: TestClient) -> None:
    answer = client.post("/v1/act", json=QUESTION).json()
    assert [*answer] == [*ANSWER]
    assert {**answer, "took_ms": 0} == {**ANSWER, "took_ms": 0}


# --- Deadlines and batches -------------------------------------------------------------------


class Slow:
    """Waits for a sign before each batch, and keeps the sizes of batches."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.sizes: list[int] = []

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.sizes.append(len(views))
        self.go.wait(30)
        return masks.argmax(axis=1)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    agent = Slow()
    monkeypatch.setattr(Roster, "load", lambda *_: agent)
    return agent


def test_the_house_answers_when_the_deadline_has_passed(slow: Slow) -> None:
    tables = in_the_middle("doudizhu", 20)
    expected = whole_moves(HouseAgent(DOUDIZHU), DOUDIZHU, tables.views())
    with TestClient(make_app()) as client:
        for _ in range(2):
            answers = ask(client, messages(tables), deadline_ms=50)
            assert all(answer["default"] for answer in answers)
            assert [answer["action"] for answer in answers] == [move[0] for move in expected]
        assert 'qipai_defaults_total{agent="rule",game="doudizhu"} 40.0' in figures(client)
        slow.go.set()
        assert not ask(client, messages(tables)[0])["default"]
    assert 20 not in slow.sizes[1:], "what nobody waits for any more is not decided"


def test_questions_asked_meanwhile_are_one_batch() -> None:
    agent, tables = Slow(), in_the_middle("five_card_stud", 3)
    asked = Questions(STUD, tables.views(), tables.action_mask)
    decider = Decider(STUD, agent)
    first = decider.ask(asked)
    wait_for(lambda: agent.sizes == [3])
    others = [decider.ask(asked) for _ in range(8)]
    assert others[0].cancel()
    agent.go.set()
    expected = tables.action_mask.argmax(axis=1).tolist()
    for answer in (first, *others[1:]):
        assert [decision.move[0] for decision in answer.result(30)] == expected
    assert agent.sizes == [3, 21]
    decider.close()


def test_a_view_that_an_agent_fails_at_spoils_no_other() -> None:
    class Picky(Slow):
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            actions = super().act(views, masks)
            if (views["stack"][:, 0] == 7).any():
                raise RuntimeError("seven")
            return actions

    agent, tables = Picky(), in_the_middle("five_card_stud")
    bad = tables.views()
    bad["stack"][0, 0] = 7
    decider = Decider(STUD, agent)
    views = (tables.views(), bad, tables.views())
    answers = [decider.ask(Questions(STUD, one, tables.action_mask)) for one in views]
    agent.go.set()
    assert answers[0].result(30) == answers[2].result(30)
    with pytest.raises(RuntimeError, match="seven"):
        answers[1].result(30)
    decider.close()


def test_too_much_at_once_is_refused(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_WAITING", 3)
    views = messages(in_the_middle("five_card_stud", 4))
    slow.go.set()
    with TestClient(make_app()) as client:
        answer = client.post("/v1/act", json=question(views))
        assert answer.status_code == 503 and answer.headers["retry-after"] == "1"
        assert len(ask(client, views[:3])) == len(ask(client, views[1:])) == 3


def deciding_threads() -> int:
    return sum(thread.name == "five_card_stud decider" for thread in threading.enumerate())


def test_agents_asked_long_ago_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_THREADS", 3)
    before = deciding_threads()
    with TestClient(make_app()) as client:
        for budget in range(20, 32):
            ask(client, QUESTION["view"], f"search:{budget}")
        wait_for(lambda: deciding_threads() <= before + 3)
    wait_for(lambda: deciding_threads() <= before)


def test_an_agent_that_fails_is_a_fault_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            raise RuntimeError("of no interest to who asks")

    monkeypatch.setattr(Roster, "load", lambda *_: Broken())
    with TestClient(make_app(), raise_server_exceptions=False) as client:
        assert refused(client, 500, json=question(QUESTION["view"])).startswith("a fault")
        assert 'qipai_errors_total{status="500"} 1.0' in figures(client)


# --- What is refused -------------------------------------------------------------------------


def changed(place: str, value: Any) -> dict[str, Any]:
    view = json.loads(json.dumps(QUESTION["view"]))
    view["state"][place] = value
    return question(view)


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (changed("dealt", 40), "dealt is 40: expected 0…28"),
        (changed("hole", [None, "H2", "-", "-"]), "hole[1] is 2: expected 24…51"),
        (changed("hole", [None, "X2", "-", "-"]), "hole cannot be read: 'X2' is no card"),
        (changed("hole", [None, "HQ", "-", "-"]), "HQ"),
        (changed("stake", [1, 7, 0, 0]), "stake"),
        (changed("turn", 0), "turn is 0: it is not the turn of seat 1"),
        (changed("ended", True), "ended"),
        (question({}), "there is no game None; games: doudizhu"),
        (question({"game": []}), "there is no game []; games: doudizhu"),
        (question({"game": "five_card_stud"}), "the message lacks rules, seat, state, version"),
        (question({**QUESTION["view"], "seat": 0}), "seat 0"),
    ],
)
def test_views_that_cannot_be_are_refused_by_name(
    client: TestClient, asked: dict[str, Any], named: str
) -> None:
    assert named in refused(client, 422, json=asked)


def test_a_wrong_view_of_several_is_told_by_its_number(client: TestClient) -> None:
    good, bad = QUESTION["view"], changed("dealt", 40)["view"]
    assert refused(client, 422, json=question([good, bad])).startswith("view 1: dealt is 40")
    [other] = messages(in_the_middle("blackjack"))
    detail = refused(client, 422, json=question([good, other]))
    assert detail.startswith("view 1 is of 'blackjack', view 0 of 'five_card_stud'")


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("tests.agents.test_agents:First", "there is no agent"),
        ("os:system", "there is no agent"),
        ("model:/etc/passwd", "there is no agent"),
        ("model", "there is no agent"),
        ("uci:sh -c true", "there is no agent"),
        ("remote:http://127.0.0.1", "there is no agent"),
        ("random:1", "there is no agent"),
        ("", "there is no agent"),
        ("rule:5", "takes no budget"),
        ("search:2001", "at most 2,000 play-outs or 1 s"),
        ("search:3s", "at most 2,000 play-outs or 1 s"),
        ("search:x", "is no budget"),
        ("search:" + "9" * 50, "at most"),
        ("x" * 65, "at most 64 characters"),
        (None, "valid string"),
    ],
)
def test_only_safe_agents_can_be_named(client: TestClient, agent: Any, why: str) -> None:
    assert why in refused(client, 422, json=question(QUESTION["view"], agent))


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({}, "#/view: Field required"),
        (question(5), "#/view: Value error, expected a view"),
        (question([]), "#/view: Value error, 0 views: expected 1…64"),
        (question([QUESTION["view"]] * 65), "#/view: Value error, 65 views"),
        (question([[QUESTION["view"]]]), "#/view: Value error, expected a view"),
        (question(QUESTION["view"], deadline_ms=0), "#/deadline_ms: "),
        (question(QUESTION["view"], deadline_ms=10_001), "#/deadline_ms: "),
        (question(QUESTION["view"], deadline_ms=True), "#/deadline_ms: "),
        (question(QUESTION["view"], deadline_ms=1.5), "#/deadline_ms: "),
        (question(QUESTION["view"], deadline_ms="1"), "#/deadline_ms: "),
        (question(QUESTION["view"], colour=1), "#/colour: Extra inputs"),
        ([], "#: "),
        (None, "#: "),
    ],
)
def test_requests_of_another_form_are_refused_by_name(
    client: TestClient, asked: Any, named: str
) -> None:
    assert refused(client, 422, json=asked).startswith(named)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (json.dumps(QUESTION).encode()[:-9], 422),
        (b"\xff\xfe\x00", 400),
        (b'{"view": ' + b"[" * 100_000, 400),
        (b'{"view": {"game": ' + b"[" * 900 + b"]" * 900 + b"}}", 422),
        (b'{"view": ' + b'{"game":' * 700 + b"1" + b"}" * 701, 422),
        (b'{"deadline_ms": ' + b"9" * 5000 + b"}", 400),
        (b'{"deadline_ms": ' + b"9" * 4000 + b"}", 422),
        (b'{"view": {"game": NaN}}', 422),
        (b'{"view": {"game": "\\ud800"}}', 422),
        (b'{"view": {}, "agent": "\\ud800"}', 422),
        (b'{"\\udfff": 1, "view": {}}', 422),
        (b" " * (gate.MOST_BYTES + 1), 413),
    ],
    ids=range(14),
)
def test_bytes_of_any_kind_are_refused(client: TestClient, content: bytes, status: int) -> None:
    refused(client, status, content=content, headers=JSON)


def test_bodies_of_unknown_length_have_the_same_limit(client: TestClient) -> None:
    pieces = (b" " * 65_536 for _ in range(100))
    assert "1,048,576" in refused(client, 413, content=pieces, headers=JSON)


def test_random_bytes_and_changed_views_are_no_fault_of_the_server(client: TestClient) -> None:
    rng = np.random.default_rng(5)
    good = json.dumps(QUESTION).encode()
    for _ in range(300):
        text = bytearray(good[: rng.integers(1, len(good) + 1)] if rng.random() < 0.3 else good)
        for place in rng.integers(len(text), size=rng.integers(1, 4)):
            text[place] = rng.integers(256)
        answer = client.post("/v1/act", content=bytes(text), headers=JSON)
        assert answer.status_code in (200, 400, 422), answer.text
