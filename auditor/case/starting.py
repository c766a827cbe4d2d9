"""`auditor init`: a case to start from."""

from __future__ import annotations

import secrets
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

from auditor.base import samples
from auditor.base.errors import UsageError
from auditor.base.resources import sample_models, templates
from auditor.pages.words import attestations

BLANK = "blank"
SEED_BITS = 128
"""Too many for anyone to try them all."""
WIDTH = 120
"""Columns of the questions in the blank case."""


def names() -> tuple[str, ...]:
    """What `--template` takes: `blank`, and every sample case."""
    return (BLANK, *samples.names())


def start(folder: Path, template: str) -> tuple[Path, ...]:
    """Put a case into `folder`, which must not exist or be empty; the files written.

    The blank case gets a fresh 128-bit seed, and asks what the controller can attest; nothing is attested in it. A sample case is
    copied as it is, its published seed included: it shows how an audit reads, and its certificate would protect nobody.

    Raises:
        UsageError: If there is no such template, or the folder holds something already.
    """
    if template not in names():
        raise UsageError(f"--template: expected {BLANK} or a sample case, found {template}; the sample cases are\n{_listed()}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: expected a new or empty folder, found one with files in it")
    try:
        if template != BLANK:
            ignored = shutil.ignore_patterns("audit", "__pycache__", "build.py", samples.FILE)
            shutil.copytree(sample_models() / template, folder, dirs_exist_ok=True, ignore=ignored)
        else:
            _blank(folder)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def fresh_seed() -> int:
    """Draw a seed of 128 bits, the first of them set."""
    return secrets.randbits(SEED_BITS) | (1 << (SEED_BITS - 1))


def _listed() -> str:
    width = max(map(len, samples.names())) + 2
    return "\n".join(f"  {each.name:<{width}}{each.purpose}" for each in samples.every())


def questions() -> Iterator[str]:
    """Ask about each thing that can be attested: what it says, what follows where it is false, and the name to uncomment."""
    for name, word in attestations.WORDS.items():
        for said in (word.means, f"If not: {word.otherwise[0].lower()}{word.otherwise[1:]}"):
            yield from textwrap.wrap(said, width=WIDTH, initial_indent="    # ", subsequent_indent="    #   ")
        yield f'    # "{name}",'


def _blank(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((templates() / "case").iterdir()):
        text = source.read_text(encoding="utf-8").replace("@SEED@", str(fresh_seed()))
        text = text.replace("@QUESTIONS@", "\n".join(questions()))
        target = folder / source.name
        target.write_text(text, encoding="utf-8")
        if source.name == "audit.toml":
            target.chmod(0o600)
