"""The blank case, and copies of samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from auditor.base import samples
from auditor.base.errors import UsageError
from auditor.base.resources import sample_models, templates
from auditor.case.scaffold.asking import questions
from auditor.case.scaffold.declaring import fresh_seed
from auditor.case.scaffold.placing import place, require_empty

BLANK = "blank"


_NOT_COPIED = frozenset({"audit", "__pycache__", "build.py", samples.FILE})


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
    require_empty(folder)
    place(folder, dict(_blank() if template == BLANK else _sample(template)), shared=True)
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def _listed() -> str:
    width = max(map(len, samples.names())) + 2
    return "\n".join(f"  {each.name:<{width}}{each.purpose}" for each in samples.every())


def _sample(name: str) -> Iterator[tuple[str, bytes]]:
    """The files of a sample case, but for those that an audit or a test put there: results, and the list of their folders."""
    folder = sample_models() / name
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        left_out = _NOT_COPIED & {*within.parts} or any(part.startswith(".") for part in within.parts)
        if path.is_file() and not left_out:
            yield within.as_posix(), path.read_bytes()


def _blank() -> Iterator[tuple[str, bytes]]:
    for source in sorted((templates() / "case").iterdir()):
        text = source.read_text(encoding="utf-8").replace("@SEED@", str(fresh_seed()))
        yield source.name, text.replace("@QUESTIONS@", "\n".join(questions("certified-removal", model=True))).encode()
