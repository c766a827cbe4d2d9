"""Take e-mail apart as Python's library writes it: its headers as they read, and its text as it was before it was encoded.

A header or a text that the library would write otherwise may say something by how it is written, and then the file is taken for
plain lines. So is a message of several parts.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from email import message_from_string, policy, quoprimime
from email.errors import MessageError
from email.message import EmailMessage
from itertools import pairwise
from typing import Final, NamedTuple

from auditor.parts.places.observing.text_between_bytes import NO_TEXT

MESSAGE: Final = "message"
"""Begins how a message is encoded."""
_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*:(?: |\n[ \t]+\S|\Z)", re.ASCII)
"""How a header begins; a long one may begin on the line below its name, and an empty one is its name alone."""
_FIRST: Final = re.compile(r"(?:From \S+ .*\n)?[A-Za-z][A-Za-z0-9-]*:[ \n]", re.ASCII)
_FROM: Final = re.compile(r"(?:\A|(?<=\n\n))(From \S+ .*)\n", re.ASCII)
_ENCODING: Final = "content-transfer-encoding"
_KIND: Final = "content-type"
_USUAL: Final = ('Content-Type: text/plain; charset="utf-8"', "Content-Transfer-Encoding: {}", "MIME-Version: 1.0")
_WIDTH: Final = 78
"""Characters of a header, and of a line in quoted-printable, at most."""
_OF_A_BLOCK: Final = 76
"""Characters of a line of base64."""


class Message(NamedTuple):
    """A message, or the line in front of one in a mailbox."""

    text: str
    size: int
    """Characters that it has in the file."""
    line: int
    within: str


def messages(text: str) -> list[Message] | None:
    """Take a file apart; None where it is no message, and no mailbox.

    Args:
        text: What it says, with lines that end as on most systems.
    """
    if _FIRST.match(text) is None:
        return None
    found, at = list[Message](), 0
    starts = [*_FROM.finditer(text), None]
    if starts[0] is None:
        return None if (only := _message(text, 1)) is None else [only]
    for begin, following in pairwise(starts):
        end = len(text) if following is None else following.start()
        if begin is None or begin.start() != at:
            return None
        line = text.count("\n", 0, at) + 1
        # A blank line parts two messages, and may follow the last.
        body = text[begin.end() : end]
        parted = body.removesuffix("\n") if following is not None or body.endswith("\n\n") else body
        read = _message(parted, line + 1)
        if read is None:
            return None
        found += [Message(begin[1], len(begin[0]), line, "mailbox"), read._replace(size=len(body))]
        at = end
    return found


def _message(text: str, line: int) -> Message | None:
    head, blank, body = text.partition("\n\n")
    raw = re.split(r"\n(?![ \t])", head)
    if not blank or not all(_HEADER.match(each) for each in raw):
        return None
    named = {each.partition(":")[0].lower(): each.partition(":")[2].strip().lower() for each in raw}
    if len(named) != len(raw) or _ENCODING not in named or not named.get(_KIND, "text/plain").startswith("text/plain"):
        return None
    read = [_header(each) for each in raw]
    said = _decoded(body, named[_ENCODING])
    headers = [each for each in read if each is not None]
    if said is None or len(headers) != len(read):
        return None
    if NO_TEXT.search("\n".join((*headers, said))):
        return None
    # What the library says of every text, in this order, says nothing.
    usual = headers[-len(_USUAL) :] == [each.format(named[_ENCODING]) for each in _USUAL]
    own = headers[: -len(_USUAL)] if usual else headers
    return Message("\n".join(own) + "\n\n" + said, len(text), line, f"{MESSAGE}, {named[_ENCODING]}, {usual}")


def _header(written: str) -> str | None:
    """A header as it reads; None where the library would write it otherwise."""
    if written.isascii() and "=?" not in written and "\n" not in written and len(written) <= _WIDTH:
        return written
    try:
        ((name, value),) = message_from_string(f"{written}\n\n", policy=policy.default).items()
        again = EmailMessage()
        again[name] = str(value)
        return f"{name}: {value}" if again.as_string().removesuffix("\n\n") == written else None
    except (MessageError, ValueError, LookupError, AttributeError, IndexError):
        return None


def _decoded(body: str, encoding: str) -> str | None:
    """A text before it was encoded; None where the library would encode it otherwise."""
    try:
        if encoding == "quoted-printable":
            text = quopri.decodestring(body.encode("ascii")).decode()
            return text if quoprimime.body_encode(text.encode().decode("latin-1"), _WIDTH) == body else None
        if encoding == "base64":
            content = base64.b64decode("".join(body.splitlines()), validate=True)
            coded = base64.b64encode(content).decode()
            lines = (coded[at : at + _OF_A_BLOCK] for at in range(0, len(coded), _OF_A_BLOCK))
            return content.decode() if body.removesuffix("\n") == "\n".join(lines) else None
    except (UnicodeError, binascii.Error, ValueError):
        return None
    return body if encoding in {"7bit", "8bit"} else None
