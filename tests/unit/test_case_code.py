"""Which of the controller's files a case brings: read once, digested, and written for a process as they were read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from auditor import case as cases
from auditor.audit.replay import specification
from auditor.base.domain import InputFile
from auditor.base.errors import InputError, ProcedureError
from auditor.case import code
from auditor.sandbox import ProcedureSpec, steps
from small_cases import foreign, problem, write

PROCEDURE = """\
def learn(self, data, seed):
    return 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "case"
    (folder / "package" / "inner").mkdir(parents=True)
    (folder / "plain").mkdir()
    for name in ("entry.py", "beside.py", "package/__init__.py", "package/a.py", "package/inner/b.py", "plain/c.py", "a.toml"):
        (folder / name).write_text(f"# {name}")
    (folder / "package" / "data.bin").write_bytes(b"x")
    return folder


def found(folder: Path, name: str = "entry.py", **more: object) -> tuple[list[str], list[str]]:
    """The names of the files that are read, and what is wrong."""
    read, problems = code.read(folder / name, name, **more)
    assert all(file.content == (folder / file.name).read_bytes() for file in read.files)
    return [file.name for file in read.files], [str(each) for each in problems]


def test_python_files_and_packages_come_and_nothing_else(folder: Path) -> None:
    assert found(folder) == (["entry.py", "beside.py", "package/__init__.py", "package/a.py"], [])


def test_links_and_what_is_no_plain_file_are_named(folder: Path) -> None:
    secret = folder.parent / "secret.py"
    secret.write_text("secret")
    (folder / "link.py").symlink_to(secret)
    (folder / "linked").symlink_to(folder / "package")
    (folder / "self.py").symlink_to("self.py")
    (folder / ".#entry.py").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.py")
    (folder / "folder.py").mkdir()
    names, problems = found(folder)
    assert names == ["entry.py", "beside.py", "package/__init__.py", "package/a.py"]
    expected = "expected a plain Python file alongside the entry, which the procedure may import"
    assert problems == [
        f"link.py: {expected}, found a link",
        f"pipe.py: {expected}, found no plain file",
        f"self.py: {expected}, found a link",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [("missing.py", "no such file"), ("package", "a folder"), ("pipe.py", "no plain file"), ("link.py", "a link")],
)
def test_an_entry_that_is_no_file(folder: Path, name: str, words: str) -> None:
    os.mkfifo(folder / "pipe.py")
    (folder / "link.py").symlink_to("entry.py")
    _, problems = found(folder, name)
    assert problems[0].startswith(f"{name}: expected a Python file as entry, found {words}")


@pytest.mark.parametrize(("name", "most"), [("MOST_FILES", 3), ("MOST_BYTES", 30)])
def test_too_much_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    monkeypatch.setattr(code, name, most)
    _, problems = found(folder)
    assert [each.partition(" MiB ")[2] for each in problems] == ["of Python in the entry and alongside it, found more"]


def test_a_copy_of_the_data_under_a_python_name_is_refused(folder: Path) -> None:
    (folder / "beside.py").write_bytes(b"training data")
    data = InputFile("train.npz", hashlib.sha256(b"training data").hexdigest(), 13)
    _, problems = found(folder, data=[data])
    assert [each.partition("found ")[2] for each in problems] == ["the bytes of train.npz, which no procedure may open"]


def test_what_was_read_is_written(folder: Path, tmp_path: Path) -> None:
    read, _ = code.read(folder / "entry.py", "entry.py")
    for name in ("entry.py", "beside.py"):
        (folder / name).write_text("exchanged")
    (tmp_path / "into").mkdir()
    assert steps.write(read, f"{folder}/entry.py:Mine", tmp_path / "into") == f"{tmp_path}/into/entry.py:Mine"
    written = {file.relative_to(tmp_path / "into").as_posix(): file.read_text() for file in (tmp_path / "into").rglob("*.py")}
    assert written == {name: f"# {name}" for name in ("entry.py", "beside.py", "package/__init__.py", "package/a.py")}


def case_of(folder: Path) -> Path:
    write(folder, *problem())
    foreign(folder, PROCEDURE)
    (folder / "helper.py").write_text("x = 1\n")
    return folder


def test_a_case_lists_every_file_that_its_code_may_open(tmp_path: Path) -> None:
    case = cases.read(case_of(tmp_path))
    listed = {each.path: each for each in case.inputs}
    assert set(listed) == {"audit.toml", "deletions.jsonl", "helper.py", "procedure.py", "train.npz"}
    assert listed["helper.py"] == InputFile("helper.py", hashlib.sha256(b"x = 1\n").hexdigest(), 6)
    assert case.code is not None
    assert [file.name for file in case.code.files] == ["procedure.py", "helper.py"]


def test_code_that_is_exchanged_after_the_case_was_read_does_not_run(tmp_path: Path) -> None:
    """The specification of the procedure holds the bytes that the evidence digests."""
    case = cases.read(case_of(tmp_path))
    (tmp_path / "procedure.py").write_text("raise SystemExit\n")
    (tmp_path / "helper.py").write_text("x = 2\n")
    spec = specification(case)
    assert spec.code is case.code
    digests = {each.path: each.sha256 for each in case.inputs}
    assert spec.code is not None
    assert all(digests[file.name] == hashlib.sha256(file.content).hexdigest() for file in spec.code.files)


def test_a_link_to_the_training_data_is_a_problem_of_the_case(tmp_path: Path) -> None:
    case_of(tmp_path)
    (tmp_path / "rows.py").symlink_to("train.npz")
    (tmp_path / "log.py").write_bytes((tmp_path / "deletions.jsonl").read_bytes())
    with pytest.raises(InputError) as caught:
        cases.read(tmp_path)
    told = [(each.file, each.found) for each in caught.value.problems]
    assert told == [("log.py", "the bytes of deletions.jsonl, which no procedure may open"), ("rows.py", "a link")]


def test_the_store_is_no_code_whatever_its_names(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    for name in ("__init__.py", "rows.py"):
        (tmp_path / "store" / name).write_text("ROWS = [1]\n")
    write(tmp_path, *problem(), data='store = "store"')
    foreign(tmp_path, PROCEDURE)
    case = cases.read(tmp_path)
    assert case.code is not None
    assert [file.name for file in case.code.files] == ["procedure.py"]
    assert {"store/__init__.py", "store/rows.py"} <= {each.path for each in case.inputs}


def test_code_without_a_case_is_read_when_it_is_named(folder: Path) -> None:
    spec = ProcedureSpec(None, f"{folder}/entry.py:Mine")
    (folder / "entry.py").write_text("exchanged")
    assert spec.code is not None
    assert spec.code.files[0].content == b"# entry.py"
    assert ProcedureSpec("certified-removal", None).code is None
    with pytest.raises(ProcedureError, match="expected a Python file as entry"):
        ProcedureSpec(None, f"{folder}/missing.py:Mine")
