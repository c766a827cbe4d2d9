"""Everything that was tried on the folder of a signed audit and on its pages, as one table: nothing of it goes through.

Each attempt makes a tampered folder of an honest one, and `auditor verify` must name it, with the public key and without.
The pages' attempts are those of the key's holder, who signs the forgery: a signature shows who stood by it, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pytest

import signed_folders
from forged_pages import (
    ADDED,
    DRAWN,
    HTML,
    LIKE_OTHERS,
    STORED,
    Forgery,
    leading_elsewhere,
    painted_over,
    rewritten,
    thick_borders,
    typed,
    undrawn_form,
)
from signed_folders import LETTERS, PAGE, REPORT, lay, sign, verified
from tampered_folders import LISTED, UNCHECKED, Attempt
from tampered_statements import FOLDERS

LETTER = next(iter(LETTERS))


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    with signed_folders.quick():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay(tmp_path)


class Verify(Protocol):
    """Gives exit code and output of `verify` over the folder or one file of it, with the public key or without."""

    def __call__(self, with_key: bool, alone: str | None = None) -> tuple[int, str]: ...


@pytest.fixture
def verify(folder: Path, capfd: pytest.CaptureFixture[str]) -> Verify:
    def run(with_key: bool, alone: str | None = None) -> tuple[int, str]:
        key = folder.parents[1] / "release.pub" if with_key else None
        return verified(folder if alone is None else folder / alone, key, capfd)

    return run


def test_the_honest_folder_agrees_with_the_key_and_without(verify: Verify) -> None:
    code, said = verify(True)
    assert code == 0, said
    assert f"signed by key {signed_folders.key_id(signed_folders.signed.KEY)[:16]}: evidence.json, " in said
    code, said = verify(False)
    assert code == 0, said
    assert UNCHECKED in said
    assert LISTED not in said


def marked(attempt: Attempt) -> object:
    marks = [pytest.mark.attempt(attempt.field), *([pytest.mark.slow] if attempt.slow else [])]
    return pytest.param(attempt, marks=marks, id=f"{attempt.field}: {attempt.name}")


@pytest.mark.parametrize("attempt", [*map(marked, FOLDERS)])
def test_a_tampered_folder_is_named(folder: Path, verify: Verify, attempt: Attempt) -> None:
    attempt.tamper(folder)
    code, said = verify(True, attempt.alone)
    assert attempt.named in said, said
    assert code == (0 if attempt.told else 1), said
    code, said = verify(False, attempt.alone)
    assert (attempt.without_key or attempt.named) in said, said
    assert code == (0 if attempt.passes else 2 if attempt.unreadable else 1), said
    assert "signed by key" not in said


def forged(verify: Verify, folder: Path, name: str, content: bytes, said: str) -> None:
    """Put a forgery in the place of a file, signed as that file was, and verify the folder."""
    assert content != (folder / name).read_bytes()
    (folder / name).write_bytes(content)
    sign(folder)
    for with_key in (True, False):
        code, printed = verify(with_key)
        assert code == 1, printed
        assert f"{name}: {said}: " in printed, printed


def listed(forgeries: Mapping[str, Forgery]) -> list[object]:
    return [
        pytest.param(each, id=name, marks=[pytest.mark.slow] if name in LIKE_OTHERS else []) for name, each in forgeries.items()
    ]


@pytest.mark.attempt("what pages draw, signed")
@pytest.mark.parametrize("forgery", listed(DRAWN))
def test_a_letter_that_is_drawn_otherwise_is_named(folder: Path, verify: Verify, forgery: Forgery) -> None:
    forged(verify, folder, LETTER, rewritten((folder / LETTER).read_bytes(), forgery), "what is shown")


@pytest.mark.attempt("what pages hold besides, signed")
@pytest.mark.parametrize("forgery", listed(ADDED))
def test_a_letter_that_holds_more_is_named(folder: Path, verify: Verify, forgery: Forgery) -> None:
    forged(verify, folder, LETTER, rewritten((folder / LETTER).read_bytes(), forgery), "what is shown")


@pytest.mark.attempt("what pages hold besides, signed")
@pytest.mark.parametrize("change", STORED.values(), ids=STORED)
def test_a_letter_that_keeps_what_no_reader_is_led_to_is_named(
    folder: Path, verify: Verify, change: Callable[[bytes], bytes]
) -> None:
    stored = rewritten((folder / LETTER).read_bytes())
    kept = change(stored)
    assert kept != stored
    forged(verify, folder, LETTER, kept, "what is shown")


@pytest.mark.slow
@pytest.mark.attempt("what pages draw, signed")
@pytest.mark.parametrize(
    "forgery", [painted_over("audit"), typed("Pass", colour="1 1 1"), *(DRAWN[name] for name in ("a page that was dropped",))]
)
def test_a_report_that_is_drawn_otherwise_is_named(folder: Path, verify: Verify, forgery: Forgery) -> None:
    forged(verify, folder, REPORT, rewritten((folder / REPORT).read_bytes(), forgery), "what is shown")


@pytest.mark.slow
@pytest.mark.attempt("what pages hold besides, signed")
@pytest.mark.parametrize("forgery", [thick_borders, leading_elsewhere, undrawn_form, ADDED["an object that nothing refers to"]])
def test_a_report_that_holds_more_is_named(folder: Path, verify: Verify, forgery: Forgery) -> None:
    forged(verify, folder, REPORT, rewritten((folder / REPORT).read_bytes(), forgery), "what is shown")


@pytest.mark.attempt("HTML, signed")
@pytest.mark.parametrize("change", HTML.values(), ids=HTML)
def test_another_page_is_named(folder: Path, verify: Verify, change: Callable[[bytes], bytes]) -> None:
    forged(verify, folder, PAGE, change((folder / PAGE).read_bytes()), "content")
