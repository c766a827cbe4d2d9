"""One warning about a case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning, by the id of its message and what that takes."""

    code: str
    given: dict[str, Any] = field(default_factory=dict)
