"""What PDF/A-3a and a screen reader ask of every PDF of ours, read back from the file."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator

import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

import golden_reports
import rendered_results
from auditor.pages import attachments

LETTER = "a letter"
FILES = (*golden_reports.SHOWN, LETTER)
ACTIVE = {"/JavaScript", "/JS", "/OpenAction", "/AA", "/Launch", "/AcroForm", "/XFA", "/RichMedia", "/SubmitForm", "/URI"}
each = pytest.mark.parametrize("name", FILES)


@functools.cache
def opened(name: str) -> PdfReader:
    if name != LETTER:
        return golden_reports.reader(name)
    return PdfReader(io.BytesIO(rendered_results.results()["letter.pdf"]))


def catalogue(name: str) -> DictionaryObject:
    return opened(name).trailer["/Root"]


def objects(reader: PdfReader) -> Iterator[DictionaryObject]:
    for number in range(1, reader.trailer["/Size"]):
        found = reader.get_object(IndirectObject(number, 0, reader))
        if isinstance(found, DictionaryObject):
            yield found


def elements(name: str) -> Iterator[DictionaryObject]:
    return (each for each in objects(opened(name)) if each.get("/Type") == "/StructElem")


@each
def test_it_says_that_it_is_pdf_a_3a(name) -> None:
    said = catalogue(name)["/Metadata"].get_object().get_data().decode()
    assert re.search(r'pdfaid:part(="|>)3', said)
    assert re.search(r'pdfaid:conformance(="|>)A', said)
    (intent,) = catalogue(name)["/OutputIntents"]
    assert intent.get_object()["/S"] == "/GTS_PDFA1"
    assert intent.get_object()["/DestOutputProfile"].get_object()["/N"] == 3
    assert not opened(name).is_encrypted


@each
def test_it_has_a_language_a_title_and_tags(name) -> None:
    root = catalogue(name)
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert opened(name).metadata.title
    assert root["/StructTreeRoot"].get_object()["/K"]
    kinds = {str(found["/S"]) for found in elements(name)}
    assert {"/Document", "/H1", "/P", "/Table", "/TR", "/TD"} <= kinds


@each
def test_every_figure_has_words_for_those_who_cannot_see_it(name) -> None:
    figures = [found for found in elements(name) if found["/S"] == "/Figure"]
    assert all(str(found.get("/Alt", "")).strip() for found in figures)
    if name != LETTER:
        assert len(figures) > 2


@each
def test_nothing_in_it_runs_or_leads_elsewhere(name) -> None:
    for found in objects(opened(name)):
        assert not ACTIVE & set(found), found
        assert found.get("/S") not in ACTIVE


@each
def test_every_font_is_embedded_and_can_be_read_as_text(name) -> None:
    fonts = {font.idnum: font.get_object() for page in opened(name).pages for font in _fonts(page)}
    assert fonts
    for font in fonts.values():
        assert "/ToUnicode" in font
        described = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        assert {"/FontFile2", "/FontFile3"} & set(described)


def _fonts(page: DictionaryObject) -> Iterator[IndirectObject]:
    held = page["/Resources"].get_object().get("/Font", DictionaryObject()).get_object()
    return (held.raw_get(key) for key in held)


@each
def test_every_file_in_it_says_what_it_is_and_how_it_belongs_there(name) -> None:
    related = {str(file.get_object()["/UF"]): file.get_object() for file in catalogue(name)["/AF"]}
    assert len(related) == len(catalogue(name)["/AF"])
    assert set(related) == set(opened(name).attachments)
    for file, spec in related.items():
        assert spec["/Desc"]
        assert spec["/AFRelationship"] == ("/Data" if file in {"evidence.json", "letter.json"} else "/Supplement")
        content = spec["/EF"]["/F"].get_object()
        assert content["/Subtype"] in {"/application/json", "/text/csv"}
        assert content["/Params"]["/ModDate"]


@pytest.mark.parametrize("name", golden_reports.SHOWN)
def test_a_report_carries_the_tables_that_its_evidence_gives(name) -> None:
    evidence = golden_reports.told(name).evidence
    carried = {file: content for file, (content,) in opened(name).attachments.items()}
    assert carried == {"evidence.json": evidence.to_bytes(), **attachments.of(evidence)}
    assert {"requests.csv", "certificates.json"} <= set(carried)


@pytest.mark.parametrize("name", golden_reports.SHOWN)
def test_bookmarks_lead_through_a_report_and_pages_are_called_as_they_are_numbered(name) -> None:
    titles = [item.title for item in opened(name).outline if not isinstance(item, list)]
    assert titles[-1] == "Technical annex"
    main, annex = len(golden_reports.main_part(name)), len(golden_reports.annex(name))
    printed = [*(str(number + 1) for number in range(main)), *(f"A{number + 1}" for number in range(annex))]
    assert list(opened(name).page_labels) == printed


@pytest.mark.parametrize("name", golden_reports.SHOWN)
def test_running_heads_are_read_as_words_and_sections_in_order(name) -> None:
    told, pages = golden_reports.told(name), golden_reports.texts(name)
    named = told.case.release and told.evidence.examined.model  # a release whose model file nobody saw is not in it
    head = f"{told.case.name} · release {told.case.release}" if named else told.case.name
    for text in pages[1:]:
        assert head in text
        assert "UNSIGNED · evidence " in text
    whole = "\n".join(pages)
    places = [
        whole.rindex(f"\n{title}\n") for title in ("Method and thresholds", "Checks that ran", "Certificates", "File index")
    ]
    assert places == sorted(places)
