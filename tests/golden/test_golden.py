"""Each game plays its recorded hand as it did; a golden proves sameness, nothing more."""

from __future__ import annotations

from qipai import golden, pages
from qipai.envs.game import Game


def test_the_recorded_hand_replays(game: Game) -> None:
    recorded = golden.load(pages.golden_path(game.name))
    advice = (
        f"{game.name} behaves differently: if that is meant, bump VERSION in its file and GAMES, "
        f"add a line to its history, then: qipai page {game.name} --golden {recorded['seed']}"
    )
    assert (recorded["game"], recorded["version"]) == (game.name, game.version), advice
    assert golden.unchanged(recorded, game), advice


def test_a_golden_is_read_as_it_was_written(game: Game) -> None:
    path = pages.golden_path(game.name)
    assert golden.dump(golden.load(path)) == path.read_text(encoding="utf-8")


def test_any_change_of_behaviour_is_noticed(game: Game) -> None:
    recorded = golden.load(pages.golden_path(game.name))
    shorter = {**recorded, "actions": recorded["actions"][:-1]}
    assert not golden.unchanged({**recorded, "seed": recorded["seed"] + 1}, game)
    assert not golden.unchanged({**recorded, "digest": "0" * 64}, game)
    assert not golden.unchanged({**recorded, "coins": [0] * len(recorded["coins"])}, game)
    assert not golden.unchanged(shorter, game)
