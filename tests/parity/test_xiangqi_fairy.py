"""Legal moves of xiangqi beside Fairy-Stockfish's, position by position of random games.

Skipped where the engine is not installed (Debian: ``apt install fairy-stockfish``).
"""

from __future__ import annotations

import os
import shutil

import pytest

from qipai.agents.uci_engine import Engine, shift_ranks
from qipai.envs.tables import Tables
from qipai.envs.xiangqi import GAME, fen, iccs

COMMAND = shutil.which("fairy-stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
pytestmark = pytest.mark.skipif(COMMAND is None, reason="fairy-stockfish is not installed")


def their_moves(engine: Engine, where: str) -> set[str]:
    engine.tell(f"position fen {where} - - 0 1")
    engine.tell("go perft 1")
    lines = [line.partition(":") for line in engine.hear("Nodes")[:-1]]
    return {shift_ranks(move, -1) for move, _, count in lines if count == " 1"}


def test_legal_moves_are_fairy_stockfishs() -> None:
    engine = Engine([COMMAND or ""])
    engine.tell("uci")
    engine.hear("uciok")
    engine.tell("setoption name UCI_Variant value xiangqi")
    tables = Tables(GAME, 40, seed=31, draw_offers=False)
    compared = 0
    for step in range(150):
        for s in tables.state[step % 8 :: 8]:
            ours = {iccs(int(move)) for move in s["choices"] if move >= 0}
            assert ours == their_moves(engine, fen(s)), fen(s)
            compared += len(ours)
        tables.step(tables.sample())
    assert compared > 10_000
