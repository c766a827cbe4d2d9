"""What is raised where a file is not of its format."""

from __future__ import annotations


class NotThisFormatError(ValueError):
    """A file that is not what its ending says."""

    def __init__(self, expected: str, found: str) -> None:
        """Keep both, in words."""
        super().__init__(f"expected {expected}, found {found}")
        self.expected, self.found = expected, found
