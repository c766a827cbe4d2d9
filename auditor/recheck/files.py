"""Which files there are to recheck: one that was named, or everything of ours in a folder."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.validation import expected_of, os_reason, value_found
from auditor.base.writing import FIRST_STAGE
from auditor.document.evidence import SCHEMA, Evidence
from auditor.document.evidence_files import MAX_BYTES, parse_whole
from auditor.recheck.pdf.contents import SIGNATURE

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


# Reading a document of ours that may come from anybody, also one of a later minor version.
# Versions read `auditor.evidence/MAJOR` or `auditor.evidence/MAJOR.MINOR`, those of letters alike. A minor version only adds
# keys, so a reader of an earlier one may leave out what it does not know. A major version may mean something else by the same
# key and is refused.
Read = TypeVar("Read", bound=BaseModel)

_UNKNOWN_KEY: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_LONGEST: Final = 80
"""Characters of what was found that a problem shows."""


@dataclass(frozen=True, slots=True)
class Document:
    """An evidence document and the JSON that it came from."""

    content: bytes
    value: Any
    """The JSON value, unknown keys included."""
    evidence: Evidence
    unknown: tuple[str, ...]
    """Keys of a later minor version that this one does not know."""


def read_evidence(content: bytes, name: str) -> Document:
    """The evidence in some bytes.

    Args:
        content: The bytes of an evidence.json.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is no JSON, of another major version, or does not follow the schema.
    """
    value, text = parse_whole(content, name)
    evidence, unknown = read_model(Evidence, value, SCHEMA, name, text)
    return Document(content, value, evidence, unknown)


def read_model(model: type[Read], value: Any, schema: str, name: str, text: str | None = None) -> tuple[Read, tuple[str, ...]]:
    """What a JSON value says by this version of a schema, and the keys of a later minor version that this one does not know.

    Args:
        model: What the value is read as.
        value: The JSON value.
        schema: Its schema with the major version that is read, as in `auditor.evidence/2`.
        name: What a Problem calls the file.
        text: The value as text, from which it is read where it is of this very version; written of it where left out.

    Raises:
        InputError: If it is of another major version, or does not follow the schema.
    """
    version = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(version, str) or not re.fullmatch(re.escape(schema) + r"(\.(0|[1-9][0-9]{0,5}))?", version):
        expected = f'"{schema}" or a later minor version of it'
        raise InputError([Problem(name, "schema", expected, json.dumps(version)[:_LONGEST])])
    known: dict[str, Any] = value
    unknown: tuple[str, ...] = ()
    if version != schema:
        known = copy.deepcopy(value) | {"schema": schema}
        unknown = tuple(_take_unknown(known, model))
    try:
        return model.model_validate_json(text if text is not None and known is value else json.dumps(known)), unknown
    except ValidationError as error:
        raise InputError([_problem(name, item) for item in error.errors(include_url=False)]) from error


def _take_unknown(value: dict[str, Any], model: type[BaseModel]) -> Iterator[str]:
    """Take every key that this version does not know out of a value, and name it."""
    try:
        model.model_validate_json(json.dumps(value))
    except ValidationError as error:
        places = [item["loc"] for item in error.errors(include_url=False) if item["type"] in _UNKNOWN_KEY]
    else:
        return
    for *steps, key in places:
        inside: Any = value
        found: list[str] = []
        for step in steps:
            # Of kinds that are told apart by a name the place has that name too, which is no key.
            if isinstance(inside, dict) and step not in inside and step == inside.get("kind"):
                continue
            inside = inside[step]
            found.append(str(step))
        inside.pop(key, None)
        yield ".".join((*found, str(key)))


def _problem(name: str, item: ErrorDetails) -> Problem:
    return Problem(name, ".".join(map(str, item["loc"])), expected_of(item), value_found(item, _LONGEST))


EVIDENCE: Final = "evidence.json"
REPORT: Final = "report.pdf"
PAGE: Final = "report.html"
ENVELOPE: Final = ".dsse.json"
KEPT_RUNS: Final = ".runs"
"""The folder in which an audit keeps finished runs: no result, and nothing that is signed."""
_DECLARED: Final = "audit.toml"
_FIXED: Final = (EVIDENCE, REPORT, PAGE, f"statement{ENVELOPE}", f"test-result{ENVELOPE}")
_LATIN: Final = str.maketrans(
    "аеорсухіјѕһԁԛԝкмнтвгոսαορνικτυηωᴀᴄᴅᴇꜰʜɪᴊʟᴍɴᴏᴘʀꜱᴛᴜᴠ", "aeopcyxijshdqwkmhtbrnuaopviktunwacdefhijlmnoprstuv"
)
"""Letters of Cyrillic, Armenian and Greek and small capitals, and those of ours that they look like."""
_RESEMBLING: Final = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "MATHEMATICAL")
"""How the Unicode names of those letters begin that a reader may take for ours."""
_LETTER: Final = re.compile(r"letter(-.*)?-[0-9a-f]{12}\.pdf|letter\.pdf")
"""What `certificate` calls letters, in a skeleton, and the name without a request."""
_LARGEST_ENVELOPE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Files:
    """What was found."""

    folder: Path
    """Where the files lie."""
    whole: bool
    """Whether the folder as a whole is rechecked, and not one file of it."""
    subjects: Mapping[str, bytes]
    """What is to be rechecked, by file name."""
    beside: bytes | None
    """The evidence.json that lies alongside a single file; None where there is none, or where it is itself a subject."""
    envelopes: Mapping[str, bytes]
    """Signed statements, by file name."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """What bears a name of ours and is no plain file that can be read: what it is, by name."""
    others: tuple[str, ...] = ()
    """What else lies in the folder: nothing of ours by its name, and not rechecked."""
    receipts: tuple[str, ...] = ()
    """Receipts of purges in the folder, or in that of its case above: no results, and nothing signs them."""
    first: Path | None = None
    """The folder with the first stage of the audit; None where there is none."""
    alike: Mapping[str, str] = field(default_factory=dict)
    """What bears a name that a reader, or another file system, takes for one of ours, with that one."""


def find(path: Path, *, whole: bool = True) -> Files:
    """The files of ours at a path.

    Args:
        path: A file, or the folder of an audit.
        whole: Whether a folder may be that of a whole audit, with its first stage within.

    Raises:
        InputError: If there is nothing of ours, or a file cannot be read.
    """
    return _in_folder(path, whole=whole) if path.is_dir() else _single(path)


def _single(path: Path) -> Files:
    content = _content(path)
    neighbour = path.with_name(EVIDENCE)
    beside = (content.startswith(SIGNATURE) or path.name == PAGE) and neighbour.is_file()
    names = [each.name for each in path.parent.glob(f"*{ENVELOPE}")]
    envelopes, broken = _read(path.parent, sorted(names))
    return Files(path.parent, False, {path.name: content}, _content(neighbour) if beside else None, envelopes, broken)


def _in_folder(folder: Path, *, whole: bool) -> Files:
    from auditor.document import purge_receipt  # noqa: PLC0415 - a file alone has no receipts

    names = sorted(each.name for each in folder.iterdir())
    signing = [name for name in names if name.endswith(ENVELOPE)]
    ours = [name for name in names if is_subject(name)]
    envelopes, unreadable = _read(folder, signing)
    subjects, broken = _read(folder, ours)
    if not subjects:
        raise InputError([Problem(str(folder), "", f"{EVIDENCE}, a report or a letter in PDF", "neither in this folder")])
    first = folder / FIRST_STAGE if whole and FIRST_STAGE in names and _first_stage(folder / FIRST_STAGE) else None
    receipts = tuple(purge_receipt.lying_in(folder))
    known = {*signing, *ours, *receipts, *([] if first is None else [FIRST_STAGE])}
    above = folder.resolve().parent
    if whole and (above / _DECLARED).is_file():
        receipts += tuple(f"../{name}" for name in purge_receipt.lying_in(above))
    others = tuple(name for name in names if name not in known and not _kept_runs(folder / name))
    return Files(
        folder,
        True,
        subjects,
        None,
        envelopes,
        {**unreadable, **broken},
        others,
        alike=dict(_alike(names)),
        receipts=receipts,
        first=first,
    )


def _read(folder: Path, names: list[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The content of plain files, and what the others are.

    A link is not followed: what it leads to can be exchanged, and the folder be sent on without it.
    """
    contents, broken = {}, {}
    for name in names:
        path = folder / name
        kind = _kind(path)
        if kind is not None:
            broken[name] = kind
        elif name.endswith(ENVELOPE) and path.stat().st_size > _LARGEST_ENVELOPE:
            broken[name] = f"a file of more than {_LARGEST_ENVELOPE} bytes, which no signed statement has"
        else:
            contents[name] = _content(path)
    return contents, broken


def _kind(path: Path) -> str | None:
    """What a path is other than a plain file; None for a plain file."""
    mode = path.lstat().st_mode
    if stat.S_ISREG(mode):
        return None
    return "a link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "a special file"


def _kept_runs(path: Path) -> bool:
    return path.name == KEPT_RUNS and _kind(path) == "a folder"


def _first_stage(path: Path) -> bool:
    """Whether a path is a folder, and no link to one, with anything of ours in it."""
    return _kind(path) == "a folder" and any(is_subject(each.name) for each in path.iterdir())


def is_subject(name: str) -> bool:
    """Whether a file is called a result of an audit: evidence, a report or a letter."""
    return name in {EVIDENCE, REPORT, PAGE} or is_letter(name)


def is_letter(name: str) -> bool:
    """Whether a file is called a letter."""
    return name.startswith("letter") and name.endswith(".pdf")


def _alike(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The names in a folder that look like another that is ours, whether or not that one lies there, each with it."""
    seen = {_skeleton(name): name for name in _FIXED}
    # What is ours by its very letters comes first: what looks like it is the other one.
    for name in sorted(names, key=lambda each: (not (is_subject(each) or each.endswith(ENVELOPE)), not each.isascii())):
        skeleton = _skeleton(name)
        first = seen.setdefault(skeleton, name)
        if first != name:
            if is_subject(first) or first.endswith(ENVELOPE):
                yield name, first
        elif _LETTER.fullmatch(skeleton) and not is_letter(name):
            yield name, "a letter"
        elif skeleton.endswith(ENVELOPE) and not name.endswith(ENVELOPE):
            yield name, "a signed statement"
        else:
            yield from ((name, each) for each in _FIXED if _hides(skeleton, each))


def _skeleton(name: str) -> str:
    """What is left of a name where case, accents, widths, spaces and what cannot be seen do not count."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(each for each in folded if unicodedata.category(each)[0] not in "MCZ").translate(_LATIN)


def _hides(skeleton: str, name: str) -> bool:
    """Whether a name is another but for letters that look like ours, at most half of those before the first dot."""
    if skeleton.isascii() or len(skeleton) != len(name):
        return False
    stem = name.index(".")
    same = sum(one == two for one, two in zip(skeleton[:stem], name, strict=False))
    return 2 * same >= stem and all(one == two or _resembles(one) for one, two in zip(skeleton, name, strict=True))


def _resembles(character: str) -> bool:
    """Whether a character that is not ASCII may be taken for one that is: no letter of an alphabet that looks otherwise."""
    known = unicodedata.name(character, "").startswith(_RESEMBLING)
    return not character.isascii() and (known or not character.isalpha())


def _content(path: Path) -> bytes:
    expected = "an evidence.json, a report, a letter or the folder of an audit"
    try:
        with open(path, "rb", opener=_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError([Problem(str(path), "", expected, "no plain file")])
            if status.st_size > MAX_BYTES:
                raise InputError([Problem(str(path), "", f"at most {MAX_BYTES} bytes", f"{status.st_size} bytes")])
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError([Problem(str(path), "", expected, os_reason(error))]) from error


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for anyone who holds the other end of a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def digests_of(folder: Path, name: str) -> Mapping[Path, str]:
    """SHA-256 of each file that a path of the case may mean, seen from the folder of an audit.

    Args:
        folder: The folder of the audit: it lies in that of its case, unless it was put elsewhere.
        name: A path in the case.

    Returns:
        By path, in the folder itself and in the one above; empty where neither holds it, or the path leads out of the case.
        A link is read as what it leads to, as the audit did.
    """
    inside = PurePosixPath(name)
    if inside.is_absolute() or ".." in inside.parts:
        return {}
    return {path: sha256_of(path) for path in (folder / inside, folder / ".." / inside) if path.is_file()}


def sha256_of(path: Path) -> str:
    """The digest of a file of any size.

    Raises:
        InputError: If it cannot be read.
    """
    try:
        with open(path, "rb", opener=_at_once) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError([Problem(str(path), "", "a file that can be read", os_reason(error))]) from error
