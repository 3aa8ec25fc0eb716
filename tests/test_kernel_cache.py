"""The cache of compiled code: damaged, unwritable and shared folders never stop a game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from qipai.envs.kernel import cache_root

RULES = """
import numpy as np
from qipai.envs.kernel import kernel

@kernel
def double(n):
    return n + n

@kernel
def ace(suit):
    return double(suit) + 1

assert ace(np.int64(3)) == 7
"""
# Prints how many functions were compiled, not loaded.
COUNTED = """
import numba.core.event as events
with events.install_recorder("numba:compile") as recorder:
    import {module}
print(sum(event.is_start for _, event in recorder.buffer))
"""
ALL_MAY_READ = "import os\nos.umask(0o022)\n"

Start = Callable[..., int]


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module ``deck``; another for each damage; and ``every`` one of these."""
    folder = tmp_path_factory.mktemp("modules")
    damaged = [f"damaged_{k}" for k in range(len(DAMAGES))]
    for module in ("deck", *damaged):
        (folder / f"{module}.py").write_text(RULES)
    (folder / "every.py").write_text("".join(f"import {module}\n" for module in damaged))
    return folder


def start_in(modules: Path, cache: Path) -> Start:
    """How many functions a new process that uses a module compiles."""

    def start(before: list[str] | None = None, first: str = "", module: str = "deck") -> int:
        done = subprocess.run(
            [*(before or []), sys.executable, "-c", first + COUNTED.format(module=module)],
            env={**os.environ, "QIPAI_CACHE_DIR": str(cache)},
            cwd=modules,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    return start


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The cache folder of a test, not there yet."""
    return tmp_path / "cache"


@pytest.fixture
def compiled(modules: Path, cache: Path) -> Start:
    return start_in(modules, cache)


@pytest.fixture(scope="module")
def first_cache(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first process compiled."""
    cache = tmp_path_factory.mktemp("first")
    assert start_in(modules, cache)(first=ALL_MAY_READ) == 2
    return cache


@pytest.fixture
def warm(first_cache: Path, cache: Path) -> None:
    """The cache folder of a test holds what a first process compiled."""
    shutil.copytree(first_cache, cache)


def kept(cache: Path) -> list[Path]:
    return [file for file in cache.rglob("*") if file.is_file()]


@pytest.mark.usefixtures("warm")
def test_a_second_process_compiles_nothing(compiled: Start) -> None:
    assert compiled() == 0


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "garbage": lambda content: b"\x80garbage" * 100,
    "zeros at the end": lambda content: content[:-200] + bytes(200),
}


def test_damaged_files_are_compiled_anew(compiled: Start, cache: Path) -> None:
    every = 2 * len(DAMAGES)
    assert compiled(module="every") == every
    folders = list((cache / "compiled").iterdir())
    for folder, damage in zip(folders, DAMAGES.values(), strict=True):
        for file in kept(folder):
            file.write_bytes(damage(file.read_bytes()))
    assert compiled(module="every") == every
    assert compiled(module="every") == 0, "the damaged files are written again"


@pytest.mark.usefixtures("warm")
def test_a_folder_where_a_file_should_be_is_no_obstacle(compiled: Start, cache: Path) -> None:
    for file in kept(cache):
        file.unlink()
        file.mkdir()
    assert compiled() == 2


def bound_by_permissions() -> list[str]:
    """What to start a command with so that it can't write where its permissions say so."""
    if sys.platform == "win32":
        pytest.skip("a folder can't be made read-only")
    if os.getuid() != 0:
        return []
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"]).returncode != 0:
        pytest.skip("permissions don't bind root, and setpriv is missing")
    return drop


def read_only(cache: Path) -> None:
    for folder in [cache, *(path for path in cache.rglob("*") if path.is_dir())]:
        folder.chmod(0o555)


@pytest.mark.usefixtures("warm")
def test_a_warm_cache_that_is_read_only_is_used(compiled: Start, cache: Path) -> None:
    before = bound_by_permissions()
    read_only(cache)
    assert compiled(before) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes")
def test_other_users_can_read_what_one_compiled(first_cache: Path) -> None:
    assert {file.stat().st_mode & 0o777 for file in kept(first_cache)} == {0o644}


def test_a_read_only_cache_without_the_code_is_no_obstacle(compiled: Start, cache: Path) -> None:
    before = bound_by_permissions()
    (cache / "compiled").mkdir(parents=True)
    read_only(cache)
    assert compiled(before) == 2
    assert kept(cache) == []


def test_a_read_only_parent_is_no_obstacle(compiled: Start, cache: Path) -> None:
    before = bound_by_permissions()
    cache.mkdir()
    read_only(cache)
    assert compiled(before) == 2


# A limit of 0 bytes a file: writing raises OSError in the middle, as on a full disk.
FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
def test_a_full_disk_is_no_obstacle(compiled: Start, cache: Path, first_cache: Path) -> None:
    assert compiled(first=FULL) == 2
    assert kept(cache) == [], "no part of a file stays"
    shutil.copytree(first_cache, cache, dirs_exist_ok=True)
    assert compiled(first=FULL) == 0


# The folder is gone between the start of a process and the end of its compiling.
DROPPED = """
import shutil
import qipai.envs.kernel as kernels
found = kernels.cache_folder
def dropped(files):
    folder = found(files)
    shutil.rmtree(folder, ignore_errors=True)
    return folder
kernels.cache_folder = dropped
"""


def test_a_folder_dropped_by_another_process_is_made_again(compiled: Start) -> None:
    assert compiled(first=DROPPED) == 2
    assert compiled() == 0


def test_processes_compile_at_once_and_one_is_killed(
    compiled: Start, cache: Path, modules: Path
) -> None:
    command = [sys.executable, "-c", "import deck"]
    environment = {**os.environ, "QIPAI_CACHE_DIR": str(cache)}
    running = [subprocess.Popen(command, env=environment, cwd=modules) for _ in range(3)]
    while not kept(cache) and running[0].poll() is None:
        time.sleep(0.001)
    running[0].kill()
    assert [process.wait() for process in running[1:]] == [0, 0]
    running[0].wait()
    assert compiled() == 0


@pytest.mark.parametrize("variable", ["QIPAI_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"])
def test_an_empty_variable_names_no_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    for name in ("QIPAI_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv(variable, "")
    root = cache_root()
    assert root is not None and root.is_absolute()
    assert list(Path.cwd().iterdir()) == []
