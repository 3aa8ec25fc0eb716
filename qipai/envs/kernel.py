"""Compilation: ``@kernel`` for the functions of a game, ``bind`` for loops that every game shares.

numba's own cache looks only at the file a function stands in, so an edit of a shared module would
leave its callers on the old rules. Compiled code is therefore kept in a folder named by a
fingerprint of every file the function's module imports from this project, directly or not.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import pickle
import re
import shutil
import sys
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic

from qipai.envs.files import write_whole

FOLDERS_KEPT = 200
_BYTES = ir.IntType(8).as_pointer()

_DIGEST_BYTES = hashlib.sha256().digest_size

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

F = TypeVar("F", bound=Callable[..., Any])

if numba.config.DISABLE_JIT:
    # Plain Python warns where compiled integers wrap around silently, as the generator needs.
    np.seterr(over="ignore")


def cache_root() -> Path | None:
    """Folder for compiled code, or None where there is none and none can be made.

    ``compiled`` in ``$QIPAI_CACHE_DIR`` if set, else in ``qipai`` in the platform's cache folder.
    The folder may be read-only: code in it is used.
    """
    try:
        if named := os.environ.get("QIPAI_CACHE_DIR"):
            root = Path(named)
        elif sys.platform == "win32":
            root = Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "qipai"
        elif sys.platform == "darwin":
            root = Path.home() / "Library" / "Caches" / "qipai"
        else:
            root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qipai"
        root /= "compiled"
        root.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None
    return root


_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+(qipai[\w.]*)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)


@functools.cache
def imports_of(file: Path) -> frozenset[Path]:
    """The project's files that ``file`` imports (by absolute names, as the linter sees to)."""
    found = set()
    for module, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        spec = importlib.util.find_spec(module)
        specs = [spec]
        if spec is not None and spec.submodule_search_locations:  # a package: names may be modules
            specs += [
                importlib.util.find_spec(f"{module}.{name}") for name in re.findall(r"\w+", names)
            ]
        found |= {Path(spec.origin) for spec in specs if spec is not None and spec.origin}
    return frozenset(found)


def closure(files: Iterable[Path]) -> frozenset[Path]:
    """The files and all they import within the project, package ``__init__`` files left out."""
    known: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in known and file.name != "__init__.py":
            known.add(file)
            waiting += imports_of(file)
    return frozenset(known | set(files))


@functools.cache
def cache_folder(files: frozenset[Path]) -> Path | None:
    """The folder for code compiled from these files; the oldest other ones are dropped."""
    root = cache_root()
    if root is None:
        return None
    digest = hashlib.sha256()
    for file in sorted(closure(files)):
        digest.update(file.name.encode() + file.read_bytes())
    folder = root / digest.hexdigest()[:16]
    with contextlib.suppress(OSError):  # read-only, full, or dropped by another process
        folder.mkdir(exist_ok=True)
        folder.touch()  # used now: the age that decides what is dropped
        newest_first = sorted(root.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in newest_first[FOLDERS_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


class CodeCache(FunctionCache):
    """Compiled code of one function in a folder, a file for each signature.

    numba's own cache raises whatever is wrong with its files, and can hand out the code of another
    signature when processes compile at once. Here a file names what it holds and starts with a
    digest of the rest; code that can't be read is compiled, code that can't be written is not kept.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_func = function
        self._cache_path = str(folder)
        self._folder = folder

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The code compiled for these argument types, or None."""
        target_context.refresh()
        try:
            content = self._file(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        code = content[_DIGEST_BYTES:]
        if content[:_DIGEST_BYTES] != hashlib.sha256(code).digest():  # cut short, or a bad disk
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(code))
        except ImportError:  # it names a module that was not imported by its name
            return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep the code compiled for these argument types, if that can be."""
        if data.library.has_dynamic_globals:  # holds addresses of this process
            return
        code = dumps(data._reduce())
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)  # another process may have dropped it
            write_whole(self._file(sig, data.codegen), hashlib.sha256(code).digest() + code)

    def flush(self) -> None:
        """Drop the code of every signature."""
        for file in self._folder.glob(f"{self._py_func.__name__}-*.nbc"):
            file.unlink(missing_ok=True)

    def _file(self, sig: Any, codegen: Any) -> Path:
        function = self._py_func
        python = sys.implementation.cache_tag, getattr(sys, "abiflags", "")
        versions = *python, numba.__version__, np.__version__
        place = function.__module__, function.__qualname__, function.__code__.co_firstlineno
        key = repr((versions, place, self._index_key(sig, codegen)))
        return self._folder / f"{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()}.nbc"


def kernel(function: F, sources: Iterable[Path] = ()) -> F:
    """Compile ``function`` with numba (nogil), cached under the fingerprint of its sources.

    Compiled code can't allocate (numba's runtime for that is off), so kernels release the GIL for
    good and can be called from any thread. ``sources`` names files beyond the function's own.
    """
    compiled = numba.njit(**_OPTIONS)(function)
    folder = cache_folder(frozenset({source_of(function), *sources}))
    if folder is not None and not numba.config.DISABLE_JIT:
        compiled._cache = CodeCache(function, folder)
    return compiled


def inlined(function: F, sources: Iterable[Path] = ()) -> F:
    """Compile ``function`` into each caller: for short helpers that take arrays.

    They need no cache of their own.
    """
    return numba.njit(inline="always", **_OPTIONS)(function)


def bind(
    loop: Callable[..., Any],
    game: str,
    compile: Callable[..., Any],
    **kernels: Callable[..., Any],
) -> Any:
    """Compile ``loop`` for one game, with the game's kernels in place of its free names.

    A closure over kernels would be recompiled in every process; a copy of the function that reads
    them as globals is cached like any other.
    """
    bound = types.FunctionType(
        loop.__code__, {**loop.__globals__, **kernels}, f"{loop.__name__}_{game}"
    )
    bound.__qualname__ = bound.__name__
    return compile(bound, sources={source_of(k) for k in kernels.values()})


def source_of(function: Callable[..., Any]) -> Path:
    """The file a kernel or plain function is written in."""
    return Path(getattr(function, "py_func", function).__code__.co_filename)


def addressable(records: np.ndarray) -> np.ndarray:
    """``records`` so that kernels can read ``s.field``, compiled or as plain Python."""
    return records.view(np.recarray) if numba.config.DISABLE_JIT else records


FIRST_ANEW = "turn"  # the first field of a table that begins anew with every hand


def begin_anew(s, fresh):
    """Copy the fields that begin anew with a hand from the table ``fresh``."""
    names = s.dtype.names
    for name in names[names.index(FIRST_ANEW) :]:
        s[name] = fresh[name]


@intrinsic
def _begin_anew(typing: Any, s: Any, fresh: Any) -> Any:
    start = s.offset(FIRST_ANEW)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = context.get_constant(numba.types.intp, start)
        to, source = (builder.gep(builder.bitcast(a, _BYTES), [at]) for a in args)
        cgutils.memcpy(builder, to, source, context.get_constant(numba.types.intp, s.size - start))
        return context.get_dummy_value()

    return numba.types.void(s, fresh), generate


def write_row(out, known, row, n, hidden):
    """Write ``row[:n]`` to ``out[:n]``; 0 and not ``known`` where it is ``hidden``.

    Returns whether any entry is not 0. ``known`` may be None. The compiled form takes an int8 row
    and a constant n. It loads all entries before it stores one: a loop can't, as LLVM has to expect
    that the arrays overlap, and takes three times as long.
    """
    seen = row[:n] != hidden
    out[:n] = np.where(seen, row[:n], 0) if known is not None else row[:n]
    if known is not None:
        known[:n] = seen
    return row[:n].any()


@intrinsic(prefer_literal=True)
def _write_row(typing: Any, out: Any, known: Any, row: Any, n: Any, hidden: Any) -> Any:
    types = numba.types
    if not isinstance(n, types.IntegerLiteral):
        raise numba.TypingError(f"write_row: n={n} is no constant")
    if row.dtype != types.int8 or row.layout != "C":
        raise numba.TypingError(f"write_row: row={row} is no contiguous row of int8")
    width = n.literal_value
    small, floats = (ir.VectorType(t, width) for t in (ir.IntType(8), ir.FloatType()))

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def address(array: int, lanes: ir.VectorType) -> ir.Value:
            data = context.make_array(signature.args[array])(context, builder, args[array]).data
            return builder.bitcast(data, lanes.as_pointer())

        entries = builder.load(address(2, small), align=1)
        flags = builder.bitcast(builder.icmp_signed("!=", entries, small(None)), ir.IntType(width))
        if known != types.none:
            unknown = small([hidden.literal_value] * width)
            seen = builder.icmp_signed("!=", entries, unknown)
            entries = builder.select(seen, entries, small(None))
            builder.store(builder.zext(seen, small), address(1, small), align=1)
        builder.store(builder.sitofp(entries, floats), address(0, floats), align=4)
        return builder.icmp_unsigned("!=", flags, flags.type(0))

    return types.boolean(out, known, row, n, hidden), generate


if not numba.config.DISABLE_JIT:
    write_row = _write_row
    begin_anew = _begin_anew
