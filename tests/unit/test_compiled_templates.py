"""Compiled templates are kept for the user, and nothing else is loaded as one of them."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from auditor.base import resources
from auditor.pages import templating
from auditor.pages.compiled_templates import CompiledTemplates


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "auditor" / "templates"


def environment() -> Environment:
    """As a new process has it: nothing is loaded."""
    return templating.environment().overlay(bytecode_cache=CompiledTemplates(), cache_size=0)


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of templates that are compiled from now on."""
    names: list[str] = []
    plain = Environment.compile

    def noted(self: Environment, source: str, name: str, *more: Any) -> Any:
        names.append(name)
        return plain(self, source, name, *more)

    monkeypatch.setattr(Environment, "compile", noted)
    return names


def test_a_template_is_compiled_once_for_all_commands(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = compiled(monkeypatch)
    first, second = (environment().get_template("reply.html.j2") for _ in range(2))
    assert names == ["reply.html.j2"]
    assert first.root_render_func.__code__.co_code == second.root_render_func.__code__.co_code
    (file,) = kept.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(kept.parent.glob("*.partial"))


def changed(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def of_another_template(file: Path) -> None:
    environment().get_template("letter.html.j2")
    (other,) = set(file.parent.iterdir()) - {file}
    file.write_bytes(other.read_bytes())


def of_another_key(file: Path) -> None:
    (file.parents[1] / "key").write_bytes(os.urandom(32))


def a_link(file: Path) -> None:
    file.rename(file.parents[1] / "elsewhere")
    file.symlink_to(file.parents[1] / "elsewhere")


def empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("change", [changed, of_another_template, of_another_key, a_link, empty])
@pytest.mark.attempt("compiled templates")
def test_what_lacks_the_seal_of_the_user_is_compiled_again(change: Any, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment().get_template("reply.html.j2")
    (file,) = kept.iterdir()
    change(file)
    names = compiled(monkeypatch)
    environment().get_template("reply.html.j2")
    assert names == ["reply.html.j2"]


def test_a_template_that_has_changed_is_compiled_again(kept: Path) -> None:
    cache, plain = CompiledTemplates(), templating.environment()
    kept_bucket = cache.get_bucket(plain, "x", None, "{{ one }}")
    kept_bucket.code = compile("1", "x", "eval")
    cache.set_bucket(kept_bucket)
    assert cache.get_bucket(plain, "x", None, "{{ one }}").code is not None
    assert cache.get_bucket(plain, "x", None, "{{ two }}").code is None


@pytest.mark.parametrize("home", ["/dev/null", "/proc/nowhere"])
def test_without_a_place_for_them_templates_are_compiled_as_ever(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", home)
    names = compiled(monkeypatch)
    for _ in range(2):
        environment().get_template("reply.html.j2")
    assert names == ["reply.html.j2"] * 2


def every_template() -> list[str]:
    folder = resources.templates()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.j2"))


@pytest.mark.parametrize("name", every_template())
def test_no_compiled_template_has_an_answer_of_our_own_code_in_it(name: str) -> None:
    """Code is kept by the text of its template alone: what a filter says of a constant must be asked when a page is filled."""

    def refuse(*args: Any, **named: Any) -> Any:
        raise AssertionError(name)

    plain = templating.environment()
    refusing = plain.overlay(finalize=refuse)
    refusing.filters = plain.filters | dict.fromkeys(plain.filters.keys() - Environment().filters, refuse)
    refusing.tests = plain.tests | dict.fromkeys(plain.tests.keys() - Environment().tests, refuse)
    source = (resources.templates() / name).read_text(encoding="utf-8")
    assert refusing.compile(source, name, raw=True) == plain.compile(source, name, raw=True)


def test_what_writes_letters_imports_neither_figures_nor_signatures_nor_judges() -> None:
    asked = (
        "import auditor.api.results.letters, sys; from auditor.pages import templating; "
        "templating.environment().get_template('letter.html.j2'); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout.split()
    assert {"auditor.recheck.signing", "auditor.pages.letters"} <= {*loaded}
    unused = ("auditor.pages.figures", "auditor.attacks", "cryptography", "securesystemslib")
    assert not [name for name in loaded if name.startswith(unused) or ".judging." in name]


def test_each_module_that_templates_call_is_there() -> None:
    late = {name: each for name, each in templating.environment().globals.items() if isinstance(each, templating._Late)}
    assert {"annex", "box", "figures", "wording", "deletion_tables"} <= late.keys()
    assert all(importlib.import_module(each.home).__doc__ for each in late.values())
