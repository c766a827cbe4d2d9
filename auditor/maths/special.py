"""Functions of scipy.special, which is loaded when the first of them is asked for.

SciPy then goes through everything that NumPy lists, and so loads a compiler of Fortran and a test framework that it makes no use
of: half of the time. NumPy does not list them while SciPy loads; anyone who names them gets them, then and later.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
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

_UNUSED: Final = frozenset({"ctypeslib", "f2py", "testing"})


def load() -> None:
    """Load SciPy in this way, before anything that imports another of its packages loads all that NumPy lists."""
    __getattr__("ndtr")


def __getattr__(name: str) -> Any:
    """Load a function of scipy.special, and keep it under its name here."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with _listed_less():
        found = getattr(import_module("scipy.special"), name)
    globals()[name] = found
    return found


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
