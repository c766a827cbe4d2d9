"""Builds designs of the league and reads them as cases, without an audit: what does not stand as a case says nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import dishonest
import honest
from auditor import case as cases
from design import Design
from dishonest import blind

REFUSED = frozenset({2})
"""Designs that are meant to be refused before anything runs."""
STANDING = [each for each in (*dishonest.DESIGNS, *honest.DESIGNS, *honest.APPROXIMATE) if each.allowed != REFUSED]


@pytest.mark.parametrize("design", STANDING, ids=lambda design: design.name)
def test_a_design_is_read_as_a_case_with_and_without_its_lie_attested(design: Design, tmp_path: Path) -> None:
    submission = design.build(0)
    cases.read(submission.write(tmp_path / "attested"))
    if design.trusted:
        cases.read(replace(submission, without=submission.without | design.trusted).write(tmp_path / "unsaid"))


def test_a_design_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    """Whatever a design draws follows from the seed, so that a run can be repeated."""
    for design in blind.DESIGNS:
        first, again = (_contents(design.build(0).write(tmp_path / design.name / each)) for each in ("first", "again"))
        assert first == again, design.name


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
