"""The generated pages are current and true; code in the guides runs."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from qipai import cli, golden, pages
from qipai.envs import games, load_game
from qipai.envs.game import Game

DOCS = Path(__file__).parents[1] / "docs"


def code_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def cells(text: str) -> list[list[str]]:
    """The rows of all tables in a Markdown text."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folders pages are written to."""
    for name in games():
        for path in (pages.page_path(name), pages.golden_path(name)):
            copy = tmp_path / path.relative_to(pages.root())
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    monkeypatch.setattr(pages, "root", lambda: tmp_path)
    return tmp_path


def test_the_page_is_current(game: Game) -> None:
    assert pages.is_current(game), "bring it up to date with: qipai page --all"


def test_there_is_no_page_without_a_game() -> None:
    assert {path.stem for path in (DOCS / "games").glob("*.md")} == set(games())


def test_the_usage_of_a_page_runs(game: Game) -> None:
    (code,) = code_blocks(pages.page_path(game.name).read_text(encoding="utf-8"))
    after: dict[str, Any] = {}
    exec(code, after)
    assert after["env"].agents == []  # the match was played to its end


def test_clauses_are_numbered_and_options_name_them(game: Game) -> None:
    names = [name for name, _ in pages.read_rules(game.document).clauses]
    assert names == [f"R{i}" for i in range(1, len(names) + 1)]
    for option in game.rules.options:
        assert set(re.findall(r"R\d+", option.clause)) <= set(names)


def test_every_clause_has_an_anchor_and_every_link_a_target(game: Game) -> None:
    page = pages.page_path(game.name).read_text(encoding="utf-8")
    anchors = re.findall(r'<a id="(\w+)">', page)
    assert len(anchors) == len(set(anchors)) > 0
    assert set(re.findall(r"\]\(#(\w+)\)", page)) <= set(anchors)


def test_tables_of_a_page_list_all_ranges(game: Game) -> None:
    page = cells(pages.page_path(game.name).read_text(encoding="utf-8"))
    observed = {row[1] for row in page if len(row) == 5}
    assert {f"`{r.name}`" for r in game.observation.ranges} <= observed
    assert {r.name for r in game.actions.ranges} <= observed


def test_clauses_are_read_from_a_docstring() -> None:
    text = "A game.\n\nR1 One\n   and more.\nR2 Two (R1).\n\nNote."
    rules = pages.read_rules(text)
    assert rules.lead == "A game."
    assert rules.clauses == (("R1", "One and more."), ("R2", "Two (R1)."))
    assert rules.notes == "Note."


def test_a_golden_of_the_same_version_that_no_longer_replays_is_not_replaced(
    checkout: Path,
) -> None:
    game = load_game("doudizhu")
    path = pages.golden_path("doudizhu")
    recorded = golden.load(path)
    path.write_text(golden.dump({**recorded, "digest": "0" * 64}))
    before = path.read_text()
    with pytest.raises(ValueError, match="bump VERSION"):
        pages.record_golden(game, 1)
    assert path.read_text() == before


def test_a_page_needs_a_golden(checkout: Path) -> None:
    pages.golden_path("doudizhu").unlink()
    with pytest.raises(ValueError, match="--golden SEED"):
        pages.write(load_game("doudizhu"))


def test_check_tells_stale_pages_and_writes_nothing(checkout: Path) -> None:
    def qipai(*arguments: str) -> Result:
        return CliRunner().invoke(cli.app, arguments, prog_name="qipai")

    assert qipai("page", "--all", "--check").exit_code == 0
    page = pages.page_path("doudizhu")
    current = page.read_text(encoding="utf-8")
    page.write_text(current + "stale", encoding="utf-8")
    result = qipai("page", "--all", "--check")
    assert result.exit_code == 1
    assert "docs/games/doudizhu.md: stale" in result.output
    assert page.read_text(encoding="utf-8") == current + "stale"
    assert qipai("page", "doudizhu").exit_code == 0
    assert page.read_text(encoding="utf-8") == current


def test_your_own_agent_in_ten_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent, *uses = code_blocks((DOCS / "own-agent.md").read_text(encoding="utf-8"))
    (tmp_path / "my_agents.py").write_text(agent, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    assert uses
    for code in uses:
        after: dict[str, Any] = {}
        exec(code, after)
        assert after["Patient"].__module__ == "my_agents"


def test_the_glossary_is_complete() -> None:
    sections = (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for section in sections:
        head, *rows = cells(section)
        assert all(len(row) == len(head) and all(row) for row in rows)
        words = [row[0] for row in rows]
        assert len(words) == len(set(words))


def test_guides_name_files_that_exist() -> None:
    root = DOCS.parent
    for guide in (root / "CONTRIBUTING.md", *DOCS.glob("*.md")):
        text = guide.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:qipai|tests|docs|benchmarks)/[\w./]*)`", text):
            assert (root / name).exists(), f"{guide.name} names {name}"
