"""Results as an audit writes them, rendered once for all tests of a run: a report takes seconds."""

from __future__ import annotations

import functools

from auditor.pages import letter, render
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import tell
from cases import once
from letter_cases import sample

SAMPLE = "digits-shipped-old"
REQUEST = "REQ-2026-0003"


@functools.cache
def _results() -> dict[str, bytes]:
    evidence = sample(SAMPLE)
    return {
        "evidence.json": evidence.to_bytes(),
        "report.pdf": once("results.report.pdf", lambda: render.pdf(tell(evidence))),
        "report.html": once("results.report.html", lambda: render.html(tell(evidence)).encode()),
        "letter.pdf": once("results.letter.pdf", lambda: letter.pdf(extract(evidence, REQUEST))),
    }


def results() -> dict[str, bytes]:
    """Evidence, its report in two forms, and one letter, by file name; unsigned."""
    return dict(_results())
