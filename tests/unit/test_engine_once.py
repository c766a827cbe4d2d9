"""What the layout engine is spared changes no page: numbers of pages, styles, patterns of the parser, objects of the file."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from auditor.pages import layout_engine, pages, pdf_objects
from tests.unit.test_lines_once import DAY, DRAWING, PROSE, page_of

FURTHER = """.row { display: flex } .row div { flex: 1 1 0; margin: 4px; min-width: auto }
.left { float: left; width: 30%; padding: 1em }
table { border-collapse: collapse; width: 100% } th { border-bottom: 3px solid #123456; width: 31% }
td { border: 1px solid #654321; padding: 0.3em 5% 0.3em 0 } .round { border-radius: 3px; background: #eeeeee }
.box { box-sizing: border-box; width: 50%; padding: 10px; border: 2px solid } li::marker { color: #8f1f24 }
.annex-of::after { content: "\\a0 A" target-counter(attr(href url), page); } a { white-space: nowrap; float: right }"""
MANY = f"""<p class="left">{PROSE}</p><p>{PROSE * 4}</p><div class="row"><div>{PROSE}</div><div class="round">{PROSE}</div></div>
<ul><li>{PROSE}<li>{PROSE}</ul><ol><li class="box">{PROSE}</ol>{DRAWING}
<table><thead><tr><th>one<th>two</thead>{f"<tr><td>{PROSE}<td><b>{PROSE}</b>" * 6}</table>"""
LAST = "".join(f'<h2 id="at-{number}" style="break-before: page">{number}</h2>' for number in range(2, 13))
NAMES = " ".join(f'<a class="annex-of" href="#at-{number}">see-{number}-on</a><br>' for number in (2, 9, 10, 12))
PAGE = (
    page_of(f"{NAMES}{MANY}", f'<a class="page-of" href="#annex">over</a>{PROSE}', NAMES)
    .replace("</style>", f"{FURTHER} @page :nth(1 of annex) {{ counter-reset: page 1 }}</style>")
    .replace("</body>", f'<div class="annex">{LAST}</div><div style="break-before: page">{NAMES}</div></body>')
)

_ALONE = """
import sys
from datetime import datetime
from auditor.pages import layout_engine, lines, page_numbers, pages, parsed_html, used_styles
if sys.argv[1] == "plain":
    for each in (lines, page_numbers, parsed_html, used_styles):
        each.install = lambda: None
    used_styles.without_notes = lambda sheet: sheet
page, date = sys.stdin.read(), datetime.fromisoformat(sys.argv[2])
sys.stdout.buffer.write(pages.lay_out(page, (), date))
"""


_UNTOUCHED = """
from weasyprint import layout
from weasyprint.text import line_break
assert not hasattr(layout.make_all_pages, "plain") and not hasattr(line_break.split_first_line, "plain")
"""


def laid_out_by(engine: str, page: str, *, code: str = _ALONE) -> bytes:
    words = [sys.executable, "-c", code, engine, DAY.isoformat()]
    return subprocess.run(words, input=page.encode(), check=True, timeout=300, stdout=subprocess.PIPE).stdout


def test_what_is_done_once_changes_no_byte() -> None:
    assert laid_out_by("spared", PAGE) == laid_out_by("plain", PAGE)


def test_another_version_of_the_engine_is_left_as_it_is() -> None:
    """What is tried is what the lock names."""
    locked = dict(
        each.partition("==")[::2] for each in (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8").split()
    )
    assert {name: locked[name] for name in layout_engine.TRIED} == layout_engine.TRIED
    assert layout_engine.is_tried()
    other = _ALONE.replace("if sys.argv", "layout_engine.TRIED['pydyf'] = '0'\nif sys.argv") + _UNTOUCHED
    left = laid_out_by("other", PAGE, code=other)
    assert drawn(PdfReader(io.BytesIO(left))) == drawn(PdfReader(io.BytesIO(pages.lay_out(PAGE, (), DAY))))


def test_every_page_is_named_by_its_number() -> None:
    """Of one digit and of two, before and after the page that is named."""
    sheets = [sheet.extract_text() for sheet in PdfReader(io.BytesIO(pages.lay_out(PAGE, (), DAY))).pages]
    numbers = {int(each.split()[0]): each.split()[-1] for each in sheets if each.split()[0].isdigit()}
    assert numbers.keys() == set(range(2, 13))
    found = [word for sheet in sheets for word in sheet.replace("\xa0", " ").split("see-")[1:]]
    assert len(found) == 3 * 4
    for each in found:
        named, at = each.replace("-on", " ").split()[:2]
        assert at == numbers[int(named)]


def drawn(reader: PdfReader) -> list[bytes]:
    return [b"" if (contents := sheet.get_contents()) is None else contents.get_data() for sheet in reader.pages]


def test_objects_made_once_hold_what_they_held(monkeypatch: pytest.MonkeyPatch) -> None:
    attached = (pages.Embedded("evidence.json", b"{}" * 999, "evidence"),)
    once = PdfReader(io.BytesIO(pages.lay_out(PAGE, attached, DAY)))
    monkeypatch.setattr(pdf_objects, "made_once", lambda pdf: None)
    twice = PdfReader(io.BytesIO(pages.lay_out(PAGE, attached, DAY)))
    assert drawn(once) == drawn(twice)
    assert once.attachments == twice.attachments
    assert once.xref_objStm.keys() == twice.xref_objStm.keys()


def test_what_rare_fonts_need_is_imported_when_they_are_met() -> None:
    """In a process of its own: others may have imported it."""
    code = """
import sys
from auditor.pages.layout_engine import load_engine
load_engine()
assert not {"fontTools.subset", "fontTools.varLib", "fontTools.varLib.instancer"} & sys.modules.keys()
from weasyprint.pdf import fonts
assert type(fonts.subset.Options()).__module__ == "fontTools.subset"
try:
    fonts.instantiateVariableFont({}, {})
except (ValueError, KeyError) as error:
    assert "fontTools/varLib/instancer" in error.__traceback__.tb_next.tb_next.tb_frame.f_code.co_filename
import fontTools.subset
assert fontTools.subset.__file__
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_engine_that_is_loaded_again_is_spared_once() -> None:
    from weasyprint.layout import inline, make_all_pages, percent  # noqa: PLC0415

    layout_engine.load_engine()
    before = inline.split_first_line, make_all_pages, percent.resolve_percentages
    layout_engine.load_engine()
    assert before == (inline.split_first_line, make_all_pages, percent.resolve_percentages)
