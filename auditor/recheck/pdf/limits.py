"""What reading one PDF may use up. A report has some thirty pages; these leave room for a log of a hundred thousand requests."""

from __future__ import annotations

from typing import Final

MOST_BYTES: Final = 256 * 1024 * 1024
"""Of one file."""
MOST_PAGES: Final = 10_000
SECONDS: Final = 120
"""Of processor time, and of the clock: a page takes a tenth of a second."""
SECONDS_EACH_MEBIBYTE: Final = 30
"""On top, for each MiB of the file."""
MEMORY_BYTES: Final = 4 * 1024**3
"""Of address space."""
MOST_LISTED: Final = 20
"""Differences that are named; the rest are counted."""
