"""Hands a recheck what renders pages again, once there are any to compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.base import extras

if TYPE_CHECKING:
    from auditor.recheck import Renderer


def loader(tell: Callable[[str], object]) -> Callable[[], Renderer | None]:
    """Give what loads the report's libraries with the first page that there is; it gives None where they are not installed.

    Args:
        tell: Takes a sentence beforehand about what takes seconds.
    """

    def load() -> Renderer | None:
        if extras.missing("report"):
            return None
        try:
            from auditor.pages.layout_engine import load_engine  # noqa: PLC0415
            from auditor.pages.rerender import Again  # noqa: PLC0415

            load_engine()
        except (ImportError, OSError):
            return None
        return Again(tell)

    return load
