# ruff: noqa: E501 - scripts, a line each
"""Scripts that change what their own statements mean: `init --from` refuses each with its line and the way out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from auditor.cli import run

HEAD = """import pandas as pd
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
"""
READ = 'df = pd.read_csv("people.csv")\n'
FIT = 'X = df[["age", "visits"]]\ny = df["churned"]\nmodel = LogisticRegression(C=C)\nmodel.fit(X, y)\n'
FIRST = HEAD.count("\n") + 1
"""The line on which what is tried begins."""
HELPERS = {
    "plain": "C = 0.01\n",
    "shadowing": "import functools\nfrom sklearn.linear_model import LogisticRegression as L\nLogisticRegression = functools.partial(L, C=1e-4)\n",
    "patching": "from sklearn.linear_model import LogisticRegression as L\nL.__init__.__kwdefaults__['C'] = 1e-4\n",
    "setting": "import numpy as np\nnp.random.seed(0)\n",
    "through": "import patching\n",
    "hiding": "from sklearn.linear_model import LogisticRegression\ndef prepare():\n    LogisticRegression.fit = None\n",
    "broken": "C = (\n",
    "quiet": 'import warnings\nimport logging\nwarnings.filterwarnings("ignore")\nlog = logging.getLogger("x")\nD = 1.0\nif __name__ == "__main__":\n    main()\n',
}
MEANING = "changes an imported name, function or class"
HIDDEN = "finds or changes names by their text"
ONCE = "gives each item once"
REFUSED = {
    "a method of an estimator": ("def fit(self, X, y):\n    return self\nLogisticRegression.fit = fit\n", 2, MEANING),
    "defaults of an estimator": ('LogisticRegression.__init__.__kwdefaults__["C"] = 1e-4\n', 0, HIDDEN),
    "defaults of an estimator, by a method": ("LogisticRegression.__init__.__kwdefaults__.update(C=1e-4)\n", 0, HIDDEN),
    "defaults by a name that is put together": (
        'getattr(LogisticRegression.__init__, "__kw" + "defaults__").update(C=1e-4)\n',
        0,
        MEANING,
    ),
    "the function that reads": ("import functools\npd.read_csv = functools.partial(pd.read_csv, nrows=50)\n", 1, MEANING),
    "a function of NumPy": ("np.sqrt = lambda v: v * 0\n", 0, MEANING),
    "a method by another name": ("L = LogisticRegression\nL.fit = None\n", 1, MEANING),
    "a method in a loop": ("for each in [LogisticRegression]:\n    each.fit = None\n", 1, MEANING),
    "a method as the target of a loop": ("for LogisticRegression.fit in [None]:\n    pass\n", 0, MEANING),
    "a method in a function": ("def patch(one):\n    one.fit = None\npatch(LogisticRegression)\n", 1, MEANING),
    "a method of what a function returns": ("def get():\n    return LogisticRegression\nL = get()\nL.fit = None\n", 3, MEANING),
    "a method by setattr": ('setattr(LogisticRegression, "fit", None)\n', 0, MEANING),
    "a method that is deleted": ("del LogisticRegression.fit\n", 0, MEANING),
    "a method of the class of an object": ("one = LogisticRegression()\ntype(one).fit = None\n", 1, MEANING),
    "a method by __class__": ("one = LogisticRegression()\none.__class__.fit = None\n", 1, MEANING),
    "a method by mock": ('from unittest import mock\nmock.patch.object(LogisticRegression, "fit").start()\n', 0, HIDDEN),
    "defaults of a function of one's own": ("def scale(v, by=2):\n    return v * by\nscale.__defaults__ = (3,)\n", 2, HIDDEN),
    "an attribute of a class of one's own": ("class Half:\n    factor = 0.5\nHalf.factor = 0.1\n", 2, MEANING),
    "an attribute by a class method": (
        "class Half:\n    factor = 0.5\n    @classmethod\n    def change(kind):\n        kind.factor = 1\nHalf.change()\n",
        4,
        MEANING,
    ),
    "a setting of one's own module": ("import plain\nplain.C = 3\n", 1, MEANING),
    "a list of one's own module": ("from plain import C as LIST\nLIST.append(3)\n", 1, MEANING),
    "a list by the method of its class": ("LIST = [1]\nlist.append(LIST, 2)\n", 1, MEANING),
    "a mutable default": (
        'def settings(cache={"C": 1.0}):\n    cache["C"] /= 100\n    return dict(cache)\nsettings()\n',
        0,
        "has a default",
    ),
    "a mutable default by another name": (
        "def take(kept=[1.0, 0.1]):\n    other = kept\n    return other.pop()\ntake()\n",
        0,
        "has a default",
    ),
    "a mutable default that is given out": ("def take(kept=[1.0, 0.1]):\n    return kept\n", 0, "has a default"),
    "a mutable default that stands above": ("LIST = [1.0]\ndef take(kept=LIST):\n    kept += [2.0]\n", 1, "has a default"),
    "a list that objects share": (
        "class Kept:\n    found = []\n    def __init__(self):\n        self.found.append(1)\n",
        3,
        "all objects of a class share",
    ),
    "an object that counts": (
        "class Next:\n    def __init__(self):\n        self.left = [1.0, 0.1]\n    def take(self):\n        return self.left.pop()\n",
        4,
        "changes its object with each call",
    ),
    "a star import": ("from plain import *\n", 0, "may give any name another meaning"),
    "a star import that shadows": ("from shadowing import *\n", 0, "import each name that is used"),
    "an iterator": ("values = iter([1.0, 1e-4])\n", 0, ONCE),
    "an iterator that is asked": ("values = [1.0]\nnext(values)\n", 1, ONCE),
    "an iterator by another name": ("make, take = iter, next\n", 0, ONCE),
    "a generator that two read": ("values = (each for each in [1.0, 1e-4])\nlist(values)\nD = list(values)\n", 0, ONCE),
    "a map that a function reads": ("values = map(float, [1, 2])\ndef take():\n    return list(values)\n", 0, ONCE),
    "a generator of one's own": ("def values():\n    yield 1.0\nfound = values()\nlist(found)\nD = list(found)\n", 2, ONCE),
    "a queue": ("from collections import deque\nvalues = deque([1.0, 1e-4])\nvalues.popleft()\n", 2, ONCE),
    "a walrus in a condition": ("D = 1.0\nif (D := D / 10) < 0.5:\n    pass\n", 1, "within an expression"),
    "a walrus in a comprehension": ("assert [D := each for each in (0.1, 1e-4)]\n", 0, "within an expression"),
    "a walrus for an import": ("print(LogisticRegression := None)\n", 0, "within an expression"),
    "a walrus for a built-in": ("print(len := sum)\n", 0, "within an expression"),
    "a match": ("match 1e-4:\n    case D:\n        pass\n", 0, "by patterns"),
    "the table of modules": ("import sys\nsys.modules[__name__].D = 1\n", 1, HIDDEN),
    "the table of modules by its name": ("from sys import modules as m\n", 0, HIDDEN),
    "where modules are found": ('import sys\nsys.path.insert(0, "other")\n', 1, "where modules are found"),
    "exec": ('exec("D = 1")\n', 0, HIDDEN),
    "eval": ('D = eval("1")\n', 0, HIDDEN),
    "globals": ('globals()["D"] = 1\n', 0, HIDDEN),
    "an import by its text": ('import importlib\nimportlib.import_module("patching")\n', 0, HIDDEN),
    "the built-in names": ("import builtins\n", 0, HIDDEN),
    "an object that counts by another name": (
        "class Next:\n    def __init__(self):\n        self.left = [1.0]\n    def take(self):\n        left = self.left\n        return left.pop()\n",
        5,
        "changes its object with each call",
    ),
    "a list that a function closes over": (
        "def make():\n    left = [1.0, 1e-4]\n    def take():\n        return left.pop()\n    return take\n",
        3,
        "what stands outside it",
    ),
    "a count that a function closes over": (
        "def make():\n    at = 0\n    def take():\n        nonlocal at\n        at += 1\n        return at\n    return take\n",
        3,
        "what stands outside it",
    ),
    "a list that a function takes from": (
        "LEFT = [1.0, 1e-4]\ndef take():\n    return LEFT.pop()\n",
        2,
        "what stands outside it",
    ),
    "a global of a class": ("class Kept:\n    global D\n    D = 1\n", 1, "what stands outside it"),
    "a method by a name of its own": ("LIST = [1.0]\nadd = LIST.append\nadd(1e-4)\n", 1, "not followed"),
    "a function that changes its argument": (
        "import operator\nTABLE = {'C': 1.0}\noperator.ior(TABLE, {'C': 1e-4})\n",
        2,
        "not followed",
    ),
    "a function of NumPy that does": ("LIST = np.array([1.0])\nnp.copyto(LIST, 1e-4)\n", 1, "not followed"),
    "an operation of NumPy in place": ("LIST = np.array([1.0])\nnp.multiply.at(LIST, 0, 1e-4)\n", 1, "not followed"),
    "an operation by its method": ("LIST = [1.0]\nmore = [LIST.__iadd__([1e-4])]\n", 1, "not followed"),
    "another script by a magic": ("get_ipython().run_line_magic('run', 'patching.py')\n", 0, HIDDEN),
    "an option of pandas": ('pd.set_option("mode.use_inf_as_na", True)\n', 0, "a setting of a library"),
}
OF_MODULES = {
    "patching": ("patching.py: line 2", HIDDEN),
    "setting": ("setting.py: line 2", "does something when it is imported"),
    "through": ("patching.py: line 2", HIDDEN),
    "hiding": ("hiding.py: line 3", MEANING),
    "broken": ("broken.py: line 1", "cannot be read"),
    "package.part": ("part.py: line 2", HIDDEN),
    "compiled": ("compiled.so: line 1", "cannot be read"),
}
CARRIED = {
    "settings of plots, of threads and of what is shown": 'import os\nimport matplotlib.pyplot as plt\nplt.rcParams["figure.figsize"] = (8, 4)\nplt.rcParams.update({"font.size": 9})\n'
    'os.environ["OMP_NUM_THREADS"] = "1"\npd.set_option("display.max_columns", 20)\npd.options.mode.chained_assignment = None\n',
    "an object of a class of one's own": "class Config:\n    def __init__(self):\n        self.seed = 3\ncfg = Config()\n",
    "a transformer": "from sklearn.base import BaseEstimator, TransformerMixin\nclass Half(TransformerMixin, BaseEstimator):\n    factor = 0.5\n    def fit(self, X, y=None):\n"
    "        self.n_ = X.shape[1]\n        return self\n    def transform(self, X):\n        return X * self.factor\n",
    "a default that is only read": 'def columns(table, names=("age", "visits"), more=[]):\n    return table[[*names, *more]]\n',
    "what is read at once": "pairs = dict(zip(['a'], [1]))\nfor at, each in enumerate(['a']):\n    print(at, each)\nfirst = next(each for each in ['age', 'visits'] if each != 'id')\n",
    "a map of a column": "small = df['age'].map({1: 2})\nprint(small.sum())\nprint(small.mean())\n",
    "a module of one's own that only defines": "import quiet\nfrom plain import C as D\n",
    "functions of NumPy that are called as methods are": "more = np.append([1], [2])\nless = np.insert(more, 0, 1)\n",
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = range(60)
    frame = pd.DataFrame(
        {"id": [f"P{at:03d}" for at in rows], "age": [20 + at % 50 for at in rows], "visits": [at % 17 for at in rows]}
    )
    frame["churned"] = ["yes" if at % 3 else "no" for at in rows]
    frame.to_csv(tmp_path / "people.csv", index=False)
    for name, text in HELPERS.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "package" / "part.py").write_text(HELPERS["patching"], encoding="utf-8")
    (tmp_path / "compiled.so").write_bytes(b"\x7fELF")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def begun(here: Path, text: str) -> int:
    (here / "train.py").write_text(text, encoding="utf-8")
    return run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"])


@pytest.mark.attempt("scripts that change what their own statements mean")
@pytest.mark.parametrize(("text", "line", "why"), REFUSED.values(), ids=REFUSED)
def test_a_script_that_changes_what_its_statements_mean_is_refused_with_its_line(
    text: str, line: int, why: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begun(here, HEAD + text + READ + "C = 1.0\n" + FIT) == 2
    said = [each for each in capsys.readouterr().err.splitlines() if why in each]
    assert any(f"train.py: line {FIRST + line}: expected " in each for each in said), said
    assert not (here / "made").exists()


@pytest.mark.attempt("scripts that change what their own statements mean")
@pytest.mark.parametrize("name", OF_MODULES)
def test_a_module_alongside_that_does_so_when_it_is_imported_is_refused(
    name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, why = OF_MODULES[name]
    assert begun(here, f"{HEAD}import {name}\n{READ}C = 1.0\n{FIT}") == 2
    said = capsys.readouterr().err
    assert any(where in each and why in each for each in said.splitlines()), said
    assert not (here / "made").exists()


@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
def test_an_ordinary_script_becomes_a_case(text: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert begun(here, HEAD + READ + text + "C = 1.0\n" + FIT) == 0, capsys.readouterr().err
    assert (here / "made" / "build.py").exists()
