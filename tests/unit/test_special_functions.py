"""scipy.special as the project loads it: the same functions, without what SciPy would load of NumPy for nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import scipy.special

from auditor.maths import special

_SCRIPT = """
import json, sys
import numpy
before = list(numpy.__all__), sorted(dir(numpy))
from auditor.maths import special
special.ndtri(0.3)
compiled_alone = "scipy.special" not in sys.modules
special.logsumexp([0.3])
after = list(numpy.__all__), sorted(dir(numpy))
unused = [name for name in ("numpy.f2py", "numpy.testing", "numpy.ctypeslib") if name in sys.modules]
import scipy.special
same = all(getattr(special, name) is getattr(scipy.special, name) for name in special.__all__)
print(json.dumps([[*before] == [*after], unused, numpy.testing.__name__, compiled_alone, same]))
"""

_AMONG_THREADS = """
import json, sys, threading
from auditor.maths import special
ended = threading.Event()
other = threading.Thread(target=ended.wait)
other.start()
special.ndtri(0.3)
ended.set()
other.join()
print(json.dumps("scipy.special" in sys.modules))
"""


def test_what_is_unused_is_left_out_and_numpy_lists_the_same_names_before_and_after() -> None:
    # Its own process: this one has loaded everything.
    ran = subprocess.run([sys.executable, "-c", _SCRIPT], check=True, capture_output=True, text=True)
    assert json.loads(ran.stdout) == [True, [], "numpy.testing", True, True]


def test_the_whole_package_is_loaded_where_another_thread_might_ask_for_it() -> None:
    ran = subprocess.run([sys.executable, "-c", _AMONG_THREADS], check=True, capture_output=True, text=True)
    assert json.loads(ran.stdout) is True


def test_every_function_that_it_names_is_the_one_of_scipy() -> None:
    assert special.__all__
    assert all(getattr(special, name) is getattr(scipy.special, name) for name in special.__all__)


def test_a_name_that_scipy_lacks_is_refused() -> None:
    with pytest.raises(AttributeError, match="no_such_function"):
        _ = special.no_such_function
