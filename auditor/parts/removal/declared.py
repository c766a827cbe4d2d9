"""What `[procedure] use = "certified-removal"` needs beyond its table: a budget that is whole, and labels that fit the loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from auditor.base.domain import Problem
from auditor.case import parsing
from auditor.case.declaration import Declaration
from auditor.parts.removal.settings import CertifiedRemoval


def read(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read the table; of the budget both keys are there or neither.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    found = parsing.table(file, "procedure", CertifiedRemoval, content)
    if ("epsilon" in content) == ("delta" in content):
        return found
    present, absent = ("epsilon", "delta") if "epsilon" in content else ("delta", "epsilon")
    problem = Problem(file, f"procedure.{absent}", f"{absent} with {present}: the removal budget needs both", "no such key")
    return [*(found if isinstance(found, list) else []), problem]


def fits(file: str, procedure: CertifiedRemoval, declared: Declaration) -> Iterator[Problem]:
    """Name what the loss cannot learn."""
    match procedure.loss, declared.text("data", "task"):
        case "logistic", "regression":
            yield Problem(file, "data.task", '"classification" for the loss "logistic"', '"regression"')
        case "least-squares", "classification":
            yield Problem(file, "data.task", '"regression" for the loss "least-squares"', '"classification"')
