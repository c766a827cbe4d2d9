"""What this machine offers to an audit: each part is tried, not looked up."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from auditor.audit.devices import use
from auditor.base import extras, samples
from auditor.base.domain import Dataset
from auditor.base.errors import AuditorError
from auditor.base.resources import sample_models, templates
from auditor.sandbox import Learn, Limits, NoDeviceError, ProcedureSpec, Worker, control_groups, examined

PANGO_PACKAGES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
"""Debian's names for the libraries that WeasyPrint loads."""

_GROUP = "systemd-run --user --scope -p Delegate=yes auditor …"
_NO_GROUP = f"none is needed: the auditor counts memory itself; for a limit that the kernel keeps, start with: {_GROUP}"
_PANGO = f"apt-get install {PANGO_PACKAGES}"

_TOY = ProcedureSpec(use="certified-removal", entry=None, settings={"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8})


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that an audit may need."""

    name: str
    found: str
    ok: bool
    needed: bool
    """Whether no audit can do without it."""
    remedy: str = ""
    """What brings it, the command at its end."""
    command: str = ""
    """That command; empty where there is none."""
    brief: str = ""
    """What was found in few words, where it is long; empty where it is not."""


def examine() -> tuple[Part, ...]:
    """Try every part."""
    return (
        Part("Python", platform.python_version(), ok=True, needed=True),
        _tried("sandbox", _sandbox, needed=True, remedy="see the message; a temporary folder and fork must be available"),
        _tried("control group", _control_group, needed=False, remedy=_NO_GROUP, command=_GROUP),
        *map(_extra, extras.EXTRAS),
        *_layouts(),
        _tried("report templates and fonts", _fonts, needed=True, remedy="reinstall the package: its data files are missing"),
        _samples(),
        _tried("CUDA device", _cuda, needed=False, remedy="none is needed: built-in procedures compute on the CPU"),
    )


def _extra(name: str) -> Part:
    """An extra: what of it is installed, or what it is for and the command that brings it."""
    extra, lacking = extras.EXTRAS[name], extras.missing(name)
    there = ", ".join(f"{module} {version(module)}" for module in extra.modules if module not in lacking)
    found = there if not lacking else f"not installed: {', '.join(lacking)}"
    brings = extras.command(name)
    return Part(f"extra {name}", found, ok=not lacking, needed=False, remedy=f"for {extra.serves}: {brings}", command=brings)


def _layouts() -> tuple[Part, ...]:
    """The layout of PDFs, which is needed as soon as the extra for it is installed."""
    if extras.missing("report"):
        return ()
    remedy = f"install Pango, on Debian: {_PANGO}"
    return (_tried("PDF layout", _layout, needed=True, remedy=remedy, command=_PANGO),)


def _tried(name: str, look: Callable[[], str], *, needed: bool, remedy: str, command: str = "") -> Part:
    try:
        return Part(name, look(), ok=True, needed=needed)
    except (AuditorError, OSError, ImportError, LookupError) as error:
        # The name of a class tells a user something only where the message is not ours.
        ours = isinstance(error, AuditorError | LookupError)
        said = str(error) if ours else f"{type(error).__name__}: {error}"
        return Part(name, said.splitlines()[0], ok=False, needed=needed, remedy=remedy, command=command)


def _sandbox() -> str:
    toy = Dataset(np.array([[0.6, 0.8], [0.8, -0.6]]), np.array([0, 1]), np.array(["a", "b"]))
    with Worker(_TOY, {"train": toy}, limits=Limits(timeout_s=60.0), level=examined().level) as worker:
        worker.run(Learn("toy", np.arange(2, dtype=np.int64), 0))
    report = examined()
    held = sum(probe.held for probe in report.probes)
    reasons = "".join(f"; not {level.value}: {why}" for level, why in report.refused)
    return f"level {report.level.value}, {held} of {len(report.probes)} escapes stopped{reasons}; a toy model was trained inside"


def _control_group() -> str:
    try:
        return control_groups.found()
    except control_groups.NoGroupError as error:
        raise LookupError(error) from error


def _layout() -> str:
    import weasyprint  # noqa: PLC0415  (loads Pango, which may be missing)

    return f"WeasyPrint {weasyprint.__version__}"


def _fonts() -> str:
    fonts = sorted(templates().glob("fonts/*.otf"))
    if not fonts:
        raise LookupError(f"no font in {templates() / 'fonts'}")
    return f"{len(fonts)} bundled fonts"


def _samples() -> Part:
    name, found = "sample cases", samples.names()
    if not found:
        remedy = "reinstall the package: its data files are missing"
        return Part(name, f"no case in {sample_models()}", ok=False, needed=False, remedy=remedy)
    return Part(name, ", ".join(found), ok=True, needed=False, brief=f"{len(found)}; auditor init DIR --template NAME copies one")


def _cuda() -> str:
    try:
        place = use(_TOY, examined().level, Limits(timeout_s=60.0))
    except NoDeviceError as error:
        raise LookupError(error.reason) from error
    return f"{place.name}, used inside the sandbox"
