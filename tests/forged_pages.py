"""Ways to forge the pages of a PDF of ours, each leaving what it carries as it was."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

from fontTools.ttLib import TTFont
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)
from pypdfium2 import PdfDocument

Forgery = Callable[[PdfWriter], object]
WHITE_BOX = b"q 1 1 1 rg 40 40 500 760 re f Q"


def rewritten(pdf: bytes, change: Forgery = lambda _writer: None) -> bytes:
    """A PDF written from scratch after a change."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    change(writer)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def updated(pdf: bytes, change: Forgery) -> bytes:
    """A PDF with a change appended to it, as editors do that keep what was there (an incremental update)."""
    writer = PdfWriter(io.BytesIO(pdf), incremental=True)
    change(writer)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def dictionary(**values: Any) -> DictionaryObject:
    """A dictionary; texts that begin with a slash are names."""
    return DictionaryObject({NameObject(f"/{key}"): _made(value) for key, value in values.items()})


def _made(value: Any) -> Any:
    match value:
        case str() if type(value) is str:
            return NameObject(value) if value.startswith("/") else TextStringObject(value)
        case int() if type(value) is int:
            return NumberObject(value)
        case float() if type(value) is float:
            return FloatObject(value)
        case list() if type(value) is list:
            return ArrayObject(map(_made, value))
        case _:
            return value


def drawn(operators: bytes, *, page: int = 0, before: bool = False) -> Forgery:
    """Operators drawn over what a page shows, or under it."""

    def change(writer: PdfWriter) -> None:
        held = writer.pages[page]
        old = held.get_contents().get_data()
        stream = DecodedStreamObject()
        stream.set_data(operators + b"\n" + old if before else b"q " + old + b" Q\n" + operators)
        held[NameObject("/Contents")] = writer._add_object(stream)

    return change


def typed(text: str, mode: str = "", at: str = "60 700", colour: str = "0 0 0") -> Forgery:
    """Text drawn in a font of every reader's own."""

    def change(writer: PdfWriter) -> None:
        font = dictionary(Type="/Font", Subtype="/Type1", BaseFont="/Helvetica")
        resources = writer.pages[0]["/Resources"].get_object()
        resources["/Font"].get_object()[NameObject("/Forged")] = writer._add_object(font)
        drawn(f"BT /Forged 12 Tf {colour} rg {mode} {at} Td ({text}) Tj ET".encode())(writer)

    return change


def annotated(**values: Any) -> Forgery:
    """An annotation on the first page."""

    def change(writer: PdfWriter) -> None:
        page = writer.pages[0]
        note = dictionary(Type="/Annot", Rect=[60, 60, 400, 200], **values)
        page[NameObject("/Annots")] = ArrayObject([*page.get("/Annots", ()), writer._add_object(note)])

    return change


def in_catalogue(**values: Any) -> Forgery:
    """Keys of the catalogue."""
    return lambda writer: writer.root_object.update(dictionary(**values))


def in_page(**values: Any) -> Forgery:
    """Keys of the first page."""
    return lambda writer: writer.pages[0].update(dictionary(**values))


def painted_over(text: str) -> Forgery:
    """A white box over one text, no larger than it: the words that a reader copies stay as they were."""

    def change(writer: PdfWriter) -> None:
        target = io.BytesIO()
        writer.write(target)
        shown = PdfDocument(target.getvalue())[0].get_textpage()
        start, _ = shown.search(text).get_next()
        left, bottom, right, top = shown.get_charbox(start)
        drawn(f"q 1 1 1 rg {left} {bottom} {right - left} {top - bottom} re f Q".encode())(writer)

    return change


def _layer(writer: PdfWriter) -> None:
    """A layer that is off on the screen and on in print."""
    group = writer._add_object(dictionary(Type="/OCG", Name="Layer"))
    off = dictionary(ON=[], OFF=[group], Order=[])
    writer.root_object.update(dictionary(OCProperties=dictionary(OCGs=[group], D=off)))
    resources = writer.pages[0]["/Resources"].get_object()
    resources[NameObject("/Properties")] = dictionary(Hidden=group)
    drawn(b"/OC /Hidden BDC " + WHITE_BOX + b" EMC")(writer)


def _unicode(writer: PdfWriter) -> None:
    """Text that says otherwise what its picture shows: another table from glyphs to letters."""
    for each in _of_type(writer, "/Font"):
        if "/ToUnicode" in each:
            stream = each["/ToUnicode"].get_object()
            lines = stream.get_data().replace(b"<0061>", b"<0062>").replace(b"<0065>", b"<0061>")
            stream.set_data(lines)


def _widths(writer: PdfWriter) -> None:
    """Words that stand wider, and over each other."""
    for each in _of_type(writer, "/Font"):
        if each.get("/Subtype") in {"/CIDFontType0", "/CIDFontType2"}:
            widths = each["/W"].get_object()
            each[NameObject("/W")] = ArrayObject([widths[0], ArrayObject(FloatObject(w * 1.2) for w in widths[1].get_object())])


def _outlines(writer: PdfWriter) -> None:
    """Two letters whose outlines are exchanged: the text stays, the picture is another."""
    for each in _of_type(writer, "/FontDescriptor"):
        stream = each["/FontFile3"].get_object()
        font = TTFont(io.BytesIO(stream.get_data()))
        places = font["CFF "].cff.topDictIndex[0].CharStrings.charStrings
        places["a"], places["e"] = places["e"], places["a"]
        target = io.BytesIO()
        font.save(target)
        stream.set_data(target.getvalue())


def _of_type(writer: PdfWriter, kind: str) -> list[Any]:
    held = (writer.get_object(number) for number in range(1, len(writer._objects) + 1))
    return [each for each in held if isinstance(each, DictionaryObject) and each.get("/Type") == kind]


def _told_to_screen_readers(writer: PdfWriter) -> None:
    element = next(each for each in _of_type(writer, "/StructElem") if each.get("/S") == "/P")
    element[NameObject("/ActualText")] = TextStringObject("All requirements are met.")


def _outline(writer: PdfWriter) -> None:
    first = writer.root_object["/Outlines"].get_object()["/First"].get_object()
    first[NameObject("/Title")] = TextStringObject("Passed in every respect")


def _link(writer: PdfWriter) -> None:
    annotated(Subtype="/Link", Border=[0, 0, 0], A=dictionary(S="/URI", URI="https://example.org/"))(writer)


def _script_by_name(writer: PdfWriter) -> None:
    names = writer.root_object["/Names"].get_object()
    names[NameObject("/JavaScript")] = dictionary(Names=["passed", dictionary(S="/JavaScript", JS="app.alert('passed')")])


def _metadata(writer: PdfWriter) -> None:
    stream = writer.root_object["/Metadata"].get_object()
    stream.set_data(stream.get_data().replace(b"<dc:title>", b"<dc:title>Certified: "))


def _exchanged(writer: PdfWriter) -> None:
    kids = writer.root_object["/Pages"].get_object()["/Kids"]
    kids[0], kids[1] = kids[1], kids[0]


def _dropped(writer: PdfWriter) -> None:
    del writer.pages[len(writer.pages) - 1]


def _image(writer: PdfWriter) -> None:
    """A picture that covers the page and is drawn another way in print."""
    pixels = StreamObject()
    pixels.set_data(b"\xff")
    pixels.update(dictionary(Type="/XObject", Subtype="/Image", Width=1, Height=1, BitsPerComponent=8, ColorSpace="/DeviceGray"))
    writer.pages[0]["/Resources"].get_object()["/XObject"].get_object()[NameObject("/Forged")] = writer._add_object(pixels)
    drawn(b"q 400 0 0 40 60 700 cm /Forged Do Q")(writer)


def _transfer(writer: PdfWriter) -> None:
    writer.pages[0]["/Resources"].get_object()["/ExtGState"].get_object().update(dictionary(Forged=dictionary(TR="/Identity")))


SCRIPT = dictionary(S="/JavaScript", JS="app.alert('passed')")
FORGERIES: Mapping[str, Forgery] = {
    "a white box over everything": drawn(WHITE_BOX),
    "a letter that is painted over": painted_over("request"),
    "a full stop that is painted over": painted_over("."),
    "a pale box": drawn(b"q 0.98 0.98 0.98 rg 60 300 300 100 re f Q"),
    "a hair line": drawn(b"q 0.05 w 60 300 m 300 300 l S Q"),
    "a picture over a line": _image,
    "other words": typed("Pass"),
    "white words": typed("Pass", colour="1 1 1"),
    "words that are not drawn": typed("Pass", mode="3 Tr"),
    "words out of the page": typed("Pass", at="4000 4000"),
    "another table from glyphs to letters": _unicode,
    "other outlines of glyphs": _outlines,
    "another width of glyphs": _widths,
    "a layer that is off": _layer,
    "a note over the page": annotated(Subtype="/FreeText", Contents="Pass", DA="/Helv 12 Tf 0 g"),
    "a note that is hidden on the screen": annotated(Subtype="/Stamp", Contents="Pass", F=32),
    "a link": _link,
    "a form": in_catalogue(AcroForm=dictionary(Fields=[])),
    "a form in XFA": in_catalogue(AcroForm=dictionary(Fields=[], XFA="<xdp/>"), NeedsRendering=BooleanObject(True)),
    "a script when it is opened": in_catalogue(OpenAction=SCRIPT),
    "a script when it is printed": in_catalogue(AA=dictionary(WP=SCRIPT)),
    "a script when a page is opened": in_page(AA=dictionary(O=SCRIPT)),
    "a script by name": _script_by_name,
    "a page that is cut": in_page(CropBox=[0, 400, 595, 842]),
    "a page that is turned": in_page(Rotate=180),
    "pages that are turned together": lambda writer: writer.root_object["/Pages"].get_object().update(dictionary(Rotate=90)),
    "a transition between pages": in_page(Trans=dictionary(S="/Dissolve")),
    "other colours in print": _transfer,
    "a page of other units": in_page(UserUnit=2),
    "a page of other size": in_page(MediaBox=[0, 0, 14400, 14400]),
    "a page that was dropped": _dropped,
    "a page that was inserted": lambda writer: writer.insert_blank_page(595, 842, 1),
    "pages in another order": _exchanged,
    "other page numbers": in_catalogue(PageLabels=dictionary(Nums=[0, dictionary(S="/D", St=7)])),
    "another title": lambda writer: writer.add_metadata({"/Title": "Certificate of erasure"}),
    "another field about it": lambda writer: writer.add_metadata({"/Keywords": "certified"}),
    "another title in its metadata": _metadata,
    "another bookmark": _outline,
    "another language": in_catalogue(Lang="de"),
    "other words for screen readers": _told_to_screen_readers,
    "other words for screen readers among the operators": drawn(b"/Span <</ActualText (Pass)>> BDC EMC"),
}
"""By what they do; each has to be found in a letter and in a report."""


def held(pdf: bytes, name: str) -> bytes:
    """The one attachment of a name."""
    (content,) = PdfReader(io.BytesIO(pdf)).attachments[name]
    return content
