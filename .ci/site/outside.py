"""Refuses a site whose pages fetch anything from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

_FETCHED: Final = {"src", "srcset", "poster", "data", "background"}
_FOLLOWED: Final = {"href"}
_FETCHING: Final = {"link", "image", "use"}
_ELSEWHERE: Final = re.compile(r"\s*(?:[a-z][a-z+.-]*:)?//", re.IGNORECASE)
_IN_STYLES: Final = re.compile(r"(?:url\(\s*|@import\s+)[\"']?((?:[a-z]+:)?//[^\"')\s]+)", re.IGNORECASE)

_STYLES: Final = re.compile(r"<style.*?</style>", re.DOTALL)


class _Fetches(HTMLParser):
    """Collects what a browser fetches for a page from another host."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an address that this element fetches; where an `a` leads is the reader's own step."""
        for name, value in attrs:
            fetched = name in _FETCHED or (name in _FOLLOWED and tag in _FETCHING)
            if fetched and value and _ELSEWHERE.match(value):
                self.found.append(value)
            if name == "style" and value:
                self.found += _IN_STYLES.findall(value)


def fetched(html: str) -> list[str]:
    """The addresses on other hosts that a browser fetches for a page, styles within it included."""
    page = _Fetches()
    page.feed(html)
    return page.found + [
        each for block in re.findall(r"<style.*?</style>", html, re.DOTALL) for each in _IN_STYLES.findall(block)
    ]


def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Read every page and style that was built."""
    site = Path(config.site_dir)
    read = {"*.html": fetched, "*.css": _IN_STYLES.findall}
    found = [
        f"{path.relative_to(site)}: {each}"
        for pattern, finder in read.items()
        for path in sorted(site.rglob(pattern))
        for each in finder(path.read_text(encoding="utf-8"))
    ]
    if found:
        raise PluginError("pages fetch from elsewhere:\n" + "\n".join(found))
