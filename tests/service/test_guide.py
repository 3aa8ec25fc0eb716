"""The guide: its commands are run as they stand there, against a server started as it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qipai.service import decisions, gate, messages, roster
from tests.service.test_serving import serving

GUIDE = (Path(__file__).parents[2] / "docs/bot-provider.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8000"
BLOCKS = re.findall(r"(<!-- server -->\n)?```(\w+)\n(.*?)```", GUIDE, re.DOTALL)
INSTALL, SERVER = 'pip install "qipai[serve]"\n', "qipai serve\n"


def test_every_command_works(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    commands = [text for mark, language, text in BLOCKS if language == "sh" and not mark]
    assert commands[0] == INSTALL and [text for mark, _, text in BLOCKS if mark] == [SERVER]
    [program] = [text for _, language, text in BLOCKS if language == "python"]
    (tmp_path / "write_view.py").write_text(program, encoding="utf-8")
    said = []
    with serving(tmp_path) as (_, url):
        for text in commands[1:]:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text.replace(ADDRESS, url)],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{text}{done.stdout}{done.stderr}"
            assert done.stdout
            said.append(done.stdout)
    [shown] = [json.loads(text) for _, language, text in BLOCKS if language == "json"]
    answer = json.loads(said[1])
    assert {**answer, "took_ms": 0} == {**shown, "took_ms": 0}
    view = json.loads((tmp_path / "question.json").read_text())["view"]["state"]
    for field, value in re.findall(r"^\| `(\w+)` \| `(.*?)` \|", GUIDE, re.MULTILINE):
        written = json.dumps(view[field], ensure_ascii=False)
        assert re.fullmatch(re.escape(value).replace("…", ".*"), written), field


@pytest.mark.parametrize(
    "limit",
    [
        f"| views in a request | {messages.MOST_VIEWS} |",
        f"| bytes of a body | {gate.MOST_BYTES:,} |",
        f"| `deadline_ms` | 1…{messages.MOST_MS:,} |",
        f"| {roster.MOST_PLAY_OUTS:,} play-outs or {roster.MOST_SECONDS:g} s (",
        f"| {decisions.MOST_WAITING:,}, then status 503 |",
    ],
)
def test_the_limits_are_those_of_the_code(limit: str) -> None:
    assert limit in GUIDE
