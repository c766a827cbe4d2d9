"""How long a recheck takes as a whole command: of evidence, of its report, of a folder with letters and a signature."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.document.evidence import digest
from auditor.document.evidence_files import read
from auditor.pages import letter, render
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck import signing
from benchmarks.measuring import Figure, commands
from benchmarks.recorded import EVIDENCE


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often each command runs, and over how much of a folder."""

    repeats: int
    letters: int
    report: bool = True


USUAL, TINY = Sizes(repeats=5, letters=3), Sizes(repeats=1, letters=0, report=False)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time whole commands as processes."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        key = signed(Path(folder), Path(elsewhere) / "key", sizes)

        def verified(row: str, *arguments: str) -> Figure:
            return commands("verify", "--quiet", *arguments, repeats=sizes.repeats, warm_up=1).figure(row)

        yield verified("evidence", f"{folder}/evidence.json")
        if sizes.report:
            yield verified("report", f"{folder}/report.pdf")
        yield verified("folder", folder, "--key", str(key))


def signed(results: Path, key: Path, sizes: Sizes) -> Path:
    """Write a signed folder of results, and a key; its public half."""
    evidence = read(EVIDENCE)
    files = {"evidence.json": EVIDENCE.read_bytes()}
    if sizes.report:
        files |= {"report.pdf": render.pdf(tell(evidence)), "report.html": render.html(tell(evidence)).encode()}
    letters = {
        letter.file_name(request.request_id): letter.pdf(extract(evidence, request.request_id))
        for request in evidence.requests[: sizes.letters]
    }
    signing.write_pair(key, signing.generate(None))
    signer = signing.load_private(key, lambda: "")
    envelopes = {name: signing.sign(statement, signer) for name, statement in signing.about(files).items()}
    for name, content in letters.items():
        about = signing.about_letter(name, content, digest(files["evidence.json"]))
        envelopes[signing.letter_envelope(name)] = signing.sign(about, signer)
    for name, content in {**files, **letters, **envelopes}.items():
        (results / name).write_bytes(content)
    return key.with_name(f"{key.name}.pub")
