# ruff: noqa: E501 - scripts, a line each
"""Scripts that change what is learned where no statement seems to: none becomes a case of another procedure."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_scripts_as_run import answers_of_case, here

from auditor.cli import run

__all__ = ["here"]
HEAD = "import numpy as np\nimport pandas as pd\nfrom sklearn.linear_model import LogisticRegression\n"
READ = 'df = pd.read_csv("people.csv")\n'
FIT = 'X = df[["age", "visits"]]\ny = df["churned"]\nmodel = LogisticRegression(C=C)\nmodel.fit(X, y)\n'
ALONE = FIT.replace("C=C", "C=0.5")
FILES = {
    "tqdm.py": 'def tqdm(found):\n    found["C"] = 1e-4\n    return [1]\n',
    "other.py": 'def print(found):\n    found["C"] = 1e-4\ndef sorted(found):\n    return ["visits"]\n',
    "later.py": "def shrink(model):\n    model.coef_ = model.coef_ * 0\n",
    "again.py": "def more(model, X, y):\n    model.fit(X, y)\n",
    "conf.ini": "[a]\nC = 0.0001\n",
}
CHANGING = 'def change(found):\n    found["C"] = 1e-4\n    return 3\nL = {"C": 1.0}\n'
C_OF_L = 'C = L["C"]\n'
REFUSED = {
    "the name of the module": READ + 'C = 1e-4 if __name__ == "__main__" else 1.0\n' + FIT,
    "the name of the file": "from pathlib import Path\n" + READ + 'C = {"train": 1e-4}.get(Path(__file__).stem, 1.0)\n' + FIT,
    "the path of the file by another name": READ + 'HERE = __file__\nC = 1e-4 if HERE.endswith("train.py") else 1.0\n' + FIT,
    "the text at its beginning": READ + "C = 1e-4 if __doc__ is None else 1.0\n" + FIT,
    "what lies around it": "import os\n" + READ + 'C = 10.0 ** -len(os.listdir("."))\n' + FIT,
    "a file that is there": "from pathlib import Path\n" + READ + 'C = 1e-4 if Path("train.py").exists() else 1.0\n' + FIT,
    "a file of settings": "import configparser\n" + READ + 'conf = configparser.ConfigParser()\nconf.read("conf.ini")\nC = conf.getfloat("a", "C", fallback=1.0)\n' + FIT,
    "a function that sorts in place": "import heapq\n" + READ + "L = [1.0, 1e-4]\nheapq.heapify(L)\nC = L[0]\n" + FIT,
    "a method that nobody knows": "from collections import OrderedDict\n" + READ + 'L = OrderedDict(a=1.0, b=1e-4)\nL.move_to_end("a")\nC = [*L.values()][0]\n' + FIT,
    "a method of sets": READ + "L = {1.0, 1e-4}\nL.difference_update({1.0})\nC = max(L)\n" + FIT,
    "a method that tables have too": "from collections import Counter\n" + READ + 'L = Counter(a=10)\nL.subtract(a=9)\nC = 1e-4 if L["a"] == 1 else 1.0\n' + FIT,
    "a column by its place": READ + "df.isetitem(1, 0)\n" + ALONE,
    "a part of an array": READ + 'A = df[["age", "visits"]].to_numpy().copy()\nB = A[:]\nB[:, 0] = 0\ny = df["churned"]\nmodel = LogisticRegression()\nmodel.fit(A, y)\n',
    "a table by another name of two": READ + 'N = df[["age", "visits"]]\nM, k = N, 1\nM *= 0\ny = df["churned"]\nmodel = LogisticRegression()\nmodel.fit(N, y)\n',
    "a table that a function finds": READ + 'def get():\n    return df\nZ = get()\nZ["age"] = 0\n' + ALONE,
    "where NumPy writes to, by place": READ + "a = np.array([1.0])\nb = np.multiply(a, 1e-4, a)\nC = a[0]\n" + FIT,
    "where a method writes to, by place": READ + "a = np.array([1.0])\nb = a.clip(0, 1e-4, a)\nC = a[0]\n" + FIT,
    "a function that sorts by": READ + CHANGING + "m = sorted([L], key=change)\n" + C_OF_L + FIT,
    "a function that reduces by": "import functools\n" + READ + CHANGING + "m = functools.partial(change, L)\nm()\n" + C_OF_L + FIT,
    "a thread": "import threading\n" + READ + CHANGING + "t = threading.Thread(target=change, args=(L,))\nt.start()\nt.join()\n" + C_OF_L + FIT,
    "a function that rows are given to": READ + 'L = {"C": 1.0}\ndef look(value):\n    other = L\n    other |= {"C": 1e-4}\n    return value\ndf["age"].apply(look)\n' + C_OF_L + FIT,
    "a default of a function": READ + CHANGING + "def other(x=change(L)):\n    pass\n" + C_OF_L + FIT,
    "the target within a comprehension": READ + 'L = {"C": 1.0}\nk = [0 for L["C"] in [1e-4]]\n' + C_OF_L + FIT,
    "an operator of one's own": READ + 'L = {"C": 1.0}\nclass K:\n    def __add__(self, other):\n        other |= {"C": 1e-4}\n        return other\nb = K() + L\n' + C_OF_L + FIT,
    "a module alongside that is called like a library": "from tqdm import tqdm\n" + READ + 'L = {"C": 1.0}\nfor k in tqdm(L):\n    pass\n' + C_OF_L + FIT,
    "a function of one's own that is called like a built-in": "from other import print\n" + READ + 'L = {"C": 1.0}\nprint(L)\n' + C_OF_L + FIT,
    "columns by a function that is called like a built-in": "from other import sorted\n" + READ + 'X = df[sorted(["age", "visits"])]\ny = df["churned"]\nmodel = LogisticRegression()\nmodel.fit(X, y)\n',
    "columns in an order of their own": READ + 'X = df[df.columns.difference(["id", "churned", "city", "spend"], sort=False)]\ny = df["churned"]\nmodel = LogisticRegression()\nmodel.fit(X, y)\n',
    "a model in a loop after fit": READ + "C = 1.0\n" + FIT + "for one in [model]:\n    one.coef_ = one.coef_ * 0\n",
    "a model in a mapping after fit": READ + "C = 1.0\n" + FIT + 'all_ = dict(a=model)\nall_["a"].coef_[:] = 0\n',
    "a model by place after fit": READ + "C = 1.0\n" + FIT + "np.multiply(model.coef_, 0, model.coef_)\n",
    "a model in a module alongside": "from later import shrink\n" + READ + "C = 1.0\n" + FIT + "shrink(model)\n",
    "a model that a module alongside fits again": "from again import more\n" + READ + "C = 1.0\n" + FIT + "more(model, X * 0, y)\n",
}  # fmt: skip
FOLLOWED = {
    "every second column": 'cols = ["age", "income", "visits"]\nX = df[cols[::2]]\n',
    "a number that or gives": 'k = 2 or 3\nX = df[["age"] if k == 1 else ["age", "visits"]]\n',
    "a number that and gives": 'k = 1 and 2\nX = df[["income"] if k == 1 else ["age", "visits"]]\n',
}  # fmt: skip


@pytest.mark.attempt("scripts that change what is learned unseen")
@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_script_that_changes_what_is_learned_unseen_is_refused(
    text: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in FILES.items():
        (here / name).write_text(content, encoding="utf-8")
    (here / "train.py").write_text(HEAD + text, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    assert "line " in capsys.readouterr().err
    assert not (here / "made").exists()


@pytest.mark.attempt("scripts that change what is learned unseen")
@pytest.mark.parametrize("text", FOLLOWED.values(), ids=FOLLOWED)
def test_constants_are_those_that_python_gives(text: str, here: Path) -> None:
    end = 'y = df["churned"]\nmodel = LogisticRegression(C=0.5)\nmodel.fit(X, y)\n'
    found = []
    for name, chosen in (("made", text), ("plain", 'X = df[["age", "visits"]]\n')):
        (here / "train.py").write_text(HEAD + READ + chosen + end, encoding="utf-8")
        assert run(["init", name, "--data", "people.csv", "--id", "id", "--from", "train.py", "--quiet"]) == 0
        found.append(answers_of_case(here / name))
    assert abs(found[0] - found[1]).max() < 1e-6


def test_a_helper_that_measures_a_model_is_no_reason_to_refuse(here: Path) -> None:
    helper = "import os\ndef show(model, X, y):\n    table = X.copy()\n    table['found'] = model.predict(X)\n    return table\n"
    (here / "showing.py").write_text(helper, encoding="utf-8")
    text = "from pathlib import Path\nfrom showing import show\nHERE = Path(__file__).resolve().parent\n"
    text += 'df = pd.read_csv(HERE / "people.csv")\nC = 1.0\nprint(df.describe())\ndf.info()\nprint(sorted([3, 1]))\n' + FIT
    text += 'print(show(model, X, y))\nprint(model.score(X, y))\nif __name__ == "__main__":\n    print("done")\n'
    (here / "train.py").write_text(HEAD + text, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py", "--quiet"]) == 0
