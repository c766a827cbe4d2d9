"""Which libraries a procedure's process loads in any case, known from its specification: a worker can start with them loaded.

Every name is in one of the lists below, whatever the case says: libraries alone, loaded by the names that their own documentation
gives. No code of a case is read as code here, and none is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from auditor import learning
from auditor.base.domain import Code
from auditor.case import estimators
from auditor.sandbox.steps import ProcedureSpec

_AROUND_ESTIMATORS: Final = (
    *("base", "cluster", "compose", "covariance", "decomposition", "exceptions", "feature_extraction", "feature_selection"),
    *("impute", "inspection", "kernel_approximation", "manifold", "metrics", "mixture", "model_selection", "pipeline"),
    *("preprocessing", "random_projection", "utils"),
)
_FOR_USERS: Final = b"auditor.api"
_TRAINING_LOOP: Final = f"{learning.__name__}.training_loop"
_SKOPS: Final = "skops.io"
"""It lists every estimator of scikit-learn when it is loaded, and so loads PyTorch too, which takes seconds."""
_OPTIMISERS: Final = f"{learning.__name__}.optimisers_noted"
_PREPARED: Final = f"{learning.__name__}.prepared"
_LIBRARIES: Final = frozenset(
    {"lightgbm", "pandas", "scipy", "sklearn", "torch", "torch.nn", "torch.nn.functional", "torch.utils.data", "xgboost"}
    | {f"scipy.{name}" for name in ("linalg", "optimize", "sparse", "spatial", "special", "stats")}
    | {f"sklearn.{name}" for name in _AROUND_ESTIMATORS}
    | estimators.PACKAGES
    | {_TRAINING_LOOP}
)
_OF_TABLES: Final = ("auditor.sandbox.frames", "pyarrow", f"{learning.__name__}.tables_noted")
"""What hands a table over, and the libraries of it: whether the case's own code names them or not."""
ALWAYS: Final = "auditor.sandbox.child"
"""The module that every worker is; it loads NumPy."""
NOTED: Final = "auditor.sandbox.object_walk"
"""What walks through a process: one that has loaded it notes what is there before code of a case is."""
# At the beginning of a line alone: what is imported when a function runs may never be.
_IMPORT: Final = re.compile(rb"^(?:from|import)[ \t]+([A-Za-z_][A-Za-z0-9_.]{0,60})", re.MULTILINE)

_LOOP: Final = re.compile(rb"\bTrainingLoop\b")
_OPTIMISED: Final = re.compile(rb"\boptim\b|\bTrainingLoop\b")


def modules(spec: ProcedureSpec, *, tables: bool) -> tuple[str, ...]:
    """List modules that the process of a procedure will import, in a stable order; each is a library's or ours.

    Args:
        spec: The procedure.
        tables: Whether it is given tables of mixed columns.
    """
    found = {ALWAYS} | ({*_OF_TABLES} if tables else set())
    if spec.code is not None and not spec.whole:
        found.add(NOTED)
    if spec.use is not None and spec.use in learning.builders():
        found.add(learning.builders()[spec.use].partition(":")[0])
    if spec.use is not None and "estimator" in spec.settings:
        found.update(_library(str(spec.settings.get("estimator", ""))))
    if spec.use is not None and spec.settings.get("file_kind") == "skops":
        found.add(_SKOPS)
    prepare = str(spec.settings.get("prepare", "")) if spec.use is not None else ""
    if prepare:
        found.add(_PREPARED)
    for code in (spec.code, spec.requester_code):
        for name in () if code is None else _imports(code, prepare):
            found.update(_library(name))
        # The first optimiser of PyTorch's that is made loads its compiler, whether it compiles anything or not.
        if code is not None and any(_OPTIMISED.search(file.content) for file in code.files) and "torch" in found:
            found |= {"torch._dynamo", _OPTIMISERS}
    return tuple(sorted(found))


def _imports(code: Code, prepare: str) -> Iterator[str]:
    """The names that the files of entry and preparation import, and those that the case's files do which they import."""
    files = {file.name.removesuffix(".py").removesuffix("/__init__"): file for file in reversed(code.files)}
    waiting = [code.files[0], *(file for file in code.files[1:] if file.name == prepare)]
    met = {file.name for file in waiting}
    while waiting:
        content = waiting.pop().content
        for name in _IMPORT.findall(content):
            # The module for users gives its names when they are asked for.
            yield _TRAINING_LOOP if name == _FOR_USERS and _LOOP.search(content) else name.decode()
            file = files.get(name.decode().replace(".", "/"))
            if file is not None and file.name not in met:
                met.add(file.name)
                waiting.append(file)


def _library(name: str) -> Iterator[str]:
    """The longest beginning of a dotted name that is in the list."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        if (beginning := ".".join(parts[:length])) in _LIBRARIES:
            yield beginning
            return
