"""A clean environment with the package from its wheel, and no other package than a plain installation has.

Of the distribution that only verifies too: its folder is `LIGHT`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

from packaging.requirements import Requirement

from cases import SAMPLES

ROOT = SAMPLES.parent
LIGHT = ROOT / ".ci" / "light"


def needed(extras: tuple[str, ...] = ()) -> set[str]:
    """The packages that an installation of the project brings, by name; from those that are installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return closure([*project["dependencies"], *(line for each in extras for line in project["optional-dependencies"][each])])


def light() -> ModuleType:
    """The script that says what goes into the distribution that only verifies."""
    spec = importlib.util.spec_from_file_location("light_build", LIGHT / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def needed_to_verify(extras: tuple[str, ...] = ()) -> set[str]:
    """The packages that an installation of that distribution brings, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = light().chosen(project["dependencies"])
    return closure([*asked, *(line for each in extras for line in project["optional-dependencies"][each])])


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


def wheel(folder: Path, source: Path = ROOT) -> Path:
    """The wheel of a distribution, built from the checkout without a network."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(source)], check=True)
    (built,) = folder.glob("auditor-*.whl" if source == ROOT else "auditor_verify-*.whl")
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
    programs = bare(folder, needed(extras) | closure(others))
    install(programs, wheel(folder))
    return programs


def bare(folder: Path, wanted: Iterable[str]) -> Path:
    """Make an environment with some packages of this one, and without the project; where its programs lie."""
    venv.create(folder / "venv", with_pip=False)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    for part in {part for package in wanted for part in parts(package)}:
        _take(part, packages / part.name)
    return folder / "venv" / "bin"


def install(programs: Path, built: Path) -> None:
    """Install one wheel into an environment, and nothing that it needs."""
    unpack = [*_pip(programs), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*unpack, str(built)], check=True)


def remove(programs: Path, package: str) -> None:
    """Remove one package from an environment."""
    subprocess.run([*_pip(programs), "uninstall", "--quiet", "--yes", package], check=True)


def _pip(programs: Path) -> list[str]:
    return [sys.executable, "-m", "pip", "--python", str(programs.parent)]
