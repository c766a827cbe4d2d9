"""How long a recheck takes as a whole command: of evidence, of its report, of a folder with letters and a signature."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from auditor import signing
from auditor.evidence import read
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
    with tempfile.TemporaryDirectory() as folder:
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
        key = results / "key"
        signing.write_pair(key, pair)
        signer = signing.load_private(key, lambda: "")
        envelopes = {name: signing.sign(statement, signer) for name, statement in signing.about(files).items()}
        for name, content in {**files, **letters, **envelopes}.items():
            (results / name).write_bytes(content)
        line("verify evidence.json, 400 swap pairs", f"{seconds(lambda: _verify(f'{folder}/evidence.json')):.2f} s", "under 2 s")
        line("verify report.pdf", f"{seconds(lambda: _verify(f'{folder}/report.pdf')):.2f} s", "under 2 s")
        whole = seconds(lambda: _verify(folder, "--key", f"{key}.pub"))
        line("verify a signed folder with three letters", f"{whole:.2f} s", "under 2 s")


if __name__ == "__main__":
    main()
