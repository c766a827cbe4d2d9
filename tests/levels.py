"""Which levels of the sandbox can be tested on this machine, and what it needs for the others."""

from __future__ import annotations

from functools import cache

import pytest

from auditor.base.errors import SandboxError
from auditor.sandbox import Level
from auditor.sandbox.examination import ProbeReport, _examine, available

NEEDS = {
    Level.NO_NETWORK: "seccomp, on x86-64 or AArch64",
    Level.CONFINED: "Landlock: Linux 5.13 or later",
    Level.NAMESPACED: "bubblewrap",
}


@cache
def here() -> ProbeReport:
    """What stands on this machine, whatever level a test runs at."""
    return _examine()


def missing() -> dict[Level, str]:
    """The levels that do not stand here, weakest first, each with what it needs."""
    refused = dict(here().refused)
    lacking: dict[Level, str] = {}
    for level, needs in NEEDS.items():
        if level in refused:
            there = level is Level.NAMESPACED and "not installed" not in refused[level]
            # Bubblewrap stands around the barriers of the weaker levels.
            lacking[level] = next(iter(lacking.values()), f"user namespaces: {refused[level]}") if there else needs
    return lacking


EXECUTED = pytest.param(Level.NAMESPACED, id="namespaced-executed", marks=pytest.mark.executed)
"""That level where workers do not join namespaces, but are executed within."""


def forking() -> Level:
    """The strongest level up to *confined* that stands here: there a worker is forked, in a tenth of what executing one takes."""
    return min(available(), Level.CONFINED)


def isolation() -> str:
    """What a case says in `[sandbox]` so that code of its own runs at that level, and on a machine without it all the same."""
    return "auto" if forking() is Level.CONFINED else "none"


def require(level: Level) -> None:
    """Skip the test where a level does not stand here."""
    lacking = missing()
    if level in lacking:
        pytest.skip(_said({level: lacking[level]}))


def needing(level: Level) -> pytest.MarkDecorator:
    """The mark of a test that is skipped where a level does not stand here."""
    lacking = missing()
    return pytest.mark.skipif(level in lacking, reason=_said({level: lacking.get(level, "")}))


def untested() -> str | None:
    """One line about what no run of the tests can show on this machine; None where it can show every level."""
    try:
        lacking = missing()
    except SandboxError as error:
        return f"not tested here: the sandbox, at any level ({error})"
    return _said(lacking) if lacking else None


def _said(lacking: dict[Level, str]) -> str:
    return f"not tested here: {', '.join(f'level {level} (needs {needs})' for level, needs in reversed(lacking.items()))}"
