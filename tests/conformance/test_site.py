"""The documentation as a site: strict, every page in its place, and nothing that is fetched from elsewhere."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from auditor import api

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / ".ci/mkdocs.yml"
DOCS = ROOT / "docs"


class _Loader(yaml.SafeLoader):
    """Reads the configuration without making the objects that it names."""


_Loader.add_multi_constructor("", lambda _loader, _tag, _node: None)


@pytest.fixture(scope="module")
def config() -> dict:
    return yaml.load(CONFIG.read_text(encoding="utf-8"), Loader=_Loader)


def hook(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of .ci/site, with those that it imports from there."""
    monkeypatch.syspath_prepend(str(ROOT / ".ci/site"))
    return importlib.import_module(name)


def test_the_site_is_strict_and_fetches_no_fonts(config: dict) -> None:
    assert config["strict"] is True
    assert config["theme"]["font"] is False
    assert {"search", "offline"} <= {each for each in config["plugins"] if isinstance(each, str)}
    assert not {"repo_url", "extra_javascript"} & set(config)
    assert all(level == "warn" for part in config["validation"].values() for level in part.values())


def test_the_navigation_has_every_page_once(monkeypatch: pytest.MonkeyPatch) -> None:
    nav = hook("pages", monkeypatch).nav((DOCS / "README.md").read_text(encoding="utf-8"), DOCS)
    listed = list(paths(nav))
    assert len(listed) == len(set(listed))
    assert {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")} - set(listed) == set()
    assert [next(iter(each)) for each in nav][:5] == ["Home", "Tutorial", "How-to", "Reference", "Explanation"]


def paths(nav: object) -> list[str]:
    """Every page that a navigation names."""
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [path for each in inner for path in paths(each)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a](cases.md#data)", "[a](cases.md#data)"),
        ("[samples](../sample_models/README.md)", "[samples](samples/index.md)"),
        ("[`digits-cnn`](../sample_models/digits-cnn/README.md)", "[`digits-cnn`](samples/digits-cnn.md)"),
        ("[`.ci/Containerfile`](../.ci/Containerfile)", "`.ci/Containerfile`"),
        ("designs in [the league](../tests/league) lie", "designs in the league (`tests/league`) lie"),
        ("[decisions](decisions)", "[decisions](decisions/index.md)"),
        ("```\n[a](../tests/league)\n```", "```\n[a](../tests/league)\n```"),
        ("[below](#data), [in-toto](https://example.org/x)", "[below](#data), [in-toto](https://example.org/x)"),
    ],
)
def test_a_link_leads_within_the_site_or_is_code(written: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook("links", monkeypatch).rewritten(written, "networks.md", "docs/networks.md") == expected


def test_links_of_pages_from_elsewhere_lead_back(monkeypatch: pytest.MonkeyPatch) -> None:
    links = hook("links", monkeypatch)
    written = "[x](../../docs/networks.md) [y](../digits-cnn/README.md) [z](procedure.py)"
    expected = "[x](../networks.md) [y](digits-cnn.md) z (`sample_models/tiny-transformer/procedure.py`)"
    named = next((ROOT / "sample_models/tiny-transformer").glob("*.py")).name
    page = "samples/tiny-transformer.md"
    source = "sample_models/tiny-transformer/README.md"
    assert links.rewritten(written.replace("procedure.py", named), page, source) == expected.replace("procedure.py", named)
    assert links.rewritten('<img src="docs/report.png" alt="">', "start.md", "README.md") == '<img src="report.png" alt="">'


def test_a_link_to_nothing_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    links = hook("links", monkeypatch)
    with pytest.raises(Exception, match=r"docs/networks.md: the link to gone.md leads to nothing"):
        links.rewritten("[a](gone.md)", "networks.md", "docs/networks.md")


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://example.org/a.js"></script>',
        "<img srcset='//example.org/a.png 2x'>",
        '<link rel="stylesheet" href="HTTP://example.org/a.css">',
        "<svg><image href='https://example.org/a.png'/></svg>",
        '<p style="background: url(https://example.org/a.png)">',
        "<style>@import 'https://example.org/a.css';</style>",
    ],
)
def test_what_a_page_fetches_from_elsewhere_is_seen(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(hook("outside", monkeypatch).fetched(html)) == 1


def test_a_link_that_a_reader_may_follow_is_no_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    page = '<a href="https://example.org/">x</a><img src="report.png"><link href="assets/site.css"><svg xmlns="http://www.w3.org/2000/svg">'
    assert hook("outside", monkeypatch).fetched(page) == []


def test_every_command_has_its_help_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    page = hook("written", monkeypatch).pages()["command-line.md"]
    for name in ("check", "validate", "log import", "explain", "keygen"):
        assert f"## `auditor {name}`\n\n```\nUsage: auditor {name} " in page


def api_names() -> list[str]:
    """What `auditor.api` offers."""
    return [f"api.{name}" for name in api.__all__]


@pytest.mark.slow
def test_the_site_is_built(tmp_path: Path) -> None:
    """Faster, without a build: test_the_navigation_has_every_page_once and those of links."""
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(CONFIG), "-d", str(site)]
    surroundings = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=surroundings)
    assert (done.returncode, done.stderr) == (0, "")
    assert (site / "search/search_index.js").is_file()
    assert (site / "gallery/digits-newton.png").read_bytes().startswith(b"\x89PNG")
    assert (site / "gallery/letter.pdf").read_bytes().startswith(b"%PDF-")
    page = (site / "api.html").read_text(encoding="utf-8")
    assert [name for name in api_names() if f'id="auditor.{name}"' not in page] == []
    assert "<blockquote" not in page  # what doctests outside a section Examples become
    for page in site.rglob("*.html"):
        assert not re.search(
            r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//", page.read_text(encoding="utf-8")
        )
