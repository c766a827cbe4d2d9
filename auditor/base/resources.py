"""Where the files that are no code live: templates, fonts and sample cases.

An installed wheel carries them inside the package, a checkout alongside it; this is the one place that knows.
"""

from __future__ import annotations

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
