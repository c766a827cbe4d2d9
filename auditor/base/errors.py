"""What can go wrong, as one tree. Each class knows the exit code that the command line maps it to.

AuditorError            4   the auditor itself failed
├── UsageError          2   a command was called in a way that it does not offer
├── InputError          2   an input is missing or wrong; carries every Problem that was found
├── PartError           2   a part of a third party is not installed, or brings what no such part may bring
├── LackingPartError    3   evidence rests on a part that is not installed here, or is another one
├── SandboxError        4   the sandbox could not be set up, or is weaker than the case asks for
├── ProcedureError      4   the audited procedure crashed, hung, or answered with something that is no answer
├── ReportError         4   the report could not be rendered
├── StorageError        4   a disk is full or broken: something could not be written or removed
└── SignatureError      1   a signed statement does not hold: what it is, what it is signed with, or what it says
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from auditor.base.domain import Problem


class AuditorError(Exception):
    """Any failure that a user can read about in one message."""

    exit_code: ClassVar[int] = 4


class UsageError(AuditorError):
    """A command or option was used in a way that it does not offer."""

    exit_code = 2


class InputError(AuditorError):
    """One or more inputs are missing or wrong."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems and make one message of them, a line each."""
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class PartError(AuditorError):
    """A part of a third party is not installed, cannot be loaded, or brings what no such part may bring."""

    exit_code = 2


class PartFailedError(AuditorError):
    """A check of a third party's part could not judge what was observed."""

    exit_code = 4


class LackingPartError(AuditorError):
    """Evidence rests on a part of a third party that is not installed here, or is another one than took part."""

    exit_code = 3


class SandboxError(AuditorError):
    """The sandbox could not be set up, or it is weaker than the case asks for."""


class ProcedureError(AuditorError):
    """The audited procedure crashed, ran out of time, or gave an answer that is not one.

    Attributes:
        stderr_tail: The last lines that the procedure wrote to stderr, for the terminal only: they may hold personal data.
    """

    def __init__(self, message: str, *, stderr_tail: str = "") -> None:
        """Keep the message and, apart from it, what the procedure printed last."""
        super().__init__(message)
        self.stderr_tail = stderr_tail


class ReportError(AuditorError):
    """The report could not be rendered."""


class StorageError(AuditorError):
    """Something could not be written or removed, though it was asked for rightly: the disk is full or broken, say."""


class SignatureError(AuditorError):
    """A signed statement does not hold: it is no envelope, is not signed by this key, or its content is no statement."""

    exit_code = 1
