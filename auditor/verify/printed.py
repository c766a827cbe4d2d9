"""What a PDF of ours carries and names: one document, whose digest its cover prints."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.pdf.contents import Contents


def carried(printed: Contents, expected: str) -> Iterator[str]:
    """One message for everything that it carries in addition to the one document that it must carry."""
    names = [name for name, _ in printed.attachments]
    if names != [expected]:
        yield f"it carries {', '.join(names) or 'no file'}, and should carry {expected} alone"
    elif printed.embedded != 1:
        yield f"it holds {printed.embedded} embedded files, {printed.embedded - 1} of them in addition to {expected}"
    if printed.revisions != 1 or not printed.ends:
        yield "it was changed after it was written: something follows its end"


def named_on(printed: Contents, wanted: str) -> bool:
    """Whether the cover shows a text, as far as its plain letters and digits go: layout moves spaces, fonts lack characters."""
    return plain(wanted) in plain(printed.cover)


def plain(text: str) -> str:
    """The plain letters and digits of a text."""
    return "".join(character for character in text if character.isascii() and character.isalnum())
