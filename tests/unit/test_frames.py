"""Cases from DataFrames: real folders that the ordinary reader reads, with the file of the function that builds the model."""

from __future__ import annotations

import gc
import json
import linecache
import stat
import subprocess
import sys
import tomllib
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from auditor.api import Case, check, validate
from auditor.api.frames import toml
from auditor.base.errors import InputError, UsageError
from auditor.case.scaffold.build_files import find

MODEL = """from sklearn.linear_model import LogisticRegression


def build(seed, strength=1.0):
    return LogisticRegression(C=strength, random_state=seed)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with model.py, on the path of imports."""
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def records(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    income = rng.normal(size=n)
    return pd.DataFrame({"id": np.arange(n), "late": (income > 0).astype(int), "income": income, "town": ["a", "b"] * (n // 2)})


def requests() -> pd.DataFrame:
    day = pd.Timestamp("2026-01-05T08:00:00Z")
    return pd.DataFrame(
        {
            "request_id": ["R1", "R2"],
            "record_ids": [[3, 4], [7]],
            "received_at": [day, day + pd.Timedelta(days=1)],
            "executed_at": [day + pd.Timedelta(days=2), pd.NaT],
        }
    )


def made(**given: Any) -> Case:
    usual = {"train": records(), "id": "id", "label": "late", "build": "model.py:build", "log": requests()}
    return Case.from_dataframe(**(usual | given))


def problems_of(**given: Any) -> str:
    with pytest.raises(InputError) as caught:
        made(**given)
    return str(caught.value)


def test_the_folder_is_a_case_like_any_other(here: Path) -> None:
    case = made(
        folder=here / "mine", holdout=records().assign(id=range(100, 140)), settings={"policy": {"required": ["log.consistency"]}}
    )
    facts = validate(here / "mine").facts
    assert (facts["records"], facts["features"], facts["requests"], facts["findings"]) == (40, 2, 2, [])
    assert (here / "mine" / "model.py").read_text(encoding="utf-8") == MODEL
    assert [line.partition(":")[0] for line in case.copied] == [
        *("audit.toml", "train.parquet", "holdout.parquet", "deletions.parquet", "model.py")
    ]
    assert str(here / "mine") in repr(case)
    assert check(case, only="log.consistency").check("log.consistency").status.value == "pass"


def test_files_and_the_seed_are_their_owner_s_alone(here: Path) -> None:
    del here
    one, other = made(), made()
    seeds = [int(tomllib.loads((each.folder / "audit.toml").read_text())["procedure"]["seed"]) for each in (one, other)]
    assert seeds[0] != seeds[1]
    assert all(seed.bit_length() == 128 for seed in seeds)
    assert {stat.S_IMODE(path.stat().st_mode) for path in one.folder.iterdir()} == {0o600}
    assert stat.S_IMODE(one.folder.stat().st_mode) == 0o700
    assert str(seeds[0]) not in repr(one)


def test_a_seed_that_is_declared_stays(here: Path) -> None:
    del here
    case = made(settings={"procedure": {"seed": 7}})
    assert tomllib.loads((case.folder / "audit.toml").read_text())["procedure"]["seed"] == 7
    assert "the seed in settings" in case.copied[0]


def test_a_temporary_folder_goes_with_its_case(here: Path) -> None:
    del here
    case = made()
    folder = case.folder
    assert folder.is_dir()
    del case
    gc.collect()
    assert not folder.exists()


@pytest.mark.parametrize("place", [None, "mine"])
def test_where_anything_is_wrong_nothing_stays(
    here: Path, place: str | None, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader refuses it once it is written: a label of one kind is nothing to learn."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    assert "label" in problems_of(label="latte", folder=None if place is None else here / place)
    assert list(temporary.iterdir()) == []
    assert not (here / "mine").exists()


def test_a_folder_with_something_in_it_is_left_alone(here: Path) -> None:
    with pytest.raises(UsageError, match="with something in it"):
        made(folder=here)
    assert [path.name for path in here.iterdir()] == ["model.py"]


def test_every_problem_of_every_argument_is_named_at_once(here: Path) -> None:
    del here
    odd = records().rename(columns={"income": 3})
    settings = {"data": {"train": "x"}, "case": 1, "policy": {"a": object()}}
    said = problems_of(train=odd, holdout="holdout.csv", log=3, build=lambda seed: seed, settings=settings)
    for word in (
        *("train: expected columns with names", "holdout: expected a pandas", "log: expected", "a lambda"),
        *("data.train", "case: expected a table", "policy.a"),
    ):
        assert word in said, word


def test_cells_that_parquet_cannot_hold_are_named_by_their_column(here: Path) -> None:
    del here
    said = problems_of(train=records().assign(odd=[object()] * 40, mixed=[1, "a"] * 20))
    assert '"odd"' in said
    assert '"mixed"' in said


def test_ids_may_be_the_index_and_a_log_may_be_a_file(here: Path) -> None:
    (here / "log.jsonl").write_text(
        json.dumps({"request_id": "R1", "record_ids": ["3"], "received_at": "2026-01-05T08:00:00Z"}) + "\n", encoding="utf-8"
    )
    case = made(train=records().set_index("id"), log=here / "log.jsonl")
    assert validate(case).facts["findings"] == []
    assert "log.jsonl: none" in problems_of(log="nowhere.csv") or "nowhere.csv" in problems_of(log="nowhere.csv")


def test_naive_times_are_refused_with_the_way_out(here: Path) -> None:
    del here
    log = requests()
    log["received_at"] = log["received_at"].dt.tz_localize(None)
    assert "offset" in problems_of(log=log)


def test_a_log_with_unknown_ids_is_no_bad_input(here: Path) -> None:
    del here
    log = requests()
    log.at[1, "record_ids"] = ["nobody"]
    assert [each.code for each in validate(made(log=log)).findings] == ["NOT_LOCATED"]


def test_a_function_of_a_file_brings_the_file_and_what_it_imports_from_alongside(here: Path) -> None:
    (here / "model.py").write_text("import helper\nfrom pack import part\n" + MODEL, encoding="utf-8")
    (here / "helper.py").write_text("import deeper\n", encoding="utf-8")
    (here / "deeper.py").touch()
    (here / "not_imported.py").write_text("SECRET = 1\n", encoding="utf-8")
    (here / "pack").mkdir()
    for name in ("__init__", "part", "other"):
        (here / "pack" / f"{name}.py").touch()
    from model import build  # noqa: PLC0415 - the project's own

    for asked in (build, "model.py:build"):
        found = find(asked)
        assert found.entry == "model.py:build"
        assert sorted(found.files) == ["deeper.py", "helper.py", "model.py", "pack/__init__.py", "pack/other.py", "pack/part.py"]


def test_a_function_in_a_package_brings_the_package(here: Path) -> None:
    (here / "firm" / "models").mkdir(parents=True)
    for path in (here / "firm" / "__init__.py", here / "firm" / "models" / "__init__.py"):
        path.touch()
    (here / "firm" / "rates.py").write_text("STRENGTH = 2.0\n", encoding="utf-8")
    relative = MODEL.replace("\n\n\n", "\n\nfrom ..rates import STRENGTH\n\n", 1).replace("1.0", "STRENGTH")
    (here / "firm" / "models" / "risk.py").write_text(relative, encoding="utf-8")
    from firm.models.risk import build  # noqa: PLC0415

    found = find(build)
    assert found == find(str(here / "firm" / "models" / "risk.py") + ":build")
    assert found.entry == "auditor_entry.py:build"
    assert b"from firm.models.risk import build" in found.files["auditor_entry.py"]
    assert "firm/rates.py" in found.files


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("model.py", "model.py:build"),
        ("model:build", "model.py:build"),
        ("model.py:built", "none of that name"),
        ("nowhere.py:build", "no such file"),
        ("broken.py:build", "SyntaxError"),
        ("relative.py:build", "imports by name"),
        ("folder.py:build", "a Python file"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused(here: Path, text: str, word: str) -> None:
    (here / "broken.py").write_text("def build(:", encoding="utf-8")
    (here / "relative.py").write_text("from . import rates\n" + MODEL, encoding="utf-8")
    (here / "folder.py").mkdir()
    assert word in problems_of(build=text)


def in_a_notebook(source: str, **around: Any) -> Callable[..., Any]:
    """The function that a cell of a notebook defines: its source is known, and no file has it."""
    name = "/tmp/ipykernel_1/cell.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = types.ModuleType("__main__")
    module.__dict__.update(around)
    exec(compile(source, name, "exec"), module.__dict__)
    return module.__dict__["build"]


def test_a_function_of_a_notebook_that_needs_nothing_is_copied_alone(here: Path) -> None:
    del here
    source = (
        "def build(seed: int, strength: Table = 1.0) -> Table:\n"
        "    from sklearn.linear_model import LogisticRegression\n\n"
        "    return LogisticRegression(C=strength, random_state=seed)\n"
    )
    case = made(build=in_a_notebook(source, Table=float))
    assert case.copied[-1] == "model.py: the function build, copied alone"
    assert "from sklearn.linear_model" in (case.folder / "model.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (MODEL, "LogisticRegression from around it"),
        ("RATE = 1\ndef build(seed, rate=RATE): return seed", "RATE from around it"),
        ("def build(seed): return sorted([seed])\nsorted = list", "sorted from around it"),
        ("def keep(f): return f\n@keep\ndef build(seed): return seed", "decorated"),
        ("build = lambda seed: seed", "a lambda"),
        ("def outer(k):\n    def build(seed):\n        return k\n    return build\nbuild = outer(1)", "k from around it"),
        ("import functools\nbuild = functools.partial(print, 1)", "partial"),
        ("class build: pass", "type build"),
    ],
)
def test_a_function_that_needs_something_from_around_it_is_refused(here: Path, source: str, word: str) -> None:
    del here
    said = problems_of(build=in_a_notebook(source))
    assert word in said
    assert "from model import build" in said


def test_a_source_that_is_not_what_runs_is_refused(here: Path) -> None:
    """The notebook shows one function and the name means another: what is audited would not be what was tried."""
    del here
    build = in_a_notebook("def build(seed):\n    return [seed, 1]\n")
    name = build.__code__.co_filename
    other = "def build(seed):\n    return [seed, 2]\n"
    linecache.cache[name] = (len(other), None, other.splitlines(keepends=True), name)
    assert "not what it runs" in problems_of(build=build)


def test_a_file_that_has_changed_since_it_was_imported_is_refused(here: Path) -> None:
    from model import build  # noqa: PLC0415

    assert find(build).entry == "model.py:build"
    (here / "model.py").write_text(MODEL.replace("C=strength", "C=2 * strength"), encoding="utf-8")
    assert "is not what" in problems_of(build=build)
    assert find("model.py:build").entry == "model.py:build"


def test_a_function_without_any_source_is_refused(here: Path) -> None:
    del here
    around: dict[str, Any] = {"__name__": "__main__"}
    exec("def build(seed): return seed", around)
    assert "source cannot be had" in problems_of(build=around["build"])


def test_no_code_of_a_file_runs_here(here: Path) -> None:
    """User code has one door: a file that is named is read, and nothing of it is imported."""
    (here / "model.py").write_text("import helper\nraise SystemExit(3)\n" + MODEL, encoding="utf-8")
    (here / "helper.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    made()
    assert not (here / "ran").exists()
    assert "helper" not in sys.modules


def test_a_script_is_copied_function_by_function(here: Path) -> None:
    """The file of a script would do in the sandbox what the script does."""
    script = here / "script.py"
    script.write_text(
        "from auditor.case.scaffold.build_files import find\n"
        "def build(seed):\n    from sklearn.tree import DecisionTreeClassifier\n"
        "    return DecisionTreeClassifier(random_state=seed)\n"
        "print(find(build).copied[0])\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == "model.py: the function build, copied alone\n"


@pytest.mark.parametrize(
    "document",
    [
        {"case": {"name": 'a "quoted"\\ \x7f\n\té 🙂 # ]', "odd key.": 1}},
        {"policy": {"a": [1, 2.5, True, "x", [{}]], "b": {"c": {"d": -0.0}}}, "outside": [{"name": "backups"}]},
        {"swap": {"alpha": np.float64(0.1), "pairs": np.int64(3), "confidence": 1e-300}},
        {"claims": {"attested_at": pd.Timestamp("2026-01-31").date()}},
    ],
)
def test_settings_read_as_they_were_given(document: dict[str, Any]) -> None:
    assert tomllib.loads(toml(document)) == document


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), object(), {1: 2}, "\ud800", b"x"])
def test_what_toml_has_no_word_for_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"settings: policy\.key"):
        toml({"policy": {"key": value}})
