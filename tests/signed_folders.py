"""The folder of a signed audit as it is written and sent on: made once in a run of the tests, and copied for anyone who tampers.

While `quick` is in force, evidence is judged, pages are rendered and PDFs are read once for each content and in this process:
what comes of it follows from the bytes alone, and other bytes are judged, rendered and read for themselves.
"""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import rfc8785
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import rechecks
import signed
from auditor.base.errors import InputError
from auditor.cli.rechecking import verify
from auditor.document.evidence import Evidence, digest
from auditor.document.evidence_files import parse_json
from auditor.pages import rerender
from auditor.pages.letters import Extract, extract
from auditor.recheck import Rechecked, signing
from auditor.recheck.derivations import recheck_evidence
from auditor.recheck.files import Document, read_evidence
from auditor.recheck.pdf import asking, child
from cases import SAMPLES, once
from letter_cases import sample

SAMPLE = "digits-shipped-old"
MODEL = "model.safetensors"
EVIDENCE, REPORT, PAGE = "evidence.json", "report.pdf", "report.html"
LETTERS = {"letter-a.pdf": "REQ-2026-0003", "letter-b.pdf": "REQ-2026-0004"}
"""Letters by file name, each with the request that it answers."""


def key_id(key: Ed25519PrivateKey) -> str:
    """The id of the public key, as pages name it."""
    return str(signing.Signer(key).public_key.keyid)


@functools.cache
def evidence() -> Evidence:
    """What the audit found."""
    return sample(SAMPLE)


@functools.cache
def earlier() -> Evidence:
    """An earlier audit of the same case, which the same key signed."""
    value = json.loads(evidence().to_bytes())
    value["audit"].update(finished_at="2026-11-19T07:14:40Z", started_at="2026-11-19T07:14:36Z")
    return Evidence.model_validate_json(json.dumps(value))


class Press:
    """Renders as `verify` does, and the same pages once in a run of the tests."""

    again = rerender.Again(lambda _message: None)

    def report(self, evidence: Evidence, **options: Any) -> bytes:
        return self._once("pdf", evidence, options, self.again.report)

    def page(self, evidence: Evidence, **options: Any) -> bytes:
        return self._once("html", evidence, options, self.again.page)

    def letter(self, extract: Extract, **options: Any) -> bytes:
        return self._once("letter", extract, options, self.again.letter)

    @staticmethod
    def _once(kind: str, said: Any, options: dict[str, Any], render: Callable[..., bytes]) -> bytes:
        options["date"] = options["date"].astimezone(UTC)
        named = digest(repr((_digest(said), sorted(options.items()))).encode())
        return once(f"tampered-{named}.{kind}", lambda: render(said, **options))


PRESS = Press()
_DIGESTS: dict[int, tuple[Evidence | Extract, str]] = {}


def _digest(said: Evidence | Extract) -> str:
    """The digest of a document; one object's is worked out once, and it is kept so that no other takes its place."""
    if id(said) not in _DIGESTS:
        _DIGESTS[id(said)] = said, digest(said.to_bytes())
    return _DIGESTS[id(said)][1]


def report(said: Evidence, key: Ed25519PrivateKey = signed.KEY) -> bytes:
    """The report as PDF, whose pages name the key that signs them."""
    return PRESS.report(said, date=_date(said), signed_by=key_id(key))


def page(said: Evidence, key: Ed25519PrivateKey = signed.KEY) -> bytes:
    """The report as HTML."""
    return PRESS.page(said, date=_date(said), signed_by=key_id(key))


def letter_of(said: Extract, key: Ed25519PrivateKey | None = signed.KEY) -> bytes:
    """A letter; without a key its pages say that it is unsigned."""
    return PRESS.letter(said, date=_date(said), signed_by=None if key is None else key_id(key))


def _date(said: Evidence | Extract) -> datetime:
    return said.audit.finished_at.replace(microsecond=0)


def results(said: Evidence, key: Ed25519PrivateKey = signed.KEY) -> dict[str, bytes]:
    """The files of an audit and two letters, by name, with the statements that sign them."""
    letters = {name: letter_of(extract(said, request), key) for name, request in LETTERS.items()}
    files = {EVIDENCE: said.to_bytes(), REPORT: report(said, key), PAGE: page(said, key), **letters}
    return {**files, **statements(files, key)}


@functools.cache
def _honest() -> dict[str, bytes]:
    return results(evidence())


def honest() -> dict[str, bytes]:
    """The honest results by file name."""
    return dict(_honest())


def statements(files: dict[str, bytes], key: Ed25519PrivateKey = signed.KEY) -> dict[str, bytes]:
    """The statements over evidence, report and letters as they are, by file name."""
    signer = signing.Signer(key)
    own = {name: content for name, content in files.items() if name in {EVIDENCE, REPORT, PAGE}}
    found = {name: signing.sign(about, signer) for name, about in signing.about(own).items()} if EVIDENCE in own else {}
    for name, content in files.items():
        if name.startswith("letter") and name.endswith(".pdf"):
            about = signing.about_letter(name, content, digest(files[EVIDENCE]))
            found[signing.letter_envelope(name)] = signing.sign(about, signer)
    return found


def sign(folder: Path, key: Ed25519PrivateKey = signed.KEY) -> None:
    """Sign what lies in a folder, as the holder of the key can at any time."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for name, content in statements(files, key).items():
        (folder / name).write_bytes(content)


def lay(folder: Path) -> Path:
    """Lay the honest folder of a signed audit into its case; the public key lies elsewhere, with whoever verifies.

    Returns:
        The folder of the audit.
    """
    audit = folder / "case" / "audit"
    audit.mkdir(parents=True)
    for name, content in honest().items():
        (audit / name).write_bytes(content)
    shutil.copy(SAMPLES / SAMPLE / MODEL, audit.parent / MODEL)
    (folder / "release.pub").write_bytes(signed.PUBLIC)
    return audit


def changed(change: Callable[[Any], object]) -> bytes:
    """The evidence with one place of it changed, in canonical form."""
    value = json.loads(evidence().to_bytes())
    change(value)
    return rechecks.canonical(value)


def changed_letter(request: str, change: Callable[[Any], object]) -> Extract:
    """What a letter would say after a change in one place."""
    value = json.loads(extract(evidence(), request).to_bytes())
    change(value)
    return Extract.model_validate_json(rfc8785.dumps(value))


@contextmanager
def quick() -> Iterator[None]:
    """Do nothing twice; see above."""
    judged: dict[bytes, Rechecked] = {}

    def judge(document: Document, name: str) -> Rechecked:
        if document.content not in judged:
            judged[document.content] = recheck_evidence(document, name)
        found = judged[document.content]
        return Rechecked(name, found.kind, found.sha256, found.parts, found.stated)

    @functools.lru_cache(maxsize=256)
    def answered(what: str, files: tuple[bytes, ...]) -> str:
        return json.dumps(child.answer(what, *files))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("auditor.recheck.rechecking.recheck_evidence", judge)
        patched.setattr("auditor.recheck.rechecking.read_evidence", functools.lru_cache(maxsize=256)(read_evidence))
        patched.setattr("auditor.recheck.signatures.parse_json", functools.lru_cache(maxsize=256)(parse_json))
        patched.setattr("auditor.api.results.rendering.loader", lambda _tell: lambda: PRESS)
        patched.setattr(asking, "_ask", lambda what, files, name: asking._sound(json.loads(answered(what, files)), name))
        yield


def verified(path: Path, key: Path | None, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of `auditor verify`, and all that it prints."""
    capfd.readouterr()
    try:
        verify(path, key)
    except typer.Exit as end:
        return end.exit_code, capfd.readouterr().out
    except InputError as error:
        return error.exit_code, str(error)
    raise AssertionError("verify ends in an exit code")
