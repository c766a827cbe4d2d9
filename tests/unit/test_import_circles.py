"""No module imports one that imports it, at whatever remove: inside functions and for type checking neither.

So any module may be the first that a process imports, which is checked from the sources, for every module, and tried in fresh
processes for a few that draw, tell and plan.
"""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def modules() -> dict[str, Path]:
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "auditor").rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


def at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: nothing of functions, and nothing for type checking."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from at_once(node)


def imported(path: Path, known: dict[str, Path], walk: Callable[[ast.AST], Iterator[ast.AST]] = ast.walk) -> set[str]:
    found = set[str]()
    for node in walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written whole"
            whole = {f"{node.module}.{each.name}" for each in node.names}
            found |= {each if each in known else str(node.module) for each in whole}
    return found & set(known)


def test_imports_run_one_way() -> None:
    known = modules()
    assert len(known) > 500
    order = list(TopologicalSorter({name: imported(path, known) - {name} for name, path in known.items()}).static_order())
    assert set(order) == set(known)


def packages_above(name: str) -> set[str]:
    pieces = name.split(".")
    return {".".join(pieces[:end]) for end in range(1, len(pieces))}


def begun_by(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """What has to be whole before a module is: what it imports, and the packages around that, unless it lies in them itself."""
    targets = imported(path, known, at_once) - {name}
    around = {package for target in targets for package in packages_above(target)}
    return targets | (around - packages_above(name) - {name})


def test_any_module_may_be_the_first_that_a_process_imports() -> None:
    known = modules()
    order = list(TopologicalSorter({name: begun_by(name, path, known) for name, path in known.items()}).static_order())
    assert set(order) == set(known)


def test_a_package_that_imports_what_needs_one_of_its_modules_is_a_circle(tmp_path: Path) -> None:
    sources = {"p": "import p.a", "p.a": "import q", "p.c": "", "q": "import p.c"}
    known = {name: tmp_path / f"{name}.py" for name in sources}
    for name, path in known.items():
        path.write_text(sources[name], encoding="utf-8")
    list(TopologicalSorter({name: imported(path, known) - {name} for name, path in known.items()}).static_order())
    with pytest.raises(CycleError):
        list(TopologicalSorter({name: begun_by(name, path, known) for name, path in known.items()}).static_order())


@pytest.mark.parametrize(
    "first",
    [
        "swap.telling.figures.swap_quality",
        "revealing.telling.deletion_games",
        "data_deletion.telling.sentences",
        "data_deletion.planning.deletion_document",
    ],
)
def test_a_fresh_process_begins_with_it(first: str) -> None:
    subprocess.run([sys.executable, "-c", f"import auditor.parts.{first}"], check=True, capture_output=True, timeout=60)
