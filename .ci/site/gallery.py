"""Renders reports of samples and a letter out of their golden evidence, with a picture of each first page."""

from __future__ import annotations

import hashlib
import runpy
import tomllib
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final

from auditor.document.evidence_files import read
from auditor.pages import letter, render
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import tell

ROOT: Final = Path(__file__).resolve().parents[2]
SHOWN: Final = (
    "digits-newton",
    "digits-cheater",
    "loans-lightgbm",
    "tiny-transformer",
    "digits-mlp-noisy-gd",
    "breast-cancer-noisy-gd",
    "group-deletion",
    "sqlite-plain",
)
"""One for each kind of model, and for each verdict."""
_LETTER: Final = ("digits-newton", "REQ-2026-0001")
_KEPT: Final = ROOT / "build/pictures"
_HEAD: Final = """# Gallery of reports

What `auditor check` writes for some of the [samples](../samples/index.md), rendered from the evidence that the tests keep.
Each opens as the HTML report, whose details unfold at a click; the letter is a PDF.
"""


def golden() -> Path:
    """The folder of the newest version's evidence."""
    return max((ROOT / "tests/golden").glob("*.*.*"), key=lambda folder: tuple(map(int, folder.name.split("."))))


def files() -> dict[str, str | bytes]:
    """The page of the gallery, the reports, the letter and their pictures, by path in the site."""
    made: dict[str, str | bytes] = {}
    shown = [_HEAD, '<div class="gallery">']
    for name in SHOWN:
        told = tell(read(golden() / f"{name}.json"))
        page = render.html(told)
        verdict = told.evidence.verdict.value
        made[f"gallery/{name}.html"] = page
        made[f"gallery/{name}.png"] = _picture(page, lambda told=told: render.pdf(told, whole=False))
        shown.append(
            _figure(name, f"{name}.html", f"The report on {name}: {verdict}", f"<strong>{verdict}</strong>. {_purpose(name)}")
        )
    made |= _letter()
    shown.append(
        _figure(
            "letter", "letter.pdf", "A letter to one person", "to one of the people whose request is in the log of digits-newton."
        )
    )
    made["gallery/index.md"] = "\n".join([*shown, "</div>", ""])
    return made


def _letter() -> dict[str, bytes]:
    sample, request = _LETTER
    content = letter.pdf(extract(read(golden() / f"{sample}.json"), request, None, draft=False))
    return {"gallery/letter.pdf": content, "gallery/letter.png": _picture(content, lambda: content)}


def _purpose(name: str) -> str:
    return escape(tomllib.loads((ROOT / "sample_models" / name / "sample.toml").read_text(encoding="utf-8"))["purpose"])


def _figure(name: str, target: str, alternative: str, says: str) -> str:
    """A picture and a caption, both of which lead to what is shown."""
    return (
        f'<figure><a href="{target}"><img src="{name}.png" loading="lazy" alt="{alternative}"></a>'
        f'<figcaption><a href="{target}"><code>{name}</code></a>: {says}</figcaption></figure>'
    )


def _picture(shown: str | bytes, printed: Callable[[], bytes]) -> bytes:
    """Draw a first page, or take the picture that was drawn when the same was shown."""
    kept = _KEPT / f"{hashlib.sha256(shown.encode() if isinstance(shown, str) else shown).hexdigest()}.png"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        document = kept.with_suffix(".pdf")
        document.write_bytes(printed())
        runpy.run_path(str(ROOT / "sample_models/picture.py"))["draw"](document, kept)
        document.unlink()
    return kept.read_bytes()
