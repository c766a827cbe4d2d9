"""Which of the controller's files come into the sandbox."""

import os

import pytest

from auditor.errors import ProcedureError
from auditor.sandbox import controller_code


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    (folder / "package" / "inner").mkdir(parents=True)
    (folder / "plain").mkdir()
    for name in ("entry.py", "beside.py", "package/__init__.py", "package/a.py", "package/inner/b.py", "plain/c.py", "a.toml"):
        (folder / name).write_text(f"# {name}")
    (folder / "package" / "data.bin").write_bytes(b"x")
    (tmp_path / "into").mkdir()
    return folder


def copied(into):
    return {str(path.relative_to(into)): path.read_text() for path in into.rglob("*") if path.is_file()}


def test_python_files_and_packages_come_and_nothing_else(case):
    into = case.parent / "into"
    assert controller_code.copy(f"{case}/entry.py:Mine", into) == f"{into}/entry.py:Mine"
    names = ("entry.py", "beside.py", "package/__init__.py", "package/a.py")
    assert copied(into) == {name: f"# {name}" for name in names}


def test_links_are_not_followed(case):
    into, secret = case.parent / "into", case.parent / "secret.py"
    secret.write_text("secret")
    (case / "link.py").symlink_to(secret)
    (case / "linked").symlink_to(case / "package")
    (case / "self.py").symlink_to("self.py")
    os.mkfifo(case / "pipe.py")
    (case / "folder.py").mkdir()
    controller_code.copy(f"{case}/entry.py:Mine", into)
    assert set(copied(into)) == {"entry.py", "beside.py", "package/__init__.py", "package/a.py"}


def test_an_entry_may_be_a_link_within_its_folder_only(case):
    into = case.parent / "into"
    (case / "alias.py").symlink_to("entry.py")
    assert controller_code.copy(f"{case}/alias.py:Mine", into) == f"{into}/alias.py:Mine"
    assert copied(into)["alias.py"] == "# entry.py"
    (case.parent / "secret.py").write_text("secret")
    (case / "out.py").symlink_to("../secret.py")
    with pytest.raises(ProcedureError, match="a link out of its folder"):
        controller_code.copy(f"{case}/out.py:Mine", into)


@pytest.mark.parametrize(("name", "words"), [("missing.py", "no such file"), ("package", "found"), ("pipe.py", "that is none")])
def test_an_entry_that_is_no_file(case, name, words):
    os.mkfifo(case / "pipe.py")
    with pytest.raises(ProcedureError, match=words):
        controller_code.copy(f"{case / name}:Mine", case.parent / "into")


@pytest.mark.parametrize(("name", "most"), [("_FILES", 3), ("_BYTES", 30)])
def test_too_much_is_refused(case, monkeypatch, name, most):
    monkeypatch.setattr(controller_code, name, most)
    with pytest.raises(ProcedureError, match="of Python beside its entry, found more"):
        controller_code.copy(f"{case}/entry.py:Mine", case.parent / "into")
