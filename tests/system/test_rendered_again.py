"""The same evidence gives the same bytes: in another process, time zone and locale, with other hashes and other fonts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rechecks
from auditor.document.evidence import Evidence
from auditor.pages import letter, render
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import tell

REQUEST = "REQ-2026-0001"
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>'


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """An environment unlike this one."""
    (tmp_path / "fonts.conf").write_text(NO_FONTS)
    (tmp_path / "evidence.json").write_bytes(rechecks.golden("digits-newton"))
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPATH", "LD_LIBRARY_PATH"}}
    unlike = {"TZ": "Pacific/Chatham", "LC_ALL": "C", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "HOME": str(tmp_path)}
    return kept | unlike | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "TMPDIR": str(tmp_path)}


def rendered(folder: Path, environment: dict[str, str], *arguments: str) -> bytes:
    target = folder / f"elsewhere-{arguments[0]}"
    command = [sys.executable, "-m", "auditor", *arguments, "-o", str(target), "--quiet"]
    subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True)
    return target.read_bytes()


def evidence() -> Evidence:
    return Evidence.model_validate_json(rechecks.golden("digits-newton"))


def test_html_and_letter_are_the_same_bytes_elsewhere(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    page = rendered(tmp_path, elsewhere, "report", "evidence.json", "--format", "html")
    assert page == render.html(tell(evidence())).encode()
    written = rendered(tmp_path, elsewhere, "certificate", "evidence.json", "--request", REQUEST, "--draft")
    assert written == letter.pdf(extract(evidence(), REQUEST, draft=True))


@pytest.mark.slow
def test_the_report_is_the_same_bytes_elsewhere(tmp_path: Path, elsewhere: dict[str, str]) -> None:
    assert rendered(tmp_path, elsewhere, "report", "evidence.json") == render.pdf(tell(evidence()))
