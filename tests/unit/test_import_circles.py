"""No module imports one that imports it, at whatever remove: inside functions and for type checking neither."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules() -> dict[str, Path]:
    named = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / "auditor").rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
