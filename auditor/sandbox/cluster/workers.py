"""Who the workers are: each is asked for its software, its machine and its barriers before anything of an audit runs there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from auditor import __version__
from auditor.sandbox import Level
from auditor.sandbox.runs import circumstances

_SOME: Final = 5
"""Distributions that one message names at most."""


@dataclass(frozen=True, slots=True)
class About:
    """What one worker process says of itself."""

    host: str
    level: Level
    """The strongest barriers that held when they were tried there."""
    token: str
    """Drawn by the process: another process at the same address has another one."""
    key: bytes
    machine: tuple[str, ...]


def about(said: bytes) -> tuple[About | None, tuple[str, ...]]:
    """Read what a worker says, and say what keeps it from working along with this auditor.

    Two sides of a comparison may run on different workers, and the evidence names one machine and one set of versions. So all
    must be the same: the auditor, Python, the C library, the processor, and every package that is installed here.
    """
    try:
        told = json.loads(said)
        read = About(
            str(told["host"]),
            Level(told["level"]),
            str(told["token"]),
            bytes.fromhex(told["key"]),
            tuple(map(str, told["machine"])),
        )
        return read, tuple(_differences(told, read))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, ("expected a worker with this version of the auditor, found one that answers otherwise",)


def _differences(told: Mapping[str, Any], read: About) -> list[str]:
    here, found, version = circumstances.software(), told["software"], told["auditor"]
    wrong = []
    if version != __version__:
        wrong.append(f"expected auditor {__version__}, found {version}")
    elif found.get("source") != here["source"]:
        wrong.append(f"expected the same source of auditor {__version__}, found another")
    wrong += [
        f"expected {_words(here[name])}, found {_words(found.get(name, ()))}"
        for name in ("python", "libc")
        if list(found.get(name, ())) != list(here[name])
    ]
    if read.machine != circumstances.machine():
        wrong.append(f"expected the machine {_words(circumstances.machine())}, found {_words(read.machine)}")
    if told.get("places") != circumstances.places():
        wrong.append(
            f"expected Python and the auditor at {_words(circumstances.places())}, found {_words(told.get('places', ()))}"
        )
    # A worker may have more installed than is here; what is here must be there.
    lacking = sorted(set(here["distributions"]) - set(found.get("distributions", ())))
    if lacking and not wrong:
        named = ", ".join(name.removesuffix(".dist-info").removesuffix(".egg-info") for name in lacking[:_SOME])
        more = f" and {len(lacking) - _SOME} more" if len(lacking) > _SOME else ""
        wrong.append(f"expected every package that is installed here, in its version, found none of {named}{more}")
    return wrong


def _words(parts: Any) -> str:
    return " ".join(map(str, parts)) or "none"
