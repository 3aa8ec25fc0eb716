"""What a forked child of this process does."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from typing import Any

import pytest

SECONDS = 120  # after which a child is taken to hang
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


def in_a_child(job: Callable[[], Any]) -> Any:
    """What ``job`` returns in a forked child, pickled; AssertionError if it never does."""
    forking = multiprocessing.get_context("fork")
    receiving, sending = forking.Pipe(duplex=False)
    child = forking.Process(target=lambda: sending.send(job()))
    child.start()
    sending.close()
    try:
        assert receiving.poll(SECONDS), "the child hangs"
        return receiving.recv()
    finally:
        child.kill()
        child.join()
