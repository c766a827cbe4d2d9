"""The optional parts of an installation: what each is for, whether it is there, and the command that brings it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from auditor.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class Extra:
    """One extra of the package."""

    serves: str
    """What it is for, after "for"."""
    modules: tuple[str, ...]
    """What is imported of it, each a package of the same name unless `packages` says otherwise."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Of modules whose package has another name."""

    def package_of(self, module: str) -> str:
        """Name the package that brings a module."""
        return self.packages.get(module, module)


EXTRAS: Final[Mapping[str, Extra]] = {
    "report": Extra("reports, letters and plans as PDF, and comparing pages", ("weasyprint", "pypdfium2")),
    "networks": Extra("training networks with PyTorch", ("torch", "opacus")),
    "dask": Extra("runs on the workers of a Dask cluster", ("dask", "distributed", "fsspec")),
    "ray": Extra("runs on the workers of a Ray cluster", ("ray", "fsspec")),
    "controllers": Extra("a search for histories of whole controllers", ("hypothesis",)),
    "mlflow": Extra("audits as runs of MLflow, and models of its registry", ("mlflow",), {"mlflow": "mlflow-skinny"}),
}
"""The extras by the name that pip knows them by."""


TO_AUDIT: Final = "pip install auditor"
"""What an installation that only verifies lacks."""


class MissingExtraError(UsageError):
    """Something was asked for that needs an extra which is not installed."""


def verifies_only() -> bool:
    """Whether this is the installation `auditor-verify`, which has no room that runs anything."""
    return not _found("auditor.sandbox")


def program() -> str:
    """Name the distribution that is installed here, which its command is called as."""
    return "auditor-verify" if verifies_only() else "auditor"


def command(extra: str) -> str:
    """Give the command that installs an extra."""
    return f"pip install '{program()}[{extra}]'"


def missing(extra: str) -> tuple[str, ...]:
    """List the packages of an extra that are not installed; nothing is imported."""
    return tuple(module for module in EXTRAS[extra].modules if not _found(module))


def require(extra: str, purpose: str) -> None:
    """See that an extra is installed.

    Args:
        extra: Its name.
        purpose: What needs it, at the start of a sentence.

    Raises:
        MissingExtraError: If a package of it is not installed; the message ends with the command that installs it.
    """
    if lacking := missing(extra):
        verb = "is" if len(lacking) == 1 else "are"
        raise MissingExtraError(f"{purpose} needs {' and '.join(lacking)}, which {verb} not installed: {command(extra)}")


def extra_of(module: str) -> str | None:
    """Name the extra that brings a module; None for a module that every installation has, or that is not ours."""
    top = module.partition(".")[0]
    return next((name for name, extra in EXTRAS.items() if top in extra.modules), None)


def _found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a finder refuses it, or it was taken out of sys.modules
        return False
