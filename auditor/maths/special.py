"""Functions of scipy.special, which is loaded when the first of them is asked for.

Most are compiled, and those are loaded alone: what SciPy wraps around them takes four times as long. For the others SciPy goes
through everything that NumPy lists, and so loads a compiler of Fortran and a test framework that it makes no use of: half of
the time. NumPy does not list them while SciPy loads; anyone who names them gets them, then and later.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from scipy.special import (
        bdtr,
        bdtrc,
        betainc,
        betaincinv,
        betaln,
        chdtr,
        chdtri,
        digamma,
        erfcx,
        erfinv,
        expit,
        gammainccinv,
        gammaincinv,
        gammaln,
        logsumexp,
        ndtr,
        ndtri,
        polygamma,
        stdtrit,
        xlog1py,
        xlogy,
    )

__all__ = [
    "bdtr",
    "bdtrc",
    "betainc",
    "betaincinv",
    "betaln",
    "chdtr",
    "chdtri",
    "digamma",
    "erfcx",
    "erfinv",
    "expit",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "logsumexp",
    "ndtr",
    "ndtri",
    "polygamma",
    "stdtrit",
    "xlog1py",
    "xlogy",
]

_WHOLE: Final = "scipy.special"
_UNUSED: Final = frozenset({"ctypeslib", "f2py", "testing"})


def load() -> None:
    """Load SciPy in this way, before anything that imports another of its packages loads all that NumPy lists."""
    with _listed_less():
        import_module(_WHOLE)


def __getattr__(name: str) -> Any:
    """Load a function of scipy.special, and keep it under its name here."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with _listed_less():
        compiled = None if _WHOLE in sys.modules else _compiled()
        found = getattr(compiled if hasattr(compiled, name) else import_module(_WHOLE), name)
    globals()[name] = found
    return found


@cache
def _compiled() -> ModuleType | None:
    """The module that holds the compiled functions, without the package around it; None where that has to be loaded as well."""
    # Another thread that asks for the package must not come upon an empty one.
    if threading.active_count() > 1:
        return None
    around = ModuleType(_WHOLE)
    around.__path__ = [str(Path(folder) / "special") for folder in import_module("scipy").__path__]
    sys.modules[_WHOLE] = around
    try:
        return import_module(f"{_WHOLE}._ufuncs")
    except ImportError:  # in another version of SciPy they may need the package
        return None
    finally:
        del sys.modules[_WHOLE]


@contextmanager
def _listed_less() -> Iterator[None]:
    """Keep what nobody here uses out of the two lists of NumPy's names that a module which copies them all reads."""
    listed, submodules = list(np.__all__), set(getattr(np, "__numpy_submodules__", ()))
    np.__all__[:] = [each for each in listed if each not in _UNUSED]
    getattr(np, "__numpy_submodules__", set()).difference_update(_UNUSED)
    try:
        yield
    finally:
        np.__all__[:] = listed
        getattr(np, "__numpy_submodules__", set()).update(submodules)
