"""Renders results again, so that `verify` can hold the pages that lie there against those that their evidence gives."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from types import FrameType
from typing import Final

from jinja2 import TemplateError

from auditor.base.errors import AuditorError, ReportError
from auditor.document.evidence import Evidence
from auditor.pages import letter, render
from auditor.pages.letters import Extract
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import say

_UNTELLABLE: Final = (
    *(
        ArithmeticError,
        AssertionError,
        AttributeError,
        AuditorError,
        LookupError,
        RecursionError,
        TemplateError,
        TypeError,
        ValueError,
    ),
)
"""What words and templates raise where evidence that came from anybody holds something that they have no words for."""


SECONDS: Final = 600
"""For one file: the report about a log of 100,000 requests takes ten."""


@dataclass(frozen=True, slots=True)
class Again:
    """Renders from a document what was once rendered from it; it says beforehand what takes seconds."""

    narrate: Callable[[str], object]
    """Told what is about to be done."""

    def report(self, evidence: Evidence, *, date: datetime, signed_by: str | None, whole: bool = True) -> bytes:
        """Render the report as PDF.

        Raises:
            ReportError: If it cannot be rendered.
        """
        self.narrate(say("cli-report-again"))
        return _rendered(lambda: render.pdf(tell(evidence), signed_by=signed_by, date=date, whole=whole))

    def page(self, evidence: Evidence, *, date: datetime, signed_by: str | None, whole: bool = True) -> bytes:
        """Render the report as HTML.

        Raises:
            ReportError: If it cannot be rendered.
        """
        return _rendered(lambda: render.html(tell(evidence), signed_by=signed_by, date=date, whole=whole).encode())

    def letter(self, extract: Extract, *, date: datetime, signed_by: str | None) -> bytes:
        """Render a letter as PDF.

        Raises:
            ReportError: If it cannot be rendered.
        """
        self.narrate(say("cli-letter-again", request_id=extract.request.request_id[:60]))
        return _rendered(lambda: letter.pdf(extract, signed_by=signed_by, date=date))


def _rendered(render_it: Callable[[], bytes]) -> bytes:
    try:
        with _within(SECONDS):
            return render_it()
    except _UNTELLABLE as error:
        raise ReportError(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """End what takes too long: anyone who sends evidence may have made it so that it is laid out for hours.

    Only the main thread can be woken, and a command runs there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise ReportError(f"it takes longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    # Once more every second: the engine may have caught the first.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
