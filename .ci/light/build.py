"""Says what goes into the distribution `auditor-verify`: files of the tree above, and requirements of its pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
PACKAGE: Final = "auditor_verify"
DECLARED: Final[dict[str, Any]] = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["auditor-verify"]
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def files() -> Iterator[tuple[Path, str]]:
    """Give every file of the tree that is in it, with its place in the wheel."""
    left_out = {found for pattern in DECLARED["without"] for found in ROOT.glob(pattern)}
    for path in _below(ROOT / "auditor"):
        if not left_out & {path, *path.parents}:
            yield path, f"{PACKAGE}/{path.relative_to(ROOT)}"
    for path in _below(ROOT / "templates"):
        if path.relative_to(ROOT).parts[1] != "case":
            yield path, f"{PACKAGE}/auditor/_bundled/{path.relative_to(ROOT)}"
    yield ROOT / "LICENSE", f"{PACKAGE}/LICENSE"


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)


def chosen(requirements: Iterable[str]) -> list[str]:
    """Choose the requirements on packages that are needed.

    Raises:
        ValueError: If one that is needed is not among them: it was renamed or taken out there.
    """
    by_name = {found.group(): line for line in requirements if (found := _NAME.match(line)) is not None}
    if lacking := sorted(set(DECLARED["needs"]) - by_name.keys()):
        raise ValueError(f"{ROOT / 'pyproject.toml'} does not require {', '.join(lacking)}")
    return [by_name[name] for name in DECLARED["needs"]]


class Metadata(MetadataHookInterface):
    """Takes version and requirements from the other distribution."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        source = (ROOT / "auditor" / "__init__.py").read_text(encoding="utf-8")
        metadata["version"] = re.findall(r'^__version__ = "([^"]+)"$', source, re.MULTILINE)[0]
        metadata["dependencies"] = chosen(project["dependencies"])
        metadata["optional-dependencies"] = {name: project["optional-dependencies"][name] for name in DECLARED["extras"]}


class Tree(BuildHookInterface):
    """Puts the package into the wheel, without rooms that run something."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (what hatchling calls)
        """List the files."""
        build_data["force_include"].update({str(path): place for path, place in files()})
