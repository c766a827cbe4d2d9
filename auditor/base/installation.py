"""What this installation can do, each part tried: Python, extras, the layout of PDFs, templates and fonts.

Two distributions are built from this tree. `auditor` audits, and everything else. `auditor-verify` holds what rechecks, renders
and compares results; rooms that run anything or read training data are not in it, nor are the packages that these need.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

from auditor.base import extras
from auditor.base.errors import AuditorError
from auditor.base.resources import templates

PANGO_PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
"""Debian's names for the libraries that WeasyPrint loads."""
_PANGO: Final = f"apt-get install {PANGO_PACKAGES}"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that an audit may need."""

    name: str
    found: str
    ok: bool
    needed: bool
    """Whether no audit can do without it; in an installation that only verifies, whether nothing works without it."""
    remedy: str = ""
    """What brings it, the command at its end."""
    command: str = ""
    """That command; empty where there is none."""
    brief: str = ""
    """What was found in few words, where it is long; empty where it is not."""


def tried(name: str, look: Callable[[], str], *, needed: bool, remedy: str, command: str = "") -> Part:
    """Try one part.

    Args:
        name: Of the part.
        look: Says what it found, or raises.
        needed: Whether nothing works without it.
        remedy: What to do where it is missing.
        command: What ends the remedy, where it is a command.
    """
    try:
        return Part(name, look(), ok=True, needed=needed)
    except (AuditorError, OSError, ImportError, LookupError) as error:
        # The name of a class tells a user something only where the message is not ours.
        ours = isinstance(error, AuditorError | LookupError)
        said = str(error) if ours else f"{type(error).__name__}: {error}"
        return Part(name, said.splitlines()[0], ok=False, needed=needed, remedy=remedy, command=command)


def python() -> Part:
    """Say which Python this is."""
    return Part("Python", platform.python_version(), ok=True, needed=True)


def packages(names: Iterable[str]) -> tuple[Part, ...]:
    """Try extras by their names, and the layout of PDFs, which is needed as soon as the extra for it is installed."""
    if extras.missing("report"):
        return tuple(map(_extra, names))
    remedy = f"install Pango, on Debian: {_PANGO}"
    return (*map(_extra, names), tried("PDF layout", _layout, needed=True, remedy=remedy, command=_PANGO))


def fonts() -> Part:
    """Look for the templates of reports and their fonts."""
    return tried("report templates and fonts", _fonts, needed=True, remedy="reinstall the package: its data files are missing")


def examine() -> tuple[Part, ...]:
    """Try every part of an installation that only verifies."""
    return (
        python(),
        *packages(("report", "mlflow")),
        fonts(),
        Part(
            "audits",
            "not in this installation",
            ok=False,
            needed=False,
            remedy=f"to audit: {extras.TO_AUDIT}",
            command=extras.TO_AUDIT,
        ),
    )


def _extra(name: str) -> Part:
    """An extra: what of it is installed, or what it is for and the command that brings it."""
    extra, lacking = extras.EXTRAS[name], extras.missing(name)
    there = ", ".join(f"{module} {version(extra.package_of(module))}" for module in extra.modules if module not in lacking)
    found = there if not lacking else f"not installed: {', '.join(lacking)}"
    brings = extras.command(name)
    return Part(f"extra {name}", found, ok=not lacking, needed=False, remedy=f"for {extra.serves}: {brings}", command=brings)


def _layout() -> str:
    import weasyprint  # noqa: PLC0415  (loads Pango, which may be missing)

    return f"WeasyPrint {weasyprint.__version__}"


def _fonts() -> str:
    found = sorted(templates().glob("fonts/*.otf"))
    if not found:
        raise LookupError(f"no font in {templates() / 'fonts'}")
    return f"{len(found)} bundled fonts"
