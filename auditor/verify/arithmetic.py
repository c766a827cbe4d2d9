"""Certificates: each derived again from its inputs by the rule that its kind names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from auditor.certificates import disagreements, rederive
from auditor.domain import Certificate
from auditor.evidence import Evidence
from auditor.verify.numbers import shown
from auditor.verify.outcome import Part, part


def recheck_certificates(evidence: Evidence) -> Part:
    """Derive every certificate again and name the fields that come out otherwise."""
    return part(
        "certificates",
        (
            (f"certificates[{index}] {certificate.kind}", _differences(certificate))
            for index, certificate in enumerate(evidence.certificates)
        ),
    )


def _differences(certificate: Certificate) -> Iterator[str]:
    paths = disagreements(certificate)
    if paths == ("kind",):
        yield "kind is no rule of this version, so nothing can be derived again"
        return
    if paths == ("inputs",):
        yield "inputs cannot be read as the inputs of its rule"
        return
    if not paths:
        return
    derived = rederive(certificate)
    for path in paths:
        yield f"{path} is {shown(_at(certificate, path))}, its inputs give {shown(_at(derived, path))}"


def _at(value: Any, path: str) -> Any:
    """The value at a path of names and list positions; None where there is none."""
    for step in path.split("."):
        if is_dataclass(value) and step in {field.name for field in fields(value)}:
            value = getattr(value, step)
        elif isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | tuple) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
