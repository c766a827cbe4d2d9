"""How long a recheck takes as a whole command: of evidence, of its report, of a folder with letters and a signature."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from auditor import signing
from auditor.evidence import digest, read
from auditor.letters import extract
from auditor.report import letter, render
from auditor.words.told import tell
from benchmarks.measuring import line, seconds

EVIDENCE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "0.2.0" / "digits-newton.json"


def _verify(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "auditor", "verify", "--quiet", *arguments], check=True, capture_output=True)


def main() -> None:
    """Time whole commands as processes."""
    evidence = read(EVIDENCE)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        results = Path(folder)
        files = {
            "evidence.json": EVIDENCE.read_bytes(),
            "report.pdf": render.pdf(tell(evidence)),
            "report.html": render.html(tell(evidence)).encode(),
        }
        letters = {
            letter.file_name(request.request_id): letter.pdf(extract(evidence, request.request_id))
            for request in evidence.requests[:3]
        }
        pair = signing.generate(None)
        key = Path(elsewhere) / "key"
        signing.write_pair(key, pair)
        signer = signing.load_private(key, lambda: "")
        envelopes = {name: signing.sign(statement, signer) for name, statement in signing.about(files).items()}
        for name, content in letters.items():
            about = signing.about_letter(name, content, digest(files["evidence.json"]))
            envelopes[signing.letter_envelope(name)] = signing.sign(about, signer)
        for name, content in {**files, **letters, **envelopes}.items():
            (results / name).write_bytes(content)
        line("verify evidence.json, 400 swap pairs", f"{seconds(lambda: _verify(f'{folder}/evidence.json')):.2f} s", "under 2 s")
        line("verify report.pdf, rendered again", f"{seconds(lambda: _verify(f'{folder}/report.pdf')):.2f} s", "under 10 s")
        whole = seconds(lambda: _verify(folder, "--key", f"{key}.pub"))
        line("verify a signed folder with three letters, all rendered again", f"{whole:.2f} s", "under 15 s")


if __name__ == "__main__":
    main()
