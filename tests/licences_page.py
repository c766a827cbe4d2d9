"""Writes docs/licences.md from the metadata of installed packages, for what requirements.lock installs: `python -m
tests.licences_page [ENVIRONMENT…]`, with further environments that hold what this one lacks (`make licences`)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from importlib.machinery import SourceFileLoader
from importlib.metadata import Distribution, distributions
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "licences.md"
_HEAD: Final = """# Licences of dependencies

What each package that [`requirements.lock`](../requirements.lock) installs says of its licence in its own metadata, and
PyTorch, which is installed apart ([installing](installing.md)).
Written by `make licences`; the versions are those of the lock.
*always* means needed without any extra.
`make sbom` lists what is installed as a CycloneDX document, `build/sbom.json`, with the same licences.

| package | version | licence | needed by |
| --- | --- | --- | --- |
"""
_SHORT: Final[Mapping[str, str]] = {
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Mozilla Public License 1.1 (MPL 1.1)": "MPL-1.1",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
    "Apache 2.0": "Apache-2.0",
    "APL 2": "Apache-2.0",
}
_LONGEST: Final = 60
_SAYS_NOTHING: Final = frozenset({"", "UNKNOWN", "OSI Approved"})


class Row(NamedTuple):
    """A line of the page."""

    package: str
    version: str
    licence: str
    needed_by: str


def lock_script() -> ModuleType:
    """The script that keeps the lock."""
    loader = SourceFileLoader("ci_lock", str(ROOT / ".ci" / "lock"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def locked() -> dict[tuple[str, str], str]:
    """What the lock installs, by name and version, and who needs it; PyTorch, with the version of the constraints."""
    script = lock_script()
    pins = script.read(script.LOCK.read_text(encoding="utf-8"))
    found = {(name, pin.version): ", ".join(sorted(pin.needed_by)) for name, pin in pins.items()}
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    version = re.search(rf"^{script.APART}==(\S+)$", constraints, re.MULTILINE)
    assert version is not None
    return dict(sorted({**found, (script.APART, version[1]): "all, networks"}.items()))


def listed() -> list[Row]:
    """The rows of the page as it lies there."""
    lines = PAGE.read_text(encoding="utf-8").removeprefix(_HEAD).splitlines()
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]


def page(environments: Iterable[Path]) -> str:
    """The page, from the metadata of these environments and of the one that runs.

    Raises:
        SystemExit: If a package of the lock is in none of them in its version.
    """
    paths = [*sys.path, *(str(each) for folder in environments for each in folder.glob("lib/python*/site-packages"))]
    found = distributions(path=paths)
    installed = {(canonicalize_name(each.metadata["Name"]), each.version.partition("+")[0]): each for each in found}
    wanted = locked()
    if lacking := [f"{name} {version}" for name, version in wanted if (canonicalize_name(name), version) not in installed]:
        raise SystemExit(f"not installed, so that their licences are unknown: {', '.join(lacking)}")
    rows = [
        Row(name, version, licence(installed[canonicalize_name(name), version]), by) for (name, version), by in wanted.items()
    ]
    return _HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def licence(package: Distribution) -> str:
    """What a package says: an SPDX expression, else its classifiers, else a short line of its own."""
    metadata = package.metadata
    own = (metadata.get("License") or "").strip()
    classifiers = [each.rpartition(" :: ")[2] for each in metadata.get_all("Classifier") or () if each.startswith("License ::")]
    classified = " or ".join(_SHORT.get(each, each) for each in classifiers if each not in _SAYS_NOTHING)
    if own in _SAYS_NOTHING or "\n" in own or len(own) > _LONGEST:
        own = ""
    named = [
        each for each in (metadata.get("License-Expression"), classified if classified != "BSD" else "", own, classified) if each
    ]
    return _SHORT.get(named[0], named[0]).replace("|", "/") if named else "in its files alone"


if __name__ == "__main__":
    PAGE.write_text(page(map(Path, sys.argv[1:])), encoding="utf-8")
