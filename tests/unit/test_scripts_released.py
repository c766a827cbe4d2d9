"""What `init --from` says of training the file that is released, and that training so gives what the audit builds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import torch_examples
from auditor.case.scaffold import released
from auditor.cli import run

SCRIPT = """import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
df = pd.read_csv("people.csv")
model = {model}
model.fit(df[["age", "visits"]], df["churned"])
"""
OWN = "The file to release: your own script, with the same versions of libraries"
BY_SEED = "int(numpy.random.SeedSequence(s + T).generate_state(1)[0] >> 1)"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {"id": [f"C{at}" for at in range(80)], "age": rng.integers(18, 80, 80), "visits": rng.integers(9, size=80)}
    )
    table["churned"] = np.where(rng.random(80) < 0.4, "yes", "no")
    table.to_csv("people.csv", index=False)
    return tmp_path


def made(model: str, seed: int) -> Any:
    """The estimator of the case that a script becomes."""
    Path("train.py").write_text(SCRIPT.format(model=model), encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "people.csv", "--id", "id"]) == 0
    found: dict[str, Any] = {}
    exec(Path("made/build.py").read_text(encoding="utf-8"), found)  # our test's own text
    return found["build"](seed)


@pytest.mark.parametrize("model", ["RandomForestClassifier(n_estimators=5, random_state=3)", "LogisticRegression(max_iter=500)"])
def test_a_script_whose_draws_have_numbers_trains_the_file_itself(
    here: Path, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    table = pd.read_csv("people.csv")
    own: dict[str, Any] = {}
    exec(SCRIPT.format(model=model), own)  # our test's own text
    built = made(model, 99).fit(table[["age", "visits"]], table["churned"])
    assert np.array_equal(built.predict_proba(table[["age", "visits"]]), own["model"].predict_proba(table[["age", "visits"]]))
    last, following = capsys.readouterr().err.strip().splitlines()[-2:]
    assert last.startswith(OWN)
    assert following.startswith("Next: ")
    assert f"# {OWN}" in (here / "made" / "audit.toml").read_text(encoding="utf-8")


def test_a_script_that_draws_by_no_number_is_told_which_to_take(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built = made("RandomForestClassifier(n_estimators=5)", 99)
    assert built.random_state == 99
    last, _ = capsys.readouterr().err.strip().splitlines()[-2:]
    assert last.startswith("The file to release: RandomForestClassifier draws by no number of the script")
    assert BY_SEED in last
    assert OWN not in last


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from sklearn.svm import SVC\ndef build():\n    return SVC()\n", OWN),
        ("from sklearn.svm import SVC\ndef build():\n    return SVC(probability=True)\n", "SVC draws by no number"),
        (
            "from sklearn.linear_model import LogisticRegression as L\ndef build():\n    return L(solver='saga')\n",
            "L draws by no",
        ),
        ("from lightgbm import LGBMClassifier\ndef build():\n    return LGBMClassifier()\n", OWN),
        (
            "from sklearn.tree import ExtraTreeClassifier as E\ndef build(seed):\n    return E(random_state=seed)\n",
            f"and call build with {BY_SEED}",
        ),
    ],
)
def test_the_way_follows_from_what_builds_the_estimator(text: str, said: str) -> None:
    assert said in released.way("build.py:build", text.encode(), given=False)


@pytest.mark.parametrize(
    ("seed", "said"), [("torch.manual_seed(7)\n", OWN), ("", "seed your script, torch.manual_seed(3), train with it")]
)
def test_a_loop_is_trained_again_by_its_own_seed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    torch_examples.write_digits(tmp_path, rows=350, code=torch_examples.CNN.replace("torch.manual_seed(7)\n", seed))
    words = ["--data", "digits.csv", "--log", "tickets.csv", "--timezone", "Europe/Berlin"]
    assert run(["init", "made", "--from", "train.py", *words]) == 0
    last, _ = capsys.readouterr().err.strip().splitlines()[-2:]
    assert said in last


def test_who_gave_the_file_is_not_asked_to_name_it() -> None:
    text = b"from sklearn.svm import SVC\ndef build():\n    return SVC()\n"
    assert "[model]" in released.way("build.py:build", text, given=False)
    assert "[model]" not in released.way("build.py:build", text, given=True)
