"""The bench: what it measures and prints; never how fast anything is."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from qipai import bench
from qipai.envs import games, load_game, make_tables


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short measurements, and no process that compiles anything anew."""
    monkeypatch.setattr(bench, "SIZES", (2, 4))
    monkeypatch.setattr(bench, "ROUNDS", 2)
    monkeypatch.setattr(bench, "STARTS", 1)
    times = {"compile": 1.0, "compile_cpu": 1.0, "compile_aec": 1.0, "warm": 0.1}
    monkeypatch.setattr(bench, "compile_times", lambda name: times)


def row(**values: Any) -> dict[str, Any]:
    return {"game": "some_game", **{m.key: 0.0 for m in bench.MEASURES}, **values}


def printed(rows: list[dict[str, Any]]) -> str:
    console = Console(width=200, file=io.StringIO(), record=True)
    bench.print_table(rows, console)
    return console.export_text()


def test_every_measure_of_every_game(small: None) -> None:
    rows = bench.bench(games(), seconds=0.02)
    assert [found["game"] for found in rows] == list(games())
    for found in rows:
        assert set(found) == {"game", *(m.key for m in bench.MEASURES)}
        assert found["steps"] >= found["steps_median"] > 0
        assert found["aec_steps"] >= found["aec_steps_median"] > 0
        assert {found["tables"], found["tables_2"]} <= {2, 4}
        assert found["import_torch"] == 0
        game = load_game(found["game"])
        assert found["state_bytes"] == game.state.itemsize
        assert found["observation"] == game.observation.width
    assert json.loads(bench.to_json(rows)) == rows
    assert all(m.title.strip() in printed(rows) for m in bench.MEASURES)


def test_budgets_are_marked() -> None:
    text = printed([row(steps=2e6, aec_steps=39_999.0, compile=20.5)])
    kept = {line.strip().split("  ")[0]: "✓" in line for line in text.splitlines() if "≥" in line}
    assert kept["steps/s, one thread, best"] is True
    assert kept["AEC last() + step() per s, best"] is False
    assert "20.5 ✗" in text and "≤ 20.0" in text


def test_unknown_games_and_no_time_are_refused() -> None:
    with pytest.raises(ValueError, match="no game 'mahjongg'"):
        bench.bench(["mahjongg"])
    with pytest.raises(ValueError, match="seconds=0: a finite number above 0"):
        bench.bench(["doudizhu"], seconds=0)


def test_contestants_take_turns() -> None:
    order: list[tuple[str, float]] = []

    def contestant(name: str, rate: float) -> bench.Play:
        def play(seconds: float) -> float:
            order.append((name, seconds))
            return rate

        return play

    rates = bench.alternate([contestant("a", 6.0), contestant("b", 2.0)], seconds=8.0)
    assert [name for name, _ in order] == ["a", "b"] * bench.ROUNDS
    assert {seconds for _, seconds in order} == {8.0 / bench.ROUNDS}
    assert bench.ratio(*rates) == 3.0


def test_a_batch_is_played_on(name: str) -> None:
    tables = make_tables(name, 3, seed=1)
    play = bench.play_tables(tables)
    before = tables.state.tobytes()
    assert play(0.001) > 0
    assert tables.state.tobytes() != before


def test_a_new_process_compiles_into_the_folder_given(tmp_path: Path) -> None:
    script = "from qipai.envs.kernel import cache_root; print(cache_root())"
    assert bench.run(script, str(tmp_path)).strip() == str(tmp_path / "compiled")
