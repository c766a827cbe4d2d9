"""Write a reply as a Word document (ECMA-376, WordprocessingML), by the standard library alone: equal replies give equal bytes.

Nothing in it runs, links anywhere or protects it from being edited. Blanks are highlighted. Members are stored, not compressed,
as what a compressor writes depends on its version.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape

from auditor.pages.replies.page import Kind, Paragraph, Run

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can hold."""
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MIME: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_STYLES: Final[dict[Kind, str]] = {
    "note": "Note",
    "line": "Line",
    "address": "Address",
    "title": "Title",
    "heading": "Heading1",
    "text": "Normal",
    "item": "ListBullet",
}
_TYPES: Final = f"""{_HEAD}<Types xmlns="{_PACKAGE}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/word/document.xml" ContentType="{_MIME}.document.main+xml"/>\
<Override PartName="/word/styles.xml" ContentType="{_MIME}.styles+xml"/>\
<Override PartName="/word/numbering.xml" ContentType="{_MIME}.numbering+xml"/>\
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>"""
_RELATIONS: Final = f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">\
<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="word/document.xml"/>\
<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>"""
_OF_DOCUMENT: Final = f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">\
<Relationship Id="rId1" Type="{_OFFICE}/relationships/styles" Target="styles.xml"/>\
<Relationship Id="rId2" Type="{_OFFICE}/relationships/numbering" Target="numbering.xml"/></Relationships>"""
_NUMBERING: Final = f"""{_HEAD}<w:numbering xmlns:w="{_WORD}"><w:abstractNum w:abstractNumId="0">\
<w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/>\
<w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>\
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>"""

_NORMAL: Final = """<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>"""
_OTHERS: Final = (
    ("Note", "Note", '<w:shd w:val="clear" w:color="auto" w:fill="EEF0F3"/><w:spacing w:after="240"/>', "<w:i/>"),
    ("Line", "Line", '<w:spacing w:after="0"/>', ""),
    ("Address", "Address", '<w:ind w:left="284"/>', "<w:b/>"),
    ("Title", "Title", '<w:spacing w:before="240" w:after="240"/>', '<w:b/><w:sz w:val="28"/>'),
    (
        "Heading1",
        "heading 1",
        '<w:keepNext/><w:spacing w:before="240" w:after="60"/><w:outlineLvl w:val="0"/>',
        '<w:b/><w:sz w:val="24"/>',
    ),
    ("ListBullet", "List Bullet", '<w:numPr><w:numId w:val="1"/></w:numPr><w:spacing w:after="60"/>', ""),
)
"""Name, what a reader shows, and how paragraphs and letters are set."""


def docx(paragraphs: Iterable[Paragraph], *, title: str, date: datetime) -> bytes:
    """Write the paragraphs of a reply.

    Args:
        paragraphs: What it says.
        title: For the properties of the file.
        date: What the file says of its own writing; in UTC.
    """
    members = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELATIONS,
        "word/document.xml": _document(paragraphs),
        "word/styles.xml": _styles(),
        "word/numbering.xml": _NUMBERING,
        "word/_rels/document.xml.rels": _OF_DOCUMENT,
        "docProps/core.xml": _properties(title, date),
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as file:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system = 0
            file.writestr(member, content.encode())
    return written.getvalue()


def _document(paragraphs: Iterable[Paragraph]) -> str:
    body = "".join(map(_paragraph, paragraphs))
    page = (
        '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1304" w:right="1304" w:bottom="1304" w:left="1418" w:header="709" w:footer="709" w:gutter="0"/>'
        "</w:sectPr>"
    )
    return f'{_HEAD}<w:document xmlns:w="{_WORD}"><w:body>{body}{page}</w:body></w:document>'


def _paragraph(paragraph: Paragraph) -> str:
    runs = f"{_run(Run(' '))}".join(map(_run, paragraph.runs))
    return f'<w:p><w:pPr><w:pStyle w:val="{_STYLES[paragraph.kind]}"/></w:pPr>{runs}</w:p>'


def _run(run: Run) -> str:
    # Texts of others were cleaned of what XML 1.0 cannot hold when they were shortened.
    marked = '<w:rPr><w:highlight w:val="yellow"/></w:rPr>' if run.blank else ""
    return f'<w:r>{marked}<w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'


def _styles() -> str:
    defaults = (
        '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/>'
        '<w:lang w:val="en-GB"/></w:rPr></w:rPrDefault>'
        '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>'
    )
    others = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{shown}"/><w:basedOn w:val="Normal"/><w:qFormat/>'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{letters}</w:rPr></w:style>"
        for name, shown, paragraph, letters in _OTHERS
    )
    return f'{_HEAD}<w:styles xmlns:w="{_WORD}">{defaults}{_NORMAL}{others}</w:styles>'


def _properties(title: str, date: datetime) -> str:
    moment = date.strftime("%Y-%m-%dT%H:%M:%SZ")
    stamped = "".join(f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{moment}</dcterms:{name}>' for name in ("created", "modified"))
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title>{stamped}<cp:contentStatus>Draft</cp:contentStatus></cp:coreProperties>"
    )
