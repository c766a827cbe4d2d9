"""From a script, its table and an export of tickets to the report's page, about the very model that the script made.

The script runs first, in a process of its own, on the table as it is after the erasures. That `model.reproduced` passes on the
file that it saved shows that nothing of it was dropped: each byte follows from what `init` carried over.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from auditor.cli import run

pytestmark = pytest.mark.slow

PEOPLE = 400
GONE = (3, 17, 60, 111, 250)
LIGHTGBM = """
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

df = pd.read_csv("kunden.csv", sep=";", decimal=",", na_values=["k.A."])
print(df.describe())
df = df[df["alter"] >= 18]
df["einkommen"] = df["einkommen"].fillna(0)
df["seit"] = pd.to_datetime(df["seit"])
df["jahr"] = df["seit"].dt.year
y = df["gekuendigt"].map({"ja": 1, "nein": 0})
X = df.drop(columns=["kunde", "mail", "seit", "gekuendigt"])
zahlen = X.select_dtypes(include="number").columns.tolist()
prep = ColumnTransformer([("zahlen", StandardScaler(), zahlen), ("worte", OneHotEncoder(handle_unknown="ignore"), ["stadt"])])
trees = LGBMClassifier(n_estimators=20, num_leaves=7, n_jobs=1, deterministic=True, force_col_wise=True, verbosity=-1)
model = Pipeline([("prep", prep), ("trees", trees)])
model.fit(X, y)
model.named_steps["trees"].booster_.save_model("model.txt")
"""
XGBOOST = """
import pandas as pd
from sklearn.model_selection import train_test_split
from xgboost import XGBClassifier

SEED = 11

def load(path):
    df = pd.read_csv(path, sep=";", decimal=",", na_values=["k.A."])
    df["je_jahr"] = df["einkommen"] / df["alter"]
    return df.dropna(subset=["stadt"])

def main():
    df = load("kunden.csv")
    X = df[["alter", "einkommen", "besuche", "je_jahr"]]
    y = (df["gekuendigt"] == "ja").astype(int)
    X_train, X_val, y_train, y_val = train_test_split(X, y, test_size=0.25, random_state=SEED, stratify=y)
    model = XGBClassifier(n_estimators=60, max_depth=3, learning_rate=0.2, early_stopping_rounds=4, random_state=SEED, n_jobs=1)
    model.fit(X_train, y_train, eval_set=[(X_val, y_val)], verbose=False)
    print(model.best_iteration, model.score(X_val, y_val))
    model.save_model("model.json")

if __name__ == "__main__":
    main()
"""
STACKING = """
import pandas as pd
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

df = pd.read_csv("kunden.csv", sep=";", decimal=",", na_values=["k.A."])
df = df.assign(treu=lambda d: (d["besuche"] > 20).astype(int))
X, y = df[["alter", "einkommen", "besuche", "stadt", "treu"]], df["gekuendigt"]
prep = make_column_transformer(
    (SimpleImputer(), ["alter", "einkommen", "besuche", "treu"]),
    (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["stadt"]),
)
base = [("forest", RandomForestClassifier(15, max_depth=4, random_state=1)), ("line", LogisticRegression(max_iter=2000))]
model = make_pipeline(prep, StackingClassifier(base, final_estimator=LogisticRegression(), cv=3))
model.fit(X, y)
skops.io.dump(model, "model.skops")
"""


def amount(rng: np.random.Generator, value: float) -> str:
    """A number as a German spreadsheet has it, or the words for none."""
    return "k.A." if rng.random() < 0.05 else f"{value:.2f}".replace(".", ",")


def write(folder: Path, script: str) -> tuple[Path, Path]:
    """The three files of a user, the table after the erasures, and the model that the script made of it."""
    rng = np.random.default_rng(20261126)
    visits = rng.integers(0, 40, PEOPLE)
    frame = pd.DataFrame(
        {
            "kunde": [f"K{at:04d}" for at in range(PEOPLE)],
            "mail": [f"person{at}@mail.example" for at in range(PEOPLE)],
            "alter": rng.integers(16, 80, PEOPLE),
            "einkommen": [
                ("k.A." if rng.random() < 0.05 else f"{each:.2f}".replace(".", ",")) for each in rng.normal(3000, 500, PEOPLE)
            ],
            "besuche": visits,
            "stadt": rng.choice(["Berlin", "Köln", "Mainz"], PEOPLE),
            "seit": [f"20{at % 15 + 10}-0{at % 9 + 1}-1{at % 10}" for at in range(PEOPLE)],
            "gekuendigt": np.where(visits + rng.normal(0, 8, PEOPLE) < 15, "ja", "nein"),
        }
    )
    frame.to_csv(folder / "kunden.csv", index=False, sep=";")
    lines = ["Ticketnummer;E-Mail;Eingegangen am;Erledigt am;Status;Anfrageart"]
    lines += [
        f"T-{at};person{at}@mail.example;0{1 + number}.02.2026 10:00;1{number}.02.2026 16:00;erledigt;Löschung"
        for number, at in enumerate(GONE)
    ]
    lines += ["T-900;person8@mail.example;05.02.2026 10:00;12.02.2026 09:00;erledigt;Auskunft"]
    (folder / "tickets.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    (folder / "train.py").write_text(script, encoding="utf-8")
    after = folder / "after"
    after.mkdir()
    frame.drop(index=[*GONE]).to_csv(after / "kunden.csv", index=False, sep=";")
    subprocess.run([sys.executable, str(folder / "train.py")], cwd=after, check=True, capture_output=True, timeout=300)
    (model,) = [each for each in after.iterdir() if each.name != "kunden.csv"]
    return after / "kunden.csv", model


@pytest.mark.parametrize(
    ("script", "prepared", "part"),
    [(LIGHTGBM, True, "trees"), (XGBOOST, True, "estimator"), (STACKING, True, "estimator")],
    ids=["column-transformer-lightgbm", "xgboost-early-stopping", "stacking"],
)
def test_the_audit_is_about_the_model_that_the_script_made(
    script: str,
    prepared: bool,
    part: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store, model = write(tmp_path, script)
    if model.suffix == ".skops":
        # The one way of writing it, without the addresses and dates of the process that did.
        model, dumped = model.with_name("canonical.skops"), model
        assert run(["canonical", str(dumped), "-o", str(model), "--quiet"]) == 0
    begun = time.monotonic()
    words = ["--from", "train.py", "--data", "kunden.csv", "--log", "tickets.csv", "--timezone", "Europe/Berlin"]
    assert run(["init", "case", *words, "--id", "kunde", "--store", str(store), "--model", str(model)]) == 0, (
        capsys.readouterr().err
    )
    declared = tomllib.loads(Path("case/audit.toml").read_text(encoding="utf-8"))
    assert declared["procedure"].get("prepare") == ("prepare.py" if prepared else None)
    assert declared["model"].get("part") == part
    made = time.monotonic()
    assert run(["validate", "case"]) == 0, capsys.readouterr()
    tried = time.monotonic()
    assert run(["check", "case", "--only", "log.consistency,data.erased,model.reproduced,release.exact"]) in {0, 3}
    ended = time.monotonic()
    evidence = json.loads(Path("case/audit/evidence.json").read_text(encoding="utf-8"))
    found = {each["id"]: each["status"] for each in evidence["checks"]}
    assert found["model.reproduced"] == "pass", evidence
    assert found["release.exact"] == found["log.consistency"] == "pass"
    assert any(Path("case/audit").glob("report.*"))
    with capsys.disabled():
        times = f"init {made - begun:.1f} s, validate {tried - made:.1f} s, check {ended - tried:.1f} s"
        print(f"\n{model.name}: {times}, {(ended - begun) / 60:.1f} min")
