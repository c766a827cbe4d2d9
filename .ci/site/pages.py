"""Gathers the pages of the site: those of docs/, Markdown of the repository around it, and what is written at build time."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import gallery
import written
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
INDEX = "README.md"
_SECTION = re.compile(r"## (.+)")
_ENTRY = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<target>[^)#\s]+)\)")
_UNSOUGHT = "---\nsearch: { exclude: true }\n---\n"
_ASSETS = ("site.css", "iframe-worker.js")


def around() -> dict[str, str]:
    """Markdown of the repository that is outside docs/: its path there, and its page of the site."""
    samples = sorted(path.parent.name for path in (ROOT / "sample_models").glob("*/README.md"))
    return {
        "README.md": "start.md",
        "CONTRIBUTING.md": "contributing.md",
        "CHANGELOG.md": "changes.md",
        "sample_models/README.md": "samples/index.md",
    } | {f"sample_models/{name}/README.md": f"samples/{name}.md" for name in samples}


def on_config(config: MkDocsConfig, **_: Any) -> MkDocsConfig:
    """Take the order of the pages from the list in docs/README.md, and begin its sections with what is written at build time."""
    config.nav = nav((Path(config.docs_dir) / INDEX).read_text(encoding="utf-8"), Path(config.docs_dir))
    return config


def nav(index: str, docs: Path) -> list[dict[str, Any]]:
    """The sections of the index that list pages, with these; a folder is all its pages.

    Raises:
        PluginError: If a section that pages are written for is not in the index, or an entry leads nowhere.
    """
    sections: dict[str, list[Any]] = {}
    for line in index.splitlines():
        if found := _SECTION.fullmatch(line):
            sections[found[1]] = []
        elif (found := _ENTRY.match(line)) and sections:
            sections[[*sections][-1]].append({found["title"]: _page(found["target"], docs)})
    for section, pages in written.SECTIONS.items():
        if section not in sections:
            raise PluginError(f"docs/{INDEX}: expected a section '## {section}' for the pages that the build writes")
        sections[section][:0] = [{title: path} for title, path in pages.items()]
    return [{"Home": INDEX}, *({title: pages} for title, pages in sections.items() if pages)]


def _page(target: str, docs: Path) -> str | list[Any]:
    path = posixpath.normpath(posixpath.join("docs", target))
    outside = around()
    if path == "sample_models/README.md":
        return [outside[path], *(each for each in outside.values() if each.startswith("samples/") and each != outside[path])]
    if path in outside:
        return outside[path]
    if (docs / target).is_dir():
        return [f"{target}/index.md", *(f"{target}/{each.name}" for each in sorted((docs / target).glob("*.md")))]
    return target


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add what is not in docs/."""
    for source, page in around().items():
        before = _UNSOUGHT if source == "CHANGELOG.md" else ""
        files.append(File.generated(config, page, content=before + (ROOT / source).read_text(encoding="utf-8")))
    for name in _ASSETS:
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(Path(__file__).with_name(name))))
    for path, content in (written.pages() | gallery.files()).items():
        files.append(File.generated(config, path, content=content))
    return files
