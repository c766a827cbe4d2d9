"""Scripts of many styles: the case's model answers as the script's own, which is run here, or the script is refused with its line."""

from __future__ import annotations

import importlib.util
import json
import runpy
import tomllib
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from auditor import case as cases
from auditor.cli import run
from auditor.learning.wrapped import Wrapped
from auditor.sandbox import frames

# ruff: noqa: E501 - scripts, a line each
# Each ends with keep(model, X), whose answers are compared.
SCRIPTS = {
    "a class with a name of prepare.py": """
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

class Columns:
    features = ["age", "income"]

df = pd.read_csv("people.csv")
df["income"] = df["income"] / 1000
X = df[["age", "income"]]
model = DecisionTreeClassifier(max_depth=len(Columns.features), random_state=0)
model.fit(X, df["churned"])
keep(model, X)
""",
    "a search over a pipeline, paths by pathlib, a query": """
from pathlib import Path
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

DATA = Path(__file__).resolve().parent / f"people.csv"
NUM, CAT = ["age", "income", "visits"], ["city"]

def read() -> pd.DataFrame:
    table = pd.read_csv(DATA)
    table.columns = [c.strip().lower() for c in table.columns]
    return table.query("age >= 20 and visits < 39")

def pipeline():
    prep = ColumnTransformer([("n", StandardScaler(), NUM), ("c", OneHotEncoder(handle_unknown="ignore"), CAT)])
    return Pipeline([("prep", prep), ("rf", RandomForestClassifier(random_state=1, n_estimators=5))])

def main():
    table = read()
    X, y = table[NUM + CAT], table["churned"]
    search = GridSearchCV(pipeline(), {"rf__max_depth": [2, 4]}, cv=2)
    search.fit(X, y)
    keep(search, X)

if __name__ == "__main__":
    main()
""",
    "a calibrated model, cross validation alongside fit, a target from a comparison": """
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.svm import LinearSVC

def load_people(folder=".", name="people"):
    path = f"{folder}/{name}.csv"
    return pd.read_csv(path)

def add_features(df):
    df = df.copy()
    df["per_visit"] = df["income"] / (df["visits"] + 1)
    return df

def train():
    df = add_features(load_people())
    target = (df["churned"] == "yes")
    X = df[["age", "income", "visits", "per_visit"]] / 1000
    Xtr, Xte, ytr, yte = train_test_split(X, target, test_size=0.3, random_state=5, stratify=target)
    clf = CalibratedClassifierCV(LinearSVC(random_state=0, dual=False), cv=3)
    print(cross_val_score(clf, Xtr, ytr, cv=3).mean())
    clf.fit(Xtr, ytr)
    keep(clf, X)

train()
""",
    "a regression of a chain": """
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split

def get_data():
    return (
        pd.read_csv("people.csv")
        .rename(columns={"age": "Age"})
        .dropna(subset=["income"])
        .assign(rate=lambda d: d["income"] / d["Age"])
    )

data = get_data()
y = data.pop("spend")
X = data.select_dtypes("number")
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=3)
model = HistGradientBoostingRegressor(max_iter=10, random_state=0)
model.fit(X_train, y_train)
keep(model, X)
""",
    "names that prepare.py has too": """
import pandas as pd
from lightgbm import LGBMClassifier

df = pd.read_csv("people.csv")
df["city"] = df["city"].astype("category")
features = [c for c in df.columns if c not in ("id", "churned", "spend")]
labels = "churned"
y = df[labels].eq("yes").astype(int)
final = LGBMClassifier(n_estimators=5, num_leaves=8, verbosity=-1, n_jobs=1, random_state=1)
final.fit(df[features], y)
keep(final, df[features])
""",
    "a frame that is made of columns, and a loader that may stop": """
import os
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
HERE = os.path.dirname(os.path.abspath(__file__))

def load_table(name):
    df = pd.read_csv(os.path.join(HERE, name))
    if df.empty:
        raise SystemExit("nothing")
    return df

def make_features(df):
    bins = pd.cut(df["age"], bins=[0, 30, 50, 100], labels=[0, 1, 2]).astype(int)
    return pd.DataFrame({"band": bins, "income": df["income"], "visits": np.log1p(df["visits"])})

if __name__ == "__main__":
    people = load_table("people.csv")
    X, y = make_features(people), np.where(people["churned"] == "yes", 1, 0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    model.fit(X, y)
    keep(model, X)
""",
    "settings in a class, a file that is open while it is read": """
from dataclasses import dataclass
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

@dataclass
class Config:
    path: str = "people.csv"
    seed: int = 3

cfg = Config()

def load(cfg):
    with open(cfg.path) as f:
        return pd.read_csv(f)

df = load(cfg)
X = df.filter(items=["age", "income", "visits"])
y = df["churned"]
model = RandomForestClassifier(5, random_state=cfg.seed)
model.fit(X, y)
keep(model, X)
""",
    "a table that is read twice, and main as the exit code": """
import sys
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

def load():
    return pd.read_csv("people.csv")

def explore():
    df = load()
    print(df.describe())

def build(depth=2):
    return DecisionTreeClassifier(max_depth=depth, random_state=0)

def main():
    explore()
    df = load()
    if df.empty:
        print("nothing")
        return 1
    X = df[["age", "income", "visits"]]
    model = build(depth=6)
    y = load()["churned"]
    model.fit(X, y)
    keep(model, X)
    return 0

if __name__ == "__main__":
    raise SystemExit(main())
""",
}
LOAD = 'def load():\n    return pd.read_csv("people.csv")\n'
FIT = 'X = df[["age", "income", "visits"]]\nmodel = DecisionTreeClassifier(random_state=0)\nmodel.fit(X, df["churned"])\n'
INNER = FIT.replace("\n", "\n    ")
REFUSED = {
    "a loader that gives one of two tables": (
        f'def load(fast=False):\n    df = pd.read_csv("people.csv")\n    if fast:\n        return df.head(9)\n    return df\ndf = load()\n{FIT}',
        "line 3: expected one return, at its end",
    ),
    "a training within a class": (
        """class Trainer:
    def run(self):
        df = pd.read_csv("people.csv")
        model = DecisionTreeClassifier()
        model.fit(df[["age"]], df["churned"])
Trainer().run()
""",
        "line 3: expected statements at the top of the file or in functions",
    ),
    "a decorated main": (f'import click\n@click.command()\ndef main():\n    df = pd.read_csv("people.csv")\n    {INNER}\nmain()\n', "line 5"),
    "a main that nothing calls": (f'def main():\n    df = pd.read_csv("people.csv")\n    {INNER}\n', "which nothing calls"),
    "a training with any arguments": (
        f"{LOAD}def train(df, **more):\n    {INNER}\ntrain(load())\n",
        "line 5: expected its arguments by their names",
    ),
    "a loader of another file": (f"from helpers import load_data\ndf = load_data()\n{FIT}", "line 4: expected pd.read_csv in the script itself"),
    "a file that is written between two readings": (
        LOAD
        + """old = load()
old.assign(age=1).to_csv("people.csv")
df = load()
X = old[["age"]]
y = df["churned"]
model = DecisionTreeClassifier()
model.fit(X, y)
""",
        "reads a second file",
    ),
    "a frame of arrays, whose rows are numbered anew": (
        """import numpy as np
df = pd.read_csv("people.csv")
df = df[df["age"] > 30]
X = pd.DataFrame({"old": np.where(df["age"] > 60, 1, 0)})
y = df["churned"]
model = DecisionTreeClassifier()
model.fit(X, y)
""",
        "line 6: expected a change: use pandas or NumPy column by column",
    ),
    "the same call of another file": (
        'for name in ["old.csv", "people.csv"]:\n    df = pd.read_csv(name)\n' + FIT,
        "made in a loop",
    ),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(7)
    rows = 120
    age, income, visits = rng.integers(18, 80, rows), rng.normal(3000, 500, rows).round(2), rng.integers(0, 40, rows)
    frame = pd.DataFrame({"id": [f"P{at:03d}" for at in range(rows)], "age": age, "income": income, "visits": visits})
    frame["city"] = rng.choice(["Berlin", "Köln", "Mainz"], rows)
    frame["spend"] = (income / 10 + 3 * visits - age).round(2)
    frame["churned"] = np.where(visits + rng.normal(0, 8, rows) < 15, "yes", "no")
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "helpers.py").write_text(LOAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def answers_of_case(folder: Path) -> npt.NDArray[Any]:
    declared = tomllib.loads((folder / "audit.toml").read_text(encoding="utf-8"))
    file, function = declared["procedure"]["entry"].split(":")
    prepare = declared["procedure"].get("prepare")
    row = {
        "request_id": "R-1",
        "record_ids": ["P001"],
        "received_at": "2026-02-01T10:00:00Z",
        "executed_at": "2026-02-11T10:00:00Z",
    }
    (folder / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    data = cases.read(folder).train
    assert data.table is not None
    frames.write(folder / "rows.arrow", data.table, data.features)
    table = frames.Table(frames.read(folder / "rows.arrow"), data.labels, data.ids)
    classes = None if declared["data"]["task"] == "regression" else sorted(set(data.labels.tolist()))
    procedure = Wrapped(
        module=getattr(module(folder / file), function),
        params={},
        unlearn_by="retrain",
        classes=classes,
        prepare=None if prepare is None else module(folder / prepare),
        label=declared["data"]["label"],
    )
    found: npt.NDArray[Any] = np.asarray(procedure.predict(procedure.learn(table, 5), table.features))
    return found


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_case_answers_as_the_model_of_the_script(name: str, here: Path) -> None:
    (here / "train.py").write_text(SCRIPTS[name], encoding="utf-8")
    kept: list[tuple[Any, pd.DataFrame]] = []
    with suppress(SystemExit):
        runpy.run_path(str(here / "train.py"), {"keep": lambda model, rows: kept.append((model, rows))}, "__main__")
    ((model, rows),) = kept
    theirs = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py", "--quiet"]) == 0
    mine = answers_of_case(here / "made")[rows.index.to_numpy()]
    assert np.ptp(theirs, axis=0).max() > 0.05
    np.testing.assert_allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused_with_its_line(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """None becomes a case of the estimator alone: what the script does to the table would be missing in it."""
    text, expected = REFUSED[name]
    head = "import pandas as pd\nfrom sklearn.tree import DecisionTreeClassifier\n"
    (here / "train.py").write_text(head + text, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    assert expected in capsys.readouterr().err
    assert not (here / "made").exists()


def test_what_a_regression_leaves_open_is_said_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.py").write_text(SCRIPTS["a regression of a chain"], encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 0
    assert "can pass only where release.exact passes" in capsys.readouterr().err
    declared = (here / "made" / "audit.toml").read_text(encoding="utf-8")
    assert "swap.controls open" in declared
    assert "required" not in tomllib.loads(declared)["policy"]
