"""Closed-form statements: each rule turns numbers into a certificate, by arithmetic that anyone can repeat.

A module of this folder that holds rules names them in its constant `RULES`; the folder is listed, so that a new rule is
one new file and nothing else. The same listing feeds the audit, the calculator, the recheck of evidence and the report.

What lists them is imported when it is asked for: procedures of ours take their arithmetic from this folder, in processes that
derive no certificate and that would load pydantic for nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.maths.certificates.listing import derive, disagreements, rederive, rules

__all__ = ["derive", "disagreements", "rederive", "rules"]


def __getattr__(name: str) -> Any:
    """Find a name of `listing`."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.listing"), name)
