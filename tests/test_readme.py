"""The README's examples run, and its commands are the ones that are checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.envs.tables import MOST_TABLES, MOST_THREADS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
GUIDE = (Path(__file__).parents[1] / "docs/environments.md").read_text(encoding="utf-8")
EXAMPLES, GUIDE_EXAMPLES = (
    re.findall(r"<!-- example -->\n```python\n(.*?)```", text, re.DOTALL)
    for text in (README, GUIDE)
)


@pytest.mark.filterwarnings("ignore")  # checkers are told that coins have no bounds
@pytest.mark.parametrize("example", [*EXAMPLES, *GUIDE_EXAMPLES])
def test_example_runs(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_are_two_short_examples() -> None:
    assert len(EXAMPLES) == 2
    for example in EXAMPLES:
        assert len(example.strip().splitlines()) <= 16


def test_the_guide_states_the_limits() -> None:
    assert f"| {MOST_TABLES:,} |" in GUIDE and f"| {MOST_THREADS} |" in GUIDE


@pytest.mark.parametrize(("text", "folder"), [(README, "."), (GUIDE, "docs")])
def test_links_lead_somewhere(text: str, folder: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (Path(__file__).parents[1] / folder / target).exists(), target
