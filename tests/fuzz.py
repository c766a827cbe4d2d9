"""Tries every reader of foreign files with a coverage-guided fuzzer (atheris): `make fuzz MINUTES=10`.

The time is split over the readers of tests/readers.py, each in a process of its own. It starts from the files that the reader
accepts, the kept ones of tests/corpus, and what earlier runs came upon, which stays in FOLDER/corpus. Anything but an error that
the reader declares is a finding: its file lies in FOLDER/findings, with what was raised and the command that repeats it. What is
mended goes to tests/corpus under a name that says what it is.

    python -m tests.fuzz --minutes 10 --folder build/fuzz [--only NAME…]
    python -m tests.fuzz --repeat NAME FILE
"""

from __future__ import annotations

import argparse
import hashlib
import io
import mmap
import os
import resource
import shlex
import signal
import sys
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from readers import Reader

HERE: Final = Path(__file__).parent
_LONGEST: Final = 64 * 1024
"""Bytes of a file that is tried, or those of the longest seed."""
_SECONDS: Final = 30
"""After which reading one file counts as a finding."""
_MEBIBYTES: Final = 3072
"""The same of memory."""
_GRACE: Final = 15.0
"""Seconds that a process may go on beyond its time."""


class Tried(NamedTuple):
    """What came of one reader."""

    name: str
    executions: int
    seeds: int
    corpus: int
    """Files that reach something of their own."""
    findings: tuple[Path, ...]

    def line(self) -> str:
        """A line of the table."""
        return f"{self.name:24} {self.executions:>11,} {self.seeds:>6} {self.corpus:>7} {len(self.findings):>9}"


def loaded() -> dict[str, Reader]:
    """Import every reader so that the fuzzer sees its branches, those that it imports late too."""
    import atheris  # noqa: PLC0415 - in a group of its own

    with atheris.instrument_imports(include=["auditor"], enable_loader_override=False):
        import readers  # noqa: PLC0415

        for reader in readers.READERS.values():
            for seed in reader.seeds():
                reader.read(seed)
    return dict(readers.READERS)


def place_of(error: BaseException) -> str:
    """Where an error comes from: its type, and the last line of the auditor that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if f"{os.sep}auditor{os.sep}" in each.filename] or frames[-1:]
    return f"{type(error).__name__} {Path(own[-1].filename).name}:{own[-1].lineno}" if own else type(error).__name__


def command(name: str, file: Path) -> str:
    """How a finding is repeated."""
    return shlex.join([sys.executable, "-m", "tests.fuzz", "--repeat", name, str(file)])


def watched(name: str, reader: Reader, findings: Path, count: Callable[[], None]) -> Callable[[bytes], None]:
    """The reader as the fuzzer calls it: it goes on after a finding, and keeps one file for each place that raises."""
    known: set[str] = set()

    def read(data: bytes) -> None:
        count()
        try:
            reader.read(data)
        except reader.errors:
            return
        except Exception as error:  # noqa: BLE001 - that is the question
            place = place_of(error)
            if place in known:
                return
            known.add(place)
            file = findings / f"{name}-{type(error).__name__}-{hashlib.sha256(place.encode()).hexdigest()[:8]}.bin"
            file.write_bytes(data)
            said = "".join(traceback.format_exception(error))
            file.with_suffix(".txt").write_text(f"{place}\n{command(name, file)}\n\n{said}", encoding="utf-8")

    return read


def mutated(data: bytes, largest: int, seed: int) -> bytes:
    """Change a file, and a zip archive mostly in what it holds: of bytes that fail its checksums nothing is read."""
    import atheris  # noqa: PLC0415

    if data.startswith(b"PK") and seed % 4:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = [(each.filename, archive.read(each)) for each in archive.infolist() if each.file_size <= largest]
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, EOFError, KeyError):
            members = []
        if members:
            at = seed // 4 % len(members)
            members[at] = (members[at][0], atheris.Mutate(members[at][1], largest))
            stream = io.BytesIO()
            with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as archive:
                warnings.simplefilter("ignore")
                for member, content in members:
                    archive.writestr(member, content)
            if len(stream.getvalue()) <= largest:
                return stream.getvalue()
    changed: bytes = atheris.Mutate(data, largest)
    return changed


def fuzz(name: str, reader: Reader, seconds: float, folder: Path) -> Tried:
    """Try one reader for some time, in a process of its own, and again in another where that ends early."""
    corpus, seeds, findings = (folder / part / name for part in ("corpus", "seeds", "findings"))
    for each in (corpus, seeds, findings):
        each.mkdir(parents=True, exist_ok=True)
    accepted = reader.seeds()
    for number, seed in enumerate(accepted):
        (seeds / f"seed-{number}").write_bytes(seed)
    for kept in sorted((HERE / "corpus" / name).glob("*.bin")):
        (seeds / kept.name).write_bytes(kept.read_bytes())
    before = {*findings.iterdir()}
    counter = mmap.mmap(-1, 8)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) >= 1:
        child = os.fork()
        if not child:
            _tried(name, reader, left, folder, counter)
        _ended(child, left + _GRACE)
        if not any(each.name.startswith(("crash", "oom", "timeout", "leak")) for each in {*findings.iterdir()} - before):
            break
        for each in findings.iterdir():
            if not each.suffix:
                each.with_suffix(".txt").write_text(f"{command(name, each)}\n", encoding="utf-8")
                each.rename(each.with_suffix(".bin"))
    found = tuple(sorted(each for each in {*findings.iterdir()} - before if each.suffix == ".bin"))
    return Tried(name, int.from_bytes(counter[:8], "little"), len(accepted), len([*corpus.iterdir()]), found)


def _tried(name: str, reader: Reader, seconds: float, folder: Path, counter: mmap.mmap) -> None:
    """Be the process that tries a reader, to its end."""
    import atheris  # noqa: PLC0415

    import readers  # noqa: PLC0415

    log = os.open(folder / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def count() -> None:
        counter[:8] = (int.from_bytes(counter[:8], "little") + 1).to_bytes(8, "little")

    findings = folder / "findings" / name
    longest = max(_LONGEST, *(each.stat().st_size for each in (folder / "seeds" / name).iterdir()))
    asked = [f"-max_total_time={max(1, int(seconds))}", f"-timeout={_SECONDS}", f"-rss_limit_mb={_MEBIBYTES}"]
    asked += [f"-max_len={longest}", f"-artifact_prefix={findings}{os.sep}", "-verbosity=1", "-print_final_stats=1"]
    asked += [str(folder / "corpus" / name), str(folder / "seeds" / name)]
    try:
        readers.in_this_process().__enter__()
        atheris.Setup([sys.argv[0], *asked], watched(name, reader, findings, count), custom_mutator=mutated)
        atheris.Fuzz()
    finally:
        os._exit(1)


def _ended(child: int, seconds: float) -> None:
    """Wait for a process of ours, and end it where it goes on for too long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def repeat(name: str, file: Path) -> int:
    """Read one file as the reader does, and say what came of it."""
    import readers  # noqa: PLC0415

    reader = readers.READERS[name]
    try:
        reader.read(file.read_bytes())
    except reader.errors as error:
        print(f"refused, as it should be: {type(error).__name__}: {error}")
        return 0
    print("read")
    return 0


def main(given: Iterable[str]) -> int:
    """Fuzz, or repeat a finding."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--repeat", nargs=2, metavar=("NAME", "FILE"))
    told = parser.parse_args([*given])
    sys.path.insert(0, str(HERE))
    if told.repeat:
        return repeat(told.repeat[0], Path(told.repeat[1]))
    warnings.simplefilter("ignore")
    chosen = {name: reader for name, reader in loaded().items() if not told.only or name in told.only}
    print(f"{'reader':24} {'executions':>11} {'seeds':>6} {'corpus':>7} {'findings':>9}")
    tried = []
    for name, reader in chosen.items():
        tried.append(fuzz(name, reader, 60 * told.minutes / len(chosen), told.folder))
        print(tried[-1].line(), flush=True)
    findings = [each for one in tried for each in one.findings]
    for each in findings:
        print(f"{each}\n    {command(each.parent.name, each)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
