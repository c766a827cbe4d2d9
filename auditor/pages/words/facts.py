"""What each fact says, by its name."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.texts import Named

STATEMENTS: Final = Named("fact-")
