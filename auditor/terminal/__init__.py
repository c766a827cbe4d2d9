"""What commands share, those of the core and those that parts bring: options and arguments, and how they print.

options     options that several commands take, and the words that they take
output      results on stdout, narration and errors on stderr
progress    what long work shows of itself
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import typer


@dataclass(frozen=True, slots=True)
class Command:
    """A command, or a group of commands, with its place in the help. A part names its own in `COMMANDS`."""

    name: str
    runs: Callable[..., object] | typer.Typer
    """A function whose parameters are the command's options, and whose docstring is its help; or a group."""
    example: str = ""
    """Of a command, without the program's name; commands of a group have their own."""
    after: str = ""
    """The command that it follows in the help; empty for the last."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How its words are read, where that is not as usual."""
    verifies: bool = False
    """Whether an installation that only verifies has it: it needs nothing but evidence and what was made of it."""
