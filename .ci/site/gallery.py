"""Renders reports of samples out of their golden evidence, with a picture of each first page."""

from __future__ import annotations

import hashlib
import runpy
import tomllib
from html import escape
from pathlib import Path
from typing import Final

from auditor.evidence import read
from auditor.report import render
from auditor.words.told import Told, tell

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
_KEPT: Final = ROOT / "build/pictures"
_HEAD: Final = """# Gallery of reports

What `auditor check` writes for some of the [samples](../samples/index.md), rendered from the evidence that the tests keep.
Each opens as the HTML report; a click on a heading there unfolds the details.
"""


def golden() -> Path:
    """The folder of the newest version's evidence."""
    return max((ROOT / "tests/golden").glob("*.*.*"), key=lambda folder: tuple(map(int, folder.name.split("."))))


def files() -> dict[str, str | bytes]:
    """The page of the gallery, the reports and their pictures, by path in the site."""
    made: dict[str, str | bytes] = {}
    shown = [_HEAD, '<div class="gallery">']
    for name in SHOWN:
        told = tell(read(golden() / f"{name}.json"))
        page = render.html(told)
        made[f"gallery/{name}.html"] = page
        made[f"gallery/{name}.png"] = _picture(told, page)
        shown.append(_figure(name, told))
    made["gallery/index.md"] = "\n".join([*shown, "</div>", ""])
    return made


def _figure(name: str, told: Told) -> str:
    purpose = tomllib.loads((ROOT / "sample_models" / name / "sample.toml").read_text(encoding="utf-8"))["purpose"]
    verdict = told.evidence.verdict.value
    said = f"The first page of the report on {name}: {verdict}"
    return (
        f'<figure><a href="{name}.html"><img src="{name}.png" loading="lazy" alt="{said}"></a><figcaption>'
        f'<a href="{name}.html"><code>{name}</code></a>: <strong>{verdict}</strong>. {escape(purpose)}</figcaption></figure>'
    )


def _picture(told: Told, page: str) -> bytes:
    """Draw the first page, or take the picture that was drawn when the report last read as it does now."""
    kept = _KEPT / f"{hashlib.sha256(page.encode()).hexdigest()}.png"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        report = kept.with_suffix(".pdf")
        report.write_bytes(render.pdf(told, whole=False))
        runpy.run_path(str(ROOT / "sample_models/picture.py"))["draw"](report, kept)
        report.unlink()
    return kept.read_bytes()
