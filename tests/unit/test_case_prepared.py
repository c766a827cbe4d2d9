"""`[procedure] prepare`: which file it may name, what shows without running it, and what counts as the code of the case."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.audit.describing import procedure_facts
from auditor.audit.replay import specification
from auditor.base.errors import InputError
from auditor.sandbox import ProcedureSpec, preloading
from small_cases import write_log

HOOK = "import lightgbm\n\ndef prepare(table):\n    return table\n"


def write(
    folder: Path, text: str | None = HOOK, *, name: str = "prepare.py", data: str = "", key: str = "", entry: str = "model.py"
) -> Path:
    folder.mkdir(exist_ok=True)
    rows = "\n".join(f"rec-{at:04d},{at % 2},{at},{'ab'[at % 2]},1.0" for at in range(20))
    (folder / "train.csv").write_text(f"id,late,x,kind,w\n{rows}\n")
    write_log(folder, [["rec-0001"]])
    for place, content in ((entry, "def build(seed): ...\n"), (name, text)):
        if content is not None:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(content)
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.csv"\nlabel = "late"\ntask = "classification"\n{data}'
        f'[procedure]\nuse = "estimator"\nentry = "{entry}:build"\nprepare = "{key or name}"\nseed = 5\n'
        '[deletions]\nlog = "deletions.jsonl"\n'
    )
    return folder


def problem(folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        cases.read(folder)
    (found,) = refused.value.problems
    return str(found)


@pytest.mark.parametrize(
    ("entry", "name"), [("model.py", "prepare.py"), ("job/model.py", "job/prepare.py"), ("model.py", "model.py")]
)
def test_it_is_read_digested_and_run_as_what_lies_alongside_the_entry(tmp_path: Path, entry: str, name: str) -> None:
    text = HOOK if name != entry else HOOK + "\ndef build(seed): ...\n"
    case = cases.read(write(tmp_path, text, name=name, entry=entry))
    assert case.code is not None
    assert {each.name for each in case.code.files} == {"model.py", "prepare.py"} - ({"prepare.py"} if name == entry else set())
    assert name in {each.path for each in case.inputs}
    spec = specification(case)
    assert spec.settings["prepare"] == Path(name).name
    assert spec.settings["label"] == "late"
    assert {"lightgbm", "auditor.learning.prepared"} <= set(preloading.modules(spec, tables=True))
    assert procedure_facts(case, "1").settings == {"prepare": name, "params": {}}


def test_it_may_lie_in_a_package_alongside_the_entry(tmp_path: Path) -> None:
    (tmp_path / "features").mkdir()
    (tmp_path / "features/__init__.py").touch()
    assert specification(cases.read(write(tmp_path, name="features/hook.py"))).settings["prepare"] == "features/hook.py"


def test_a_case_without_it_is_as_before(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "audit.toml").write_text((folder / "audit.toml").read_text().replace('prepare = "prepare.py"\n', ""))
    case = cases.read(folder)
    assert procedure_facts(case, "1").settings == {"params": {}}
    assert not {"prepare", "label"} & specification(case).settings.keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, 'audit.toml: procedure.prepare: expected a file inside the case folder, found "prepare.py", which does not exist'),
        ("def prepare(table)\n", "prepare.py: line 1: expected Python, found expected ':'"),
        (
            "def prepared(table):\n    return table\n",
            "expected prepare(table), split(table), fit(estimator, …) or CLASSES, found",
        ),
        ("", "found none of them"),
        ("def prepare():\n    ...\n", "prepare.py: line 1: expected prepare(table), found prepare()"),
        ("def prepare(table, other):\n    ...\n", "expected prepare(table), found prepare(table, other)"),
        ("def split(table, size):\n    ...\n", "expected split(table), found split(table, size)"),
        ("def split(table, *, size):\n    ...\n", "expected split(table), found split(table, *, size)"),
        (
            "def fit(features, labels):\n    ...\n",
            "expected fit(estimator, features, labels, held_features, held_labels), found",
        ),
        ("(" * 5000, "prepare.py"),
        ("a\0b", "prepare.py"),
    ],
)
def test_what_shows_without_running_it_is_one_problem(tmp_path: Path, text: str | None, said: str) -> None:
    assert said in problem(write(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "from features import *\n",
        "from features import prepare\n",
        "import features\n\nprepare = features.prepare\n",
        "try:\n    from features import prepare\nexcept ImportError:\n    prepare = None\n",
        "def split(table, seed):\n    ...\n",
        "def split(table, size=3):\n    ...\n",
        "def fit(*arguments):\n    ...\n",
        'CLASSES: dict[str, int] = {"0": 0}\n',
    ],
)
def test_what_may_define_it_is_left_to_the_run(tmp_path: Path, text: str) -> None:
    cases.read(write(tmp_path, text))


def test_it_lies_alongside_the_entry_and_is_no_link(tmp_path: Path) -> None:
    assert "expected a Python file alongside the entry" in problem(write(tmp_path / "one", name="elsewhere/prepare.py"))
    assert "procedure.prepare: expected a file inside the case folder" in problem(write(tmp_path / "two", key="../model.py"))
    write(tmp_path / "three")
    (tmp_path / "three/prepare.py").rename(tmp_path / "three/other.txt")
    (tmp_path / "three/prepare.py").symlink_to("other.txt")
    with pytest.raises(InputError, match="a link"):
        cases.read(tmp_path / "three")


def test_weights_that_its_fit_does_not_take_are_a_problem(tmp_path: Path) -> None:
    text = "def fit(estimator, features, labels, held_features, held_labels{}):\n    ...\n"
    assert "fit to take weights" in problem(write(tmp_path / "one", text.format(""), data='weight = "w"\n'))
    cases.read(write(tmp_path / "two", text.format(", weights"), data='weight = "w"\n'))


def test_other_procedures_and_arrays_take_none(tmp_path: Path) -> None:
    folder = write(tmp_path)
    toml = (folder / "audit.toml").read_text()
    estimator = 'use = "sklearn"\nestimator = "sklearn.tree.DecisionTreeClassifier"'
    (folder / "audit.toml").write_text(toml.replace('use = "estimator"\nentry = "model.py:build"', estimator))
    with pytest.raises(InputError) as refused:
        cases.read(folder)
    assert "procedure.prepare" in {each.where for each in refused.value.problems}


def test_a_model_file_holds_what_is_built_and_not_what_prepares(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "trees.txt").write_bytes(b"tree\nTree=0\nend of trees\n")
    toml = (folder / "audit.toml").read_text()
    (folder / "audit.toml").write_text(toml + '[model]\npath = "trees.txt"\n')
    expected = 'expected part = "estimator", or the name of a step: what procedure.prepare does is not in the file'
    assert f"audit.toml: model.part: {expected}" in problem(folder)
    (folder / "audit.toml").write_text(toml + '[model]\npath = "trees.txt"\npart = "estimator"\n')
    assert specification(cases.read(folder)).settings["file_part"] == "estimator"


def test_a_process_that_saves_a_file_of_skops_starts_with_it() -> None:
    """Loaded when a model is saved, it would differ in addresses from process to process, and cost each of them seconds."""
    saving, other = (ProcedureSpec("estimator", None, {"file_kind": kind}) for kind in ("skops", "lightgbm"))
    assert "skops.io" in preloading.modules(saving, tables=True)
    assert "skops.io" not in preloading.modules(other, tables=True)
