"""Lets links lead where the site has what they name, and shows as code what it has not: code, tests, folders."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page
from pages import ROOT, around

_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
_SOURCE = re.compile(r'(?P<before><img [^>]*src=")(?P<target>[^"]+)(?P<after>")')
_SCHEME = re.compile(r"[a-z][a-z+.-]*:")
_FOLDERS = {"docs/decisions": "decisions/index.md", "sample_models": "samples/index.md"}


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Rewrite the links of a page; what the build writes leads within the site as it is."""
    sources = {target: source for source, target in around().items()}
    source = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return rewritten(markdown, page.file.src_uri, source) if (ROOT / source).is_file() else markdown


def rewritten(markdown: str, page: str, source: str) -> str:
    """Markdown whose links lead within the site.

    Args:
        markdown: The text, code blocks included, which stay as they are.
        page: Its path in the site.
        source: Its path in the repository, from which its links lead.

    Raises:
        PluginError: If a link leads to nothing in the repository.
    """
    parts = _FENCED.split(markdown)
    parts[::2] = [_in_prose(each, page, source) for each in parts[::2]]
    return "".join(parts)


def _in_prose(text: str, page: str, source: str) -> str:
    text = _LINK.sub(lambda found: _link(found, page, source), text)
    return _SOURCE.sub(lambda found: f"{found['before']}{_place(found['target'], page, source)}{found['after']}", text)


def _link(found: Mapping[str, str] | re.Match[str], page: str, source: str) -> str:
    place = _place(found["target"], page, source)
    if place is not None:
        return f"{found['image']}[{found['text']}]({place})"
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), found["target"].partition("#")[0]))
    bare = found["text"].strip("`")
    return f"`{path}`" if bare in {path, posixpath.basename(path)} else f"{found['text']} (`{path}`)"


def _place(target: str, page: str, source: str) -> str | None:
    """Where a link leads from a page of the site, or None for what the site has not."""
    if target.startswith("#") or _SCHEME.match(target):
        return target
    path, mark, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if not (ROOT / path).exists():
        raise PluginError(f"{source}: the link to {target} leads to nothing")
    known = around() | _FOLDERS
    if path not in known and (not path.startswith("docs/") or (ROOT / path).is_dir()):
        return None
    to = known.get(path, path.removeprefix("docs/"))
    return posixpath.relpath(to, posixpath.dirname(page) or ".") + mark + anchor
