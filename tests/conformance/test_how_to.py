"""Every how-to: short, its commands exist, and what it prints of a case is that of a sample, which the tests audit whole."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from auditor.cli import app, run
from cases import SAMPLES

PAGES = sorted((SAMPLES.parent / "docs/how-to").glob("*.md"))
OF_A_SAMPLE = [page for page in PAGES if page.stem != "review"]


def blocks(page: Path, kind: str) -> list[str]:
    """The blocks of one language."""
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each command, without the name of the program."""
    for line in "".join(blocks(page, "bash")).splitlines():
        program, *words = shlex.split(line)
        assert program == "auditor"
        yield words


def samples(page: Path) -> list[Path]:
    """The samples that a page starts from."""
    return [SAMPLES / words[words.index("--template") + 1] for words in commands(page) if words[0] == "init"]


def options_of(words: list[str]) -> set[str]:
    """The options of the command that these words call."""
    command: TyperGroup | TyperCommand = typer.main.get_command(app)
    for word in words:
        if not hasattr(command, "commands"):
            break
        command = command.commands[word]
    return {option for parameter in command.params for option in parameter.opts}


FORMULAS = [
    (page.name, line, printed)
    for page in sorted((SAMPLES.parent / "docs").rglob("*.md"))
    for line, printed in re.findall(r"^\$ auditor (calc .*)\n((?:.+ = .+\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE)
]
GUESSES = re.findall(r"\| ([\d.]+) \| `auditor (calc [^`]*)` \|", (SAMPLES.parent / "docs/guarantees.md").read_text("utf-8"))


@pytest.mark.parametrize(("page", "line", "printed"), FORMULAS)
def test_what_a_page_prints_of_a_formula_is_what_it_gives(
    page: str, line: str, printed: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(line)) == 0, page
    found, expected = (dict(each.split(" = ") for each in text.splitlines()) for text in (capfd.readouterr().out, printed))
    assert {name: number(value) for name, value in found.items()} == {
        name: pytest.approx(number(value), rel=1e-9) for name, value in expected.items()
    }


def number(value: str) -> float:
    return float(value == "True") if value in {"True", "False"} else float(value)


@pytest.mark.parametrize(("guesses", "line"), GUESSES)
def test_right_guesses_of_the_page_on_guarantees_are_what_formulas_give(
    guesses: str, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert len(GUESSES) >= 3
    assert run(shlex.split(line)) == 0
    assert f"right_guesses = {guesses}\n" in capfd.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_it_is_short_and_leaves_no_block_untested(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 70
    assert set(re.findall(r"^```(\w*)$", text, re.MULTILINE)) <= {"", "bash", "toml", "python"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_commands_exist_with_their_options(page: Path) -> None:
    called = list(commands(page))
    assert called
    for words in called:
        assert run([words[0], "--help"]) == 0
        if words[0] != "calc":  # what a formula takes is read from the formula
            assert {word for word in words if word.startswith("-")} <= options_of(words), words
        elif words[1:] != ["--list"]:
            assert run(words) == 0


@pytest.mark.parametrize("page", OF_A_SAMPLE, ids=lambda page: page.stem)
def test_what_it_prints_of_a_case_is_that_of_its_sample(page: Path) -> None:
    declared = [tomllib.loads((sample / "audit.toml").read_text(encoding="utf-8")) for sample in samples(page)]
    code = "".join(path.read_text(encoding="utf-8") for sample in samples(page) for path in sample.glob("*.py"))
    assert declared
    for block in blocks(page, "toml"):
        assert any(within(tomllib.loads(block), whole) for whole in declared), block
    assert [block for block in blocks(page, "python") if block not in code] == []


def within(part: object, whole: object) -> bool:
    """Whether tables hold nothing that the others do not."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and within(value, whole[key]) for key, value in part.items())
    return part == whole


@pytest.mark.parametrize("page", OF_A_SAMPLE, ids=lambda page: page.stem)
def test_its_templates_are_made_and_valid(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in commands(page):
        if words[0] == "init":
            assert run(words) == 0
            assert run(["validate", words[1], "--no-run", "--quiet"]) == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_request_and_a_check_that_it_names_are_there(page: Path) -> None:
    for words in commands(page):
        if "--request" in words:
            (sample,) = samples(page)
            assert words[words.index("--request") + 1] in (sample / "deletions.jsonl").read_text(encoding="utf-8")
        if words[0] == "explain":
            assert run(["explain", words[1]]) == 0
