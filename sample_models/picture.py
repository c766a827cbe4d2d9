"""Draws the first page of a sample's report: python sample_models/picture.py digits-newton docs/report.png."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image
from pypdfium2 import PdfDocument

_WIDTH = 840
_COLOURS = 32
"""Text and a few fills need no more, and the file stays small."""


def draw(report: Path, picture: Path) -> None:
    """Draw page 1 of a PDF as a PNG with a thin frame."""
    page = PdfDocument(report)[0]
    drawn = page.render(scale=_WIDTH / page.get_width()).to_pil().convert("RGB")
    framed = Image.new("RGB", (drawn.width + 2, drawn.height + 2), "#bbb")
    framed.paste(drawn, (1, 1))
    framed.quantize(_COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> None:
    """Draw what was audited before."""
    parser = argparse.ArgumentParser(description="the first page of a report, as a picture")
    parser.add_argument("sample", help="a sample that was audited")
    parser.add_argument("picture", type=Path, help="the PNG to write")
    said = parser.parse_args()
    draw(Path(__file__).parent / said.sample / "audit" / "report.pdf", said.picture)


if __name__ == "__main__":
    main()
