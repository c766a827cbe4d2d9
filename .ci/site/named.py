"""Names what the theme leaves without a name for screen readers."""

from __future__ import annotations

from typing import Any

from mkdocs.exceptions import PluginError

_SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'


def on_post_page(output: str, **_: Any) -> str:
    """Name the search dialog.

    Raises:
        PluginError: If the theme has another search by now.
    """
    if _SEARCH not in output:
        raise PluginError(f"the theme's search is no longer {_SEARCH}: see .ci/site/named.py")
    return output.replace(_SEARCH, _SEARCH.replace("dialog", 'dialog" aria-label="Search'))
