"""How strong the barriers around the audited procedure are, and how strong they must be.

A level is a statement about the sandbox that really stands, so code and report can use one ordered word instead of a
list of kernel features. The gate is the only place that decides whether code may run behind a given level.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Literal, TypeAlias

from auditor.base.errors import SandboxError

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one worker.

    Raises:
        ValueError: If a limit is not positive.
    """

    timeout_s: float = 600.0
    """Wall-clock seconds for one call, and for the start; calls that are asked for together have as many times."""
    memory_mb: int | None = None
    """MiB of memory over all its processes, mapped or not; what they share counts once (see `memory`). None: no limit of its own.
    The jobs that run side by side then share half of what is free."""
    output_mb: int = 64
    """MiB on stdout and stderr together."""
    file_mb: int = 4096
    """MiB for any one file, and for the scratch folder as a whole."""

    processes: int = 512
    """Processes at a time, the child among them; threads do not count."""

    def __post_init__(self) -> None:
        """Refuse a limit that nothing could keep."""
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"{item.name}: expected a positive number, found {value}")


Isolation: TypeAlias = Literal["auto", "strict", "none"]


class Level(StrEnum):
    """The barriers that hold, from none to the strongest; compared by strength, not by spelling."""

    NONE = "none"
    """In the auditor's own process."""
    PROCESS = "process"
    """A separate process with a clean environment, limits and a wall-clock timeout."""
    NO_NETWORK = "no-network"
    """PROCESS, and no socket but AF_UNIX."""
    CONFINED = "confined"
    """NO_NETWORK, and no file but inputs, interpreter and scratch folder."""
    NAMESPACED = "namespaced"
    """CONFINED, and namespaces of its own for users, processes, network and mounts."""

    @property
    def strength(self) -> int:
        """The place in the order, from 0 for NONE."""
        return list(Level).index(self)

    def __lt__(self, other: str) -> bool:
        """Whether these barriers are weaker."""
        return self.strength < _strength(other)

    def __le__(self, other: str) -> bool:
        """Whether these barriers are at most as strong."""
        return self.strength <= _strength(other)

    def __gt__(self, other: str) -> bool:
        """Whether these barriers are stronger."""
        return self.strength > _strength(other)

    def __ge__(self, other: str) -> bool:
        """Whether these barriers are at least as strong."""
        return self.strength >= _strength(other)


def _strength(level: str) -> int:
    # Not NotImplemented: Python would then let str compare the spelling.
    if not isinstance(level, Level):
        raise TypeError(f"a level compares with levels only, found a {type(level).__name__}")
    return level.strength


def gate(*, foreign: bool, isolation: Isolation, available: Level) -> tuple[Level, bool]:
    """Decide behind which barriers a procedure runs, or refuse to run it.

    Args:
        foreign: Whether the code is the controller's own (`entry`) and not one of ours.
        isolation: The case's `[sandbox] isolation`.
        available: The strongest level that can be had here.

    Returns:
        The level to run at, and whether the verdict is capped at inconclusive because of it.

    Raises:
        SandboxError: If the available barriers are weaker than the code or the case asks for. The message says the way out.
    """
    if isolation == "strict" and available < Level.CONFINED:
        raise SandboxError(
            f'isolation = "strict" asks for a sandbox at level {Level.CONFINED} or stronger, found level {available}: run the '
            'audit on a machine that offers it, or set isolation = "auto" in [sandbox]'
        )
    if available < Level.PROCESS:
        raise SandboxError(f"a procedure runs at level {Level.PROCESS} or stronger, found level {available}")
    if isolation == "none":
        # A controller's own code behind weak barriers could reach the inputs of its own audit, so its answers decide nothing.
        return Level.PROCESS, foreign
    if foreign and available < Level.CONFINED:
        raise SandboxError(
            f"the controller's own code ([procedure] entry) runs at level {Level.CONFINED} or stronger, found level {available}: "
            'run the audit on a machine that offers it, or set isolation = "none" in [sandbox] to run it at level '
            f"{Level.PROCESS}, which caps the verdict at inconclusive"
        )
    return available, False
