"""Where the files that are no code live: templates, fonts and sample cases, and what the auditor keeps for a user.

An installed wheel carries the former inside the package, a checkout alongside it; this is the one place that knows.
"""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def _folder(name: str) -> Path:
    bundled = _PACKAGE / "_bundled" / name
    return bundled if bundled.is_dir() else _PACKAGE.parent / name


def templates() -> Path:
    """The folder of report templates, style sheets and fonts."""
    return _folder("templates")


def sample_models() -> Path:
    """The folder of sample cases, one folder each."""
    return _folder("sample_models")


def state() -> Path:
    """The folder of what is kept for the user: `$XDG_STATE_HOME/auditor`, else `~/.local/state/auditor`.

    Raises:
        OSError: If the user has no home folder.
    """
    declared = os.environ.get("XDG_STATE_HOME", "")
    try:
        kept = Path(declared) if declared.startswith("/") else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise OSError(0, "the user has no home folder", "~") from error
    return kept / "auditor"
