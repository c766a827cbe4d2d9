"""Rechecks an audit's results: the same judges judge what was observed again, and the whole document is compared.

reading         documents of this version, and of a later minor one;  form: canonical bytes, every check once
contradictions  counts and dates that no log can have;  derivations: judged again;  comparing: leaf by leaf
files           what lies there;  printed: what a PDF carries and names;  pages: what it shows, held against a rendering
letters         what a letter says;  signatures: what a key signs;  covering: whether it signs everything

Nothing here runs a model or needs torch, scikit-learn, pandas, Jinja or WeasyPrint: anyone who wants pages compared hands over
what renders them. What was measured cannot be derived again: a document that was changed throughout, consistently, agrees with
itself. Against that only a signature helps, and the outcome says which protection was found.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from auditor.recheck.outcome import Finding, Kind, Outcome, Part, Rechecked
    from auditor.recheck.pages import Renderer
    from auditor.recheck.rechecking import recheck

__all__ = ["Finding", "Kind", "Outcome", "Part", "Rechecked", "Renderer", "recheck"]

_PLACES: Final = {
    **dict.fromkeys(("Finding", "Kind", "Outcome", "Part", "Rechecked"), "auditor.recheck.outcome"),
    "Renderer": "auditor.recheck.pages",
    "recheck": "auditor.recheck.rechecking",
}
"""Where names lie that are loaded when they are asked for: each process that reads a PDF needs none of them."""


def __getattr__(name: str) -> Any:
    """Load one of them."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
