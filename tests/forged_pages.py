"""Ways to forge the pages of a PDF of ours, each leaving what it carries as it was."""

from __future__ import annotations

import io
import re
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


def _draw(writer: PdfWriter, operators: bytes, page: int = 0) -> None:
    """Have a page drawn by these operators, which take the place of its own."""
    stream = DecodedStreamObject()
    stream.set_data(operators)
    writer._replace_object(writer.pages[page].raw_get("/Contents"), stream)


def drawn(operators: bytes, *, page: int = 0, before: bool = False) -> Forgery:
    """Operators drawn over what a page shows, or under it."""

    def change(writer: PdfWriter) -> None:
        old = writer.pages[page].get_contents().get_data()
        _draw(writer, operators + b"\n" + old if before else b"q " + old + b" Q\n" + operators, page)

    return change


def typed(
    text: str, mode: str = "", at: str = "60 700", colour: str = "0 0 0", size: str = "12", *, before: bool = False
) -> Forgery:
    """Text drawn in a font of every reader's own."""

    def change(writer: PdfWriter) -> None:
        font = dictionary(Type="/Font", Subtype="/Type1", BaseFont="/Helvetica")
        resources = writer.pages[0]["/Resources"].get_object()
        resources["/Font"].get_object()[NameObject("/Forged")] = writer._add_object(font)
        words = f"q BT /Forged {size} Tf {colour} rg {mode} {at} Td ({text}) Tj ET Q"
        drawn(words.encode(), before=before)(writer)

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


def painted_over(text: str) -> Callable[[PdfWriter], tuple[float, ...]]:
    """A white box over the first letter of a text: the words that a reader copies stay. It gives where that letter was."""

    def change(writer: PdfWriter) -> tuple[float, ...]:
        target = io.BytesIO()
        writer.write(target)
        shown = PdfDocument(target.getvalue())[0].get_textpage()
        start, _ = shown.search(text).get_next()
        left, bottom, right, top = shown.get_charbox(start)
        drawn(f"q 1 1 1 rg {left} {bottom} {right - left} {top - bottom} re f Q".encode())(writer)
        return left, bottom, right, top

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


def _leading(writer: PdfWriter) -> None:
    first = writer.root_object["/Outlines"].get_object()["/First"].get_object()
    first[NameObject("/Dest")][0] = writer.pages[1].indirect_reference


def thick_borders(writer: PdfWriter) -> None:
    """Boxes around the links of all pages, as thin as a line of text is."""
    for page in writer.pages:
        for note in page.get("/Annots", ()):
            note.get_object()["/BS"][NameObject("/W")] = FloatObject(0.4)


def leading_elsewhere(writer: PdfWriter) -> None:
    """The first link of a report to another place in it."""
    notes = [note.get_object() for page in writer.pages for note in page.get("/Annots", ())]
    first, other = notes[0], next(each for each in notes if each["/Dest"] != notes[0]["/Dest"])
    first[NameObject("/Dest")] = other["/Dest"]


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


def repainted(old: str, new: str) -> Forgery:
    """A white box over one letter, and another letter in its place."""

    def change(writer: PdfWriter) -> None:
        left, bottom, _, _ = painted_over(old)(writer)
        typed(new, at=f"{left} {bottom}")(writer)

    return change


def as_a_picture(writer: PdfWriter) -> None:
    """The first page as a picture of itself: it looks the same, and holds no words."""
    target = io.BytesIO()
    writer.write(target)
    drawn_page = PdfDocument(target.getvalue())[0].render(scale=4).to_pil().convert("RGB")
    picture = stream(drawn_page.tobytes(), Type="/XObject", Subtype="/Image", Width=drawn_page.width, Height=drawn_page.height,
                     BitsPerComponent=8, ColorSpace="/DeviceRGB")  # fmt: skip
    page = writer.pages[0]
    page["/Resources"].get_object()["/XObject"].get_object()[NameObject("/Forged")] = writer._add_object(picture.flate_encode())
    width, height = page.mediabox.width, page.mediabox.height
    _draw(writer, f"q {width} 0 0 {height} 0 0 cm /Forged Do Q".encode())


def stream(content: bytes, **values: Any) -> DecodedStreamObject:
    """A stream of objects' keys and content."""
    made = DecodedStreamObject()
    made.set_data(content)
    made.update(dictionary(**values))
    return made


def resource(kind: str, held: Callable[[PdfWriter], Any], operators: bytes, **drawing: Any) -> Forgery:
    """Operators that draw with a resource of their own, `/Forged`."""

    def change(writer: PdfWriter) -> None:
        resources = writer.pages[0]["/Resources"].get_object()
        table = resources.setdefault(NameObject(kind), DictionaryObject()).get_object()
        table[NameObject("/Forged")] = writer._add_object(held(writer))
        drawn(operators, **drawing)(writer)

    return change


def _content(change: Callable[[bytes], bytes]) -> Forgery:
    """Other operators on the first page."""

    def apply(writer: PdfWriter) -> None:
        old = writer.pages[0].get_contents().get_data()
        new = change(old)
        assert new != old
        _draw(writer, new)

    return apply


def _glyphs(content: bytes) -> bytes:
    """The glyphs of the first longer word in another order."""
    word = next(re.finditer(rb"\[((?:<[0-9a-f]{4}>0){4,})", content))
    turned = b"".join(reversed(re.findall(rb"<[0-9a-f]{4}>0", word[1])))
    return content[: word.start(1)] + turned + content[word.end(1) :]


def _masked(writer: PdfWriter) -> StreamObject:
    """A black dot that covers half of what it lies on, by its mask."""
    grey = {"Type": "/XObject", "Subtype": "/Image", "Width": 1, "Height": 1, "BitsPerComponent": 8, "ColorSpace": "/DeviceGray"}
    return stream(b"\x00", **grey, SMask=writer._add_object(stream(b"\x80", **grey)))


def _form(_writer: PdfWriter) -> StreamObject:
    return stream(b"1 1 1 rg 0 0 400 40 re f", Type="/XObject", Subtype="/Form", BBox=[0, 0, 400, 40])


def _pattern(_writer: PdfWriter) -> StreamObject:
    own = {"PaintType": 1, "TilingType": 1, "BBox": [0, 0, 2, 2], "XStep": 2, "YStep": 2, "Resources": dictionary()}
    return stream(b"1 1 1 rg 0 0 2 2 re f", Type="/Pattern", PatternType=1, **own)


def _told_by_a_property(_writer: PdfWriter) -> DictionaryObject:
    return dictionary(ActualText="Pass")


def _specification(**values: Any) -> Forgery:
    """Keys of what describes the first attachment."""
    return lambda writer: _of_type(writer, "/Filespec")[0].update(dictionary(**values))


def _without(key: str) -> Forgery:
    """A catalogue without one of its keys."""

    def change(writer: PdfWriter) -> None:
        del writer.root_object[key]

    return change


def undrawn_form(writer: PdfWriter) -> None:
    """A form like one of the figures, which no page draws."""
    forms = next(found for page in writer.pages if (found := page["/Resources"].get_object().get("/XObject")))
    first = next(iter(forms.values())).get_object()
    kept = {str(key)[1:]: value for key, value in first.items() if key not in {"/Filter", "/Length"}}
    forms[NameObject("/Forged")] = writer._add_object(stream(b"hidden" * 99, **kept))


def _undrawn_font(writer: PdfWriter) -> None:
    """A font like another, with its own table to letters, which no page draws with."""
    fonts = writer.pages[0]["/Resources"].get_object()["/Font"].get_object()
    font = DictionaryObject(next(iter(fonts.values())).get_object())
    font[NameObject("/ToUnicode")] = writer._add_object(stream(b"hidden" * 99))
    fonts[NameObject("/Forged")] = writer._add_object(font)


def _orphan(writer: PdfWriter) -> None:
    """An object that nothing refers to: a place to keep a file in that no list of attachments has."""
    writer._add_object(stream(b"hidden" * 99, Type="/XObject", Subtype="/Image", Width=1, Height=1))


SCRIPT = dictionary(S="/JavaScript", JS="app.alert('passed')")
DRAWN: Mapping[str, Forgery] = {
    "a white box over everything": drawn(WHITE_BOX),
    "a letter that is painted over": painted_over("request"),
    "a full stop that is painted over": painted_over("."),
    "a digit that is painted anew": repainted("3", "8"),
    "a pale box": drawn(b"q 0.98 0.98 0.98 rg 60 300 300 100 re f Q"),
    "a hair line": drawn(b"q 0.05 w 60 300 m 300 300 l S Q"),
    "a picture over a line": _image,
    "a picture of transparency": resource("/XObject", _masked, b"q 400 0 0 40 60 700 cm /Forged Do Q"),
    "a picture among the operators": drawn(b"q 400 0 0 40 60 700 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI Q"),
    "a form over a line": resource("/XObject", _form, b"q 1 0 0 1 60 700 cm /Forged Do Q"),
    "a pattern over a line": resource("/Pattern", _pattern, b"q /Pattern cs /Forged scn 60 700 400 40 re f Q"),
    "another way to mix colours": resource(
        "/ExtGState", lambda _: dictionary(BM="/Difference"), b"q /Forged gs 1 g 60 700 400 40 re f Q"
    ),
    "a page as a picture of itself": as_a_picture,
    "a page that is empty": _content(lambda _content: b" "),
    "glyphs in another order": _content(_glyphs),
    "text that is not drawn any more": _content(lambda content: content.replace(b"BT", b"BT 3 Tr", 1)),
    "other words": typed("Pass"),
    "white words": typed("Pass", colour="1 1 1"),
    "pale words": typed("Pass", colour="0.99 0.99 0.99"),
    "tiny words": typed("Pass", size="0.1"),
    "words that are not drawn": typed("Pass", mode="3 Tr"),
    "words that clip and are not drawn": typed("Pass", mode="7 Tr"),
    "words out of the page": typed("Pass", at="4000 4000"),
    "words under what is shown": typed("Pass", before=True),
    "another table from glyphs to letters": _unicode,
    "other outlines of glyphs": _outlines,
    "another width of glyphs": _widths,
    "a layer that is off": _layer,
    "other colours in print": _transfer,
    "other words for screen readers among the operators": drawn(b"/Span <</ActualText (Pass)>> BDC EMC"),
    "other words for screen readers by a property": resource("/Properties", _told_by_a_property, b"/Span /Forged BDC EMC"),
    "a page that is cut": in_page(CropBox=[0, 400, 595, 842]),
    "a page that is turned": in_page(Rotate=180),
    "pages that are turned together": lambda writer: writer.root_object["/Pages"].get_object().update(dictionary(Rotate=90)),
    "a page of other units": in_page(UserUnit=2),
    "a page of other size": in_page(MediaBox=[0, 0, 14400, 14400]),
    "a page that was dropped": _dropped,
    "a page that was inserted": lambda writer: writer.insert_blank_page(595, 842, 1),
    "a page that stands there twice": lambda writer: writer.add_page(writer.pages[0]),
    "pages in another order": _exchanged,
}
"""What is drawn otherwise, by what it does."""


def _noted(subtype: str, **values: Any) -> Forgery:
    return annotated(Subtype=subtype, **values)


def _does(kind: str, **values: Any) -> Forgery:
    """A link that does something else than to lead to a page."""
    return annotated(Subtype="/Link", Border=[0, 0, 0], A=dictionary(S=kind, **values))


ADDED: Mapping[str, Forgery] = {
    "a note over the page": _noted("/FreeText", Contents="Pass", DA="/Helv 12 Tf 0 g"),
    "a note that is hidden on the screen": _noted("/Stamp", Contents="Pass", F=32),
    "a note that only prints": _noted("/Watermark", Contents="Pass", F=36),
    "a marking": _noted("/Highlight", QuadPoints=[60, 200, 400, 200, 60, 180, 400, 180]),
    "a blackening": _noted("/Redact", OverlayText="Pass"),
    "a note of no size": annotated(Subtype="/Text", Contents="Pass", Name="/Note"),
    "a film": _noted("/Screen", A=dictionary(S="/Rendition", OP=0)),
    "a field to fill in": _noted("/Widget", FT="/Tx", T="verdict", V="Pass"),
    "a link": _link,
    "a link that starts a program": _does("/Launch", F="cmd.exe"),
    "a link into another file": _does("/GoToR", F="other.pdf", D=[0, "/Fit"]),
    "a link into an attachment": _does("/GoToE", T=dictionary(R="/C", N="letter.json")),
    "a link that sends a form": _does("/SubmitForm", F="https://example.org/"),
    "a link that hides notes": _does("/Hide", T="note"),
    "a script behind a link": _does("/JavaScript", JS="app.alert('passed')"),
    "a script when a note is shown": annotated(Subtype="/Link", AA=dictionary(PV=SCRIPT)),
    "a form": in_catalogue(AcroForm=dictionary(Fields=[])),
    "a form in XFA": in_catalogue(AcroForm=dictionary(Fields=[], XFA="<xdp/>"), NeedsRendering=BooleanObject(True)),
    "a script when it is opened": in_catalogue(OpenAction=SCRIPT),
    "another page when it is opened": in_catalogue(OpenAction=dictionary(S="/Named", N="/LastPage")),
    "a script when it is printed": in_catalogue(AA=dictionary(WP=SCRIPT)),
    "a script when a page is opened": in_page(AA=dictionary(O=SCRIPT)),
    "a script by name": _script_by_name,
    "a portfolio that shows attachments first": in_catalogue(Collection=dictionary(View="/T")),
    "attachments shown first": in_catalogue(PageMode="/UseAttachments"),
    "a base of all links": in_catalogue(URI=dictionary(Base="https://example.org/")),
    "rights and signatures of its own": in_catalogue(Perms=dictionary(DocMDP=dictionary(Type="/Sig"))),
    "a legal notice": in_catalogue(Legal=dictionary(Attestation="certified")),
    "other preferences of viewers": in_catalogue(ViewerPreferences=dictionary(HideToolbar=BooleanObject(True))),
    "data of a program": in_page(PieceInfo=dictionary(Forged=dictionary(Private="Pass"))),
    "a small picture of a page": lambda writer: in_page(Thumb=writer._add_object(stream(b"\xff", Width=1, Height=1)))(writer),
    "a transition between pages": in_page(Trans=dictionary(S="/Dissolve")),
    "a page that turns by itself": in_page(Dur=1),
    "other page numbers": in_catalogue(PageLabels=dictionary(Nums=[0, dictionary(S="/D", St=7)])),
    "another title": lambda writer: writer.add_metadata({"/Title": "Certificate of erasure"}),
    "another author": lambda writer: writer.add_metadata({"/Author": "Example Data Protection Authority"}),
    "another field about it": lambda writer: writer.add_metadata({"/Keywords": "certified"}),
    "another title in its metadata": _metadata,
    "metadata of a page": lambda writer: in_page(Metadata=writer._add_object(stream(b"<x/>", Type="/Metadata")))(writer),
    "another bookmark": _outline,
    "a bookmark that leads elsewhere": _leading,
    "another language": in_catalogue(Lang="de"),
    "no tags": _without("/StructTreeRoot"),
    "no bookmarks": _without("/Outlines"),
    "no colours to print by": _without("/OutputIntents"),
    "no description of its attachment": _without("/AF"),
    "other words for screen readers": _told_to_screen_readers,
    "an attachment by another name": _specification(UF="certificate.json"),
    "an attachment that is described otherwise": _specification(Desc="Certificate of erasure"),
    "an attachment that stands in place of the page": _specification(AFRelationship="/Alternative"),
    "an object that nothing refers to": _orphan,
    "a font that no page draws with": _undrawn_font,
}
"""What it holds otherwise besides, by what it does."""
LIKE_OTHERS = frozenset(
    {
        "a full stop that is painted over",
        "a hair line",
        "a picture over a line",
        "a form over a line",
        "a pattern over a line",
        "pale words",
        "words that clip and are not drawn",
        "another width of glyphs",
        "pages that are turned together",
        "a page of other units",
        "a page that stands there twice",
        "a page as a picture of itself",
        "a note that only prints",
        "a marking",
        "a blackening",
        "a note of no size",
        "a film",
        "a link into another file",
        "a link that sends a form",
        "a link that hides notes",
        "a form in XFA",
        "another page when it is opened",
        "a script when it is printed",
        "rights and signatures of its own",
        "a legal notice",
        "data of a program",
        "a small picture of a page",
        "a transition between pages",
        "a page that turns by itself",
        "another author",
        "another field about it",
        "metadata of a page",
        "no bookmarks",
        "no colours to print by",
        "no description of its attachment",
        "an attachment that is described otherwise",
    }
)
"""Forgeries that are found as another above is, which every run tries."""


def _kept(words: bytes, *, inside: bool = False, behind: bool = False) -> Callable[[bytes], bytes]:
    """Words before the table of objects of a PDF, inside the last object, or behind its value; the table's place is told anew."""

    def keep(pdf: bytes) -> bytes:
        table = pdf.rindex(b"xref", 0, pdf.rindex(b"startxref"))
        place = pdf.rindex(b" obj\n", 0, table) + len(b" obj\n") if inside else table
        place = pdf.rindex(b"endobj", 0, table) if behind else place
        return re.sub(rb"startxref\s+\d+", b"startxref\n%d" % (table + len(words)), pdf[:place] + words + pdf[place:])

    return keep


STORED: Mapping[str, Callable[[bytes], bytes]] = {
    "a remark between objects": _kept(b"% certified\n"),
    "an object that no table lists": _kept(b"999 0 obj\n<</Pass (x)>>\nendobj\n"),
    "an object a second time, in no table": _kept(b"1 0 obj\n<</Type /Catalog>>\nendobj\n"),
    "an archive between objects": _kept(b"PK\x05\x06" + bytes(18) + b"\n"),
    "a remark inside an object": _kept(b"% certified (yes) \\( <<\n", inside=True),
    "a second value in an object": _kept(b"(certified) ", behind=True),
    "a second dictionary in an object": _kept(b"<</Certified /Pass>>\n", behind=True),
    "a reference behind the value of an object": _kept(b"1 0 R\n", behind=True),
    "a remark in the trailer": lambda pdf: pdf.replace(b"trailer\n<<", b"trailer\n<<% certified (yes) <</Pass>>\n"),
    "words in the trailer": lambda pdf: pdf.replace(b"trailer\n<<", b"trailer\n<</Certified (yes)"),
    "a remark in the table of objects": lambda pdf: pdf.replace(b"trailer\n<<", b"% certified\ntrailer\n<<"),
    "a remark at its end": lambda pdf: pdf.replace(b"startxref", b"% certified\nstartxref"),
    "an object more that is marked as free": _kept(b"2 0 obj\n<</Pass (x)>>\nendobj\n"),
}
"""What a PDF that was written again keeps where no reader is led, by what it does to the bytes."""
HTML: Mapping[str, Callable[[bytes], bytes]] = {
    "a pass": lambda page: page.replace(b"fail", b"pass").replace(b"Fail", b"Pass"),
    "one letter": lambda page: page.replace(b"Fail", b"Fall", 1),
    "hidden by a style": lambda page: page.replace(b"</style>", b".word { display: none }</style>"),
    "words by a style": lambda page: page.replace(b"</style>", b"main::before { content: 'Pass' }</style>"),
    "white by a style": lambda page: page.replace(b"</style>", b"main { color: white }</style>"),
    "another style in print": lambda page: page.replace(b"</style>", b"@media print { main { display: none } }</style>"),
    "hidden by an attribute": lambda page: page.replace(b"<main>", b"<main hidden>"),
    "hidden from screen readers": lambda page: page.replace(b"<main>", b'<main aria-hidden="true">'),
    "other words for screen readers": lambda page: page.replace(b"<main>", b'<main aria-label="Pass">'),
    "a hint under the pointer": lambda page: page.replace(b"<main>", b'<main title="Pass">'),
    "a script": lambda page: page.replace(b"</body>", b"<script>document.body.textContent = 'Pass'</script></body>"),
    "a script behind an event": lambda page: page.replace(b"<main>", b'<main onclick="this.remove()">'),
    "a script of another site": lambda page: page.replace(b"</head>", b'<script src="https://example.org/x.js"></script></head>'),
    "a picture of another site": lambda page: page.replace(b"<main>", b'<main><img src="https://example.org/x.png" alt="">'),
    "a frame": lambda page: page.replace(b"<main>", b'<main><iframe src="https://example.org/"></iframe>'),
    "another page after a while": lambda page: page.replace(b"<head>", b'<head><meta http-equiv="refresh" content="1;url=x">'),
    "a base of all links": lambda page: page.replace(b"<head>", b'<head><base href="https://example.org/">'),
    "a form": lambda page: page.replace(b"<main>", b'<main><form action="https://example.org/"><input></form>'),
    "a letter of no width": lambda page: page.replace(b"Fail", "Fa\u200bil".encode(), 1),
    "another direction": lambda page: page.replace(b"Fail", "\u202eliaF".encode(), 1),
    "an entity for a letter": lambda page: page.replace(b"Fail", b"F&#97;il", 1),
    "a comment": lambda page: page + b"<!-- -->",
    "another title": lambda page: page.replace(b"<title>", b"<title>Certificate: ", 1),
    "another encoding": lambda page: b"\xef\xbb\xbf" + page,
    "another end of lines": lambda page: page.replace(b"\n", b"\r\n"),
    "another date of change": lambda page: page.replace(b'"dcterms.modified" content="2', b'"dcterms.modified" content="3'),
    "two dates": lambda page: page.replace(b"<head>", b'<head><meta name="dcterms.created" content="2026-01-01T00:00:00Z">'),
    "half of it": lambda page: page[: len(page) // 2],
    "nothing": lambda _page: b"",
}
"""Other HTML, by what it does."""


def held(pdf: bytes, name: str) -> bytes:
    """The one attachment of a name."""
    (content,) = PdfReader(io.BytesIO(pdf)).attachments[name]
    return content
