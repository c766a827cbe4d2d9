"""A clean environment with the package from its wheel, and no other package than a plain installation has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from cases import SAMPLES

ROOT = SAMPLES.parent


def needed(extras: tuple[str, ...] = ()) -> set[str]:
    """The packages that an installation of the project brings, by name; from those that are installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return closure([*project["dependencies"], *(line for each in extras for line in project["optional-dependencies"][each])])


def closure(requirements: Iterable[str]) -> set[str]:
    """The packages that are asked for, and those that they need."""
    waiting = {(Requirement(line).name.lower(), each) for line in requirements for each in ("", *Requirement(line).extras)}
    seen: set[tuple[str, str]] = set()
    while waiting:
        seen.add(asked := waiting.pop())
        for requirement in map(Requirement, distribution(asked[0]).requires or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": asked[1]}):
                waiting |= {(requirement.name.lower(), each) for each in ("", *requirement.extras)} - seen
    return {package for package, _ in seen}


def parts(package: str) -> set[Path]:
    """Every folder and file at the top of site-packages that belongs to a package."""
    found = distribution(package)
    tops = {file.parts[0] for file in found.files or () if file.parts[0] not in {"..", "__pycache__"}}
    return {Path(str(found.locate_file(top))) for top in tops}


def wheel(folder: Path) -> Path:
    """The package's wheel, built from the checkout without a network."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("auditor-*.whl")
    return built


def _take(part: Path, to: Path) -> None:
    """Link files, not folders: the sandbox lets a procedure read what lies in its environment, not where links lead."""
    if part.is_dir():
        shutil.copytree(part, to, copy_function=_link, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    else:
        _link(part, to)


def _link(file: str | Path, to: str | Path) -> None:
    try:
        os.link(file, to)
    except OSError:  # another disk
        shutil.copy2(file, to)


def environment(folder: Path, extras: tuple[str, ...] = (), others: tuple[str, ...] = ()) -> Path:
    """Make an environment with the wheel and what it needs; where its programs lie.

    Args:
        folder: A new folder.
        extras: Extras of the package to have as well.
        others: Further packages, with what they need.
    """
    venv.create(folder / "venv", with_pip=False)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    for part in {part for package in needed(extras) | closure(others) for part in parts(package)}:
        _take(part, packages / part.name)
    unpack = [sys.executable, "-m", "pip", "--python", str(folder / "venv"), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*unpack, str(wheel(folder))], check=True)
    return folder / "venv" / "bin"
