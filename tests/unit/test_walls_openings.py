"""What stays in reach behind the walls."""

import sys
from pathlib import Path

import pytest

from auditor import sandbox
from auditor.base.errors import SandboxError
from auditor.sandbox import bubblewrap
from auditor.sandbox.allowed_paths import openings, programs, require_apart

PACKAGE = Path(sandbox.__file__).resolve().parents[1]


def test_programs_exist_and_none_lies_beneath_another():
    found = programs()
    assert all(path.exists() for path in found)
    assert not [(a, b) for a in found for b in found if a != b and a.is_relative_to(b)]
    assert any(Path(sys.executable).resolve().is_relative_to(path.resolve()) for path in found)
    assert any(PACKAGE.is_relative_to(path.resolve()) for path in found)


def test_no_root_no_home_no_settings_of_the_system(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", "/")
    monkeypatch.setattr(sys, "exec_prefix", str(Path.home()))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), "", "relative/site-packages"])
    found = set(programs())
    assert not found & {
        Path("/"),
        Path("/etc"),
        Path("/home"),
        Path("/root"),
        Path("/var"),
        Path("/tmp"),
        Path("/proc"),
        tmp_path,
    }
    assert Path.home() not in found
    assert all(path.is_absolute() for path in found)


def test_the_folder_of_an_editable_installation_is_not_opened():
    assert PACKAGE.parent not in programs() or PACKAGE.parent.name in {"site-packages", "dist-packages"}


def test_a_case_among_the_libraries_is_refused(monkeypatch, tmp_path):
    case = tmp_path / "site-packages" / "package" / "case"
    case.mkdir(parents=True)
    require_apart(case)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site-packages")])
    (tmp_path / "link").symlink_to(case)
    for place in (case, tmp_path / "link"):
        with pytest.raises(SandboxError, match="which every procedure may read"):
            require_apart(place)
    require_apart(tmp_path)


def test_bubblewrap_shows_what_is_opened_and_nothing_else(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: f"/somewhere/{name}")
    opened = openings(inputs=[tmp_path / "inputs"], outputs=[tmp_path / "home"])
    arguments = bubblewrap.command(opened, "/work")
    shown = {arguments[place + 1] for place, word in enumerate(arguments) if word == "--ro-bind-try"}
    links = {arguments[place + 2] for place, word in enumerate(arguments) if word == "--symlink"}
    written = {arguments[place + 1] for place, word in enumerate(arguments) if word == "--bind"}
    assert written == {str(tmp_path / "home")}
    outside = {path for path in (*opened.programs, *opened.facts, *opened.inputs) if not path.startswith("/proc")}
    assert shown | links == outside
    assert "/" not in shown
    assert {"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"} <= set(arguments)
    assert "--die-with-parent" in arguments
    assert arguments[-1] == "--"


def test_without_bubblewrap(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    with pytest.raises(SandboxError, match="bwrap"):
        bubblewrap.command(openings(inputs=[], outputs=[]), str(tmp_path))
