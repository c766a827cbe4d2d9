"""From HTML to a PDF, with the layout engine on a short lead.

WeasyPrint logs what goes wrong and carries on; here an error of its log ends the rendering. It fetches whatever a page names;
here it may fetch the bundled fonts and nothing else. It stamps the present time; here every date comes from the evidence.
"""

from __future__ import annotations

import gc
import logging
import os
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from auditor.base import extras, process_marks, resources
from auditor.base.errors import ReportError
from auditor.base.writing import way_out
from auditor.pages import lines, pdf_objects, used_styles
from auditor.pages.layout_engine import is_tried, load_engine

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher

ANNEX: Final = "annex"
"""The kind of page, by its name in the style sheet, that is numbered A1, A2 and so on."""
_VARIANT: Final = "pdf/a-3a"
_LEAF: Final = re.compile(r'<section class="leaf\b')
"""A part of the main report. Texts from outside are escaped: a tag that begins here is one of ours."""
_SHEETS: Final = re.compile(r'<div class="sheets" data-most="(\d+)">')
"""Parts that are made for so many sheets together."""
_ANNEX: Final = '<div class="annex">'
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_PAGE_NAMED: Final = "target-counter(attr(href url), page)"
"""Where the style sheet has the number of the page that a link goes to."""
_NAMING: Final = re.compile(rf"[^{{}}\n]*\{{[^{{}}]*{re.escape(_PAGE_NAMED)}[^{{}}]*\}}")
_MARGINS: Final = ("top-left", "top-right", "bottom-left", "bottom-right")
"""Where the style sheet writes into the margin of a page: no line of the text depends on it."""
_UNMARGINED: Final = "@page { " + " ".join(f"@{each} {{ content: none; }}" for each in _MARGINS) + " }"
_BEGINS: Final = re.compile(r"<div\b[^>]*>")
_ID: Final = re.compile(r' id="([^"]+)"')
_UNSEEN: Final = re.compile(r"<svg\b.*?</svg>|<[^>]*>|(?<=\s)\s+", re.DOTALL)
_CHARACTERS: Final = 2720
"""Most parts with fewer to the sheet fit. It decides what is tried first, never what comes out."""
_MANY_CHARACTERS: Final = 3600
"""Parts with more to the sheet need the closest lines: of thirty reports, none had room for looser ones."""
_COLLECTED_AFTER: Final = 2_000_000
"""Characters of pages, which leave about a hundred times as many bytes."""
_CLOSER: Final = ("close", "closer")
"""Classes by which the style sheet sets a leaf in smaller type."""
FONT_HOST: Final = "bundled-font:"
"""The scheme by which the print style sheet names a font: no machine path ever is in a page."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file that a PDF carries."""

    name: str
    content: bytes
    description: str
    relationship: Literal["Data", "Supplement"] = "Data"
    """Data: what the pages render. Supplement: what follows from that and is too long for a page."""


def dated(finished_at: datetime) -> datetime:
    """The date that files carry: `SOURCE_DATE_EPOCH` where it is set, else the moment the audit finished. In UTC, whole seconds.

    Raises:
        ReportError: If `SOURCE_DATE_EPOCH` is set to something that is no number of seconds.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return finished_at.astimezone(UTC).replace(microsecond=0)
    try:
        return datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ReportError(f"SOURCE_DATE_EPOCH must be a number of seconds since 1970, found {epoch!r}") from error


def lay_out(page: str, attached: Sequence[Embedded], date: datetime) -> bytes:
    """Lay out a page and write it as PDF/A-3a with the files that it carries.

    Args:
        page: HTML that names no resource but bundled fonts.
        attached: What the page renders, and what else goes with it.
        date: The creation and modification date of these files.

    Raises:
        MissingExtraError: If the engine is not installed.
        ReportError: If its system libraries are missing, it reports an error or finds no room for its files, or the page names
            anything but a bundled font.
    """
    try:
        with _own_temporary_folder(), _nothing_collected(len(page)):
            return _laid_out(page, attached, date)
    except OSError as error:
        place = error.filename or tempfile.tempdir or "the folder for temporary files"
        said = f"{place}: {error.strerror or error}{way_out(error)}"
        raise ReportError(f"the report could not be laid out: {said}") from error


def _laid_out(page: str, attached: Sequence[Embedded], date: datetime) -> bytes:
    extras.require("report", "a PDF")
    try:
        load_engine()
    except (ImportError, OSError) as error:
        raise ReportError(f"WeasyPrint and its system library Pango are needed for a PDF: {error}") from error
    from weasyprint import CSS, HTML, Attachment  # noqa: PLC0415 - heavy, and absent where nothing is rendered
    from weasyprint.text.fonts import FontConfiguration  # noqa: PLC0415
    from weasyprint.urls import FatalURLFetchingError  # noqa: PLC0415

    # The trials and the last layout have the same fonts and styles, which are read once.
    fetcher, fonts = _fetcher(), lines.kept_with(FontConfiguration())

    def styles(text: str) -> Any:
        return CSS(string=text, base_url="about:blank", url_fetcher=fetcher, font_config=fonts)

    class Page(HTML):  # type: ignore[misc]
        """A page in the engine's own styles, which are matched without those of notes."""

        def _ua_stylesheets(self, *args: Any, **named: Any) -> list[Any]:
            sheets = super()._ua_stylesheets(*args, **named)
            return [used_styles.without_notes(each) for each in sheets] if is_tried() else sheets

    def rendered(text: str, *sheets: Any) -> Any:
        parsed = Page(string=text, base_url="about:blank", url_fetcher=fetcher)
        return parsed.render(font_config=fonts, stylesheets=sheets, pdf_variant=_VARIANT)

    embedded = [
        Attachment(
            string=each.content,
            name=each.name,
            description=each.description,
            relationship=each.relationship,
            created=date,
            modified=date,
            url_fetcher=fetcher,
        )
        for each in attached
    ]
    with _errors_raised(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the engine leaves the closing of its colour profile to Python
        try:
            sheet = "".join(_STYLE.findall(page))
            whole = styles(sheet)
            document = _fitted(
                _STYLE.sub("", page),
                lambda text: rendered(text, whole),
                lambda text: rendered(text, whole, styles(_of_trials(sheet))),
            )
            written = document.write_pdf(attachments=embedded, finisher=_finished, pdf_variant=_VARIANT)
        except FatalURLFetchingError as error:
            raise ReportError(str(error)) from error
    return bytes(written)


def _of_trials(sheet: str) -> str:
    """What a trial adds to a style sheet: a digit for each number of a page, and nothing in the margins.

    Pages that name later ones are laid out three times.
    """
    return "\n".join([_UNMARGINED, *(each.replace(_PAGE_NAMED, '"1"') for each in _NAMING.findall(sheet))])


def _fitted(page: str, lay_out: Callable[[str], Any], try_out: Callable[[str], Any]) -> Any:
    """Lay out a page, with closer lines where parts take more sheets than they are made for.

    What finds no room at the closest goes on overleaf: nothing is cut. What is known to fit, and the annex, which is long, are
    left out of the trials; so are parts so short that they should fit, until the whole shows that one does not, and parts so long
    that they need the closest lines.
    """
    most = [int(each) for each in _SHEETS.findall(page)]
    main, begin, annex = page.partition(_ANNEX)
    head, *parts = re.split('(?=<div class="sheets")', main)
    to_the_sheet = [len(_UNSEEN.sub("", each)) / sheets for each, sheets in zip(parts, most, strict=True)]
    closeness = dict.fromkeys(range(len(parts)), 0)
    long = {number for number, characters in enumerate(to_the_sheet) if characters > _MANY_CHARACTERS}
    for _ in _CLOSER:
        _brought_closer(parts, long, closeness)

    def overfull(numbers: AbstractSet[int]) -> set[int]:
        shown = (each if number in numbers else _places_of(each) for number, each in enumerate(parts))
        taken = _sheets_taken(try_out("".join([head, *shown, _places_of(begin + annex)])))
        return {number for number in numbers if taken[number] > most[number]}

    full = {number for number, characters in enumerate(to_the_sheet) if characters > _CHARACTERS} - long
    tried = full | long
    while True:
        while full:
            full = overfull(full)
            _brought_closer(parts, full, closeness)
            full = {number for number in full if closeness[number] < len(_CLOSER)}
        document = lay_out("".join([head, *parts, begin, annex]))
        taken = _sheets_taken(document)
        full = {number for number in set(closeness) - tried if taken[number] > most[number]}
        if not full:
            return document
        tried |= full
        _brought_closer(parts, full, closeness)


def _brought_closer(parts: list[str], full: AbstractSet[int], closeness: dict[int, int]) -> None:
    for number in full:
        parts[number] = _LEAF.sub(rf"\g<0> {_CLOSER[closeness[number]]}", parts[number])
        closeness[number] += 1


def _places_of(part: str) -> str:
    """Of a part of the page, the places in it that other parts name, in a part of its kind; nothing of nothing."""
    begin = _BEGINS.match(part)
    places = "".join(f'<i id="{each}"></i>' for each in _ID.findall(part))
    return f"{begin[0]}{places}</div>" if begin else part


def _sheets_taken(document: Any) -> Counter[int]:
    """Count the sheets that each of the parts takes, by its number in the page."""
    elements: list[Any] = []
    taken: Counter[int] = Counter()
    for sheet in document.pages:
        if sheet._page_box.page_type.name == ANNEX:  # noqa: SLF001 - nothing public tells it
            break
        boxes = sheet._page_box.descendants()  # noqa: SLF001 - nothing public tells it
        here = next((each.element for each in boxes if each.element is not None and _is_sheets(each.element)), None)
        if here is None:
            continue
        if not any(each is here for each in elements):
            elements.append(here)
        taken[len(elements) - 1] += 1
    return taken


def _is_sheets(element: Any) -> bool:
    return bool(element.tag == "div" and element.get("class") == "sheets")


def _fetcher() -> URLFetcher:
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse  # noqa: PLC0415

    class BundledFonts(URLFetcher):  # type: ignore[misc]
        """Hands out the bundled fonts by name and ends the rendering on any other address."""

        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:  # noqa: ARG002
            name = url.removeprefix(FONT_HOST)
            folder = resources.templates() / "fonts"
            if name == url or name not in {font.name for font in folder.glob("*.otf")}:
                raise FatalURLFetchingError(f"a page may load bundled fonts only, and its page named {url[:200]!r}")
            return URLFetcherResponse(url, (folder / name).read_bytes(), {"Content-Type": "font/otf"})

    return BundledFonts()


def _finished(document: Any, pdf: Any) -> None:
    """Name each associated file once in the catalogue, where the engine names it twice, and number the pages as they print it."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = dict.fromkeys(pdf.catalog["AF"])
    names = [page._page_box.page_type.name for page in document.pages]  # noqa: SLF001 - nothing public tells it
    if ANNEX in names:
        main, annex = (f"0 << /S /D >> {names.index(ANNEX)}", "<< /S /D /P (A) >>")
        pdf.catalog["PageLabels"] = f"<< /Nums [{main} {annex}] >>".encode()
    if is_tried():
        pdf_objects.made_once(pdf)


@contextmanager
def _own_temporary_folder() -> Iterator[None]:
    """A folder that bears our mark, for the engine's copies of fonts and the files by which Python looks for its libraries.

    Should we be killed, `auditor clean` finds it.
    """
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix=process_marks.prefix(), ignore_cleanup_errors=True) as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = before


_left: Final[list[int]] = []
"""The lengths of the pages since garbage was last searched for."""


@contextmanager
def _nothing_collected(characters: int) -> Iterator[None]:
    """Search for no garbage while a page is laid out.

    Nearly all that the engine makes lives to the end: looking through it again and again takes a fifth of the time. What is left
    of it counts as old: it goes when Python searches through everything, or before many more pages, and a command that ends
    need not wait for it.
    """
    if not gc.isenabled():
        yield
        return
    _left.append(characters)
    if sum(_left) > _COLLECTED_AFTER:
        _left[:] = [characters]
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        gc.enable()


class _Collected(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def _errors_raised() -> Iterator[None]:
    """Turn the layout engine's ERROR records into a ReportError."""
    logger = logging.getLogger("weasyprint")
    collected = _Collected()
    logger.addHandler(collected)
    try:
        yield
    finally:
        logger.removeHandler(collected)
    if collected.messages:
        raise ReportError("the layout engine reported: " + "; ".join(collected.messages[:5]))
