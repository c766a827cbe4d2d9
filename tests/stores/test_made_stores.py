"""Stores made by the real libraries, from their documentation alone: none that still holds somebody deleted passes a scan.

Those of a library that is not installed are skipped; `make test-stores` installs them. AUDITOR_STORES names a folder in which
corpus.py has made them already.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from scipy.stats import binomtest

import corpus

# lancedb warns where it is asked to remove every version but the last.
pytestmark = [pytest.mark.stores, pytest.mark.filterwarnings("ignore:optimize:UserWarning")]

LIBRARIES = sorted({store.library for store in corpus.load().values()})
READ_WHOLE = ("hnswlib", "lancedb", "pandas+pyarrow", "pyarrow", "chromadb", "faiss-cpu", "sqlite3", "numpy")
"""Libraries of whose files every byte is accounted for; of others some forms are left open."""
PASSED, FOUND, OPEN = 0, 1, 3
LONGEST = 600
"""Seconds after which a scan counts as broken off: a cache of 400 files takes two minutes where the machine is busy."""


@dataclass(frozen=True)
class Scanned:
    """One store, and what a scan of it ended with."""

    store: corpus.Store
    code: int | None
    """None: it was not made, or its scan was broken off."""
    seconds: float
    said: str

    def __str__(self) -> str:
        ended = "broke off" if self.code is None else f"exit {self.code}"
        return f"{self.store.name}: {ended} after {self.seconds:.1f} s. {self.said.strip()[-600:]}"


def scan(home: Path) -> subprocess.CompletedProcess[str]:
    """Scan one store, with the table of everybody where there is one."""
    table = next(iter(home.glob("data.*")), None)
    given = [home / "place", "--log", home / "deletions.csv", *(["--data", table] if table else [])]
    given += ["--embed", f"{home / 'embedding.py'}:embed"] if (home / "embedding.py").exists() else []
    command = [sys.executable, "-m", "auditor", "scan", *map(str, given)]
    # What one scan keeps of a run is of no use to another.
    with tempfile.TemporaryDirectory(prefix="auditor-stores-") as state:
        environment = {**os.environ, "XDG_STATE_HOME": state}
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST, env=environment)


@functools.cache
def _corpus() -> Path:
    return Path(os.environ.get("AUDITOR_STORES") or tempfile.mkdtemp(prefix="auditor-stores-"))


@functools.cache
def scanned(name: str) -> Scanned:
    """Make this store, unless it is made already, and scan it; whatever is raised is a result, so that no store hides others."""
    begun = time.monotonic()
    try:
        if not (_corpus() / name / "STORE.md").exists():
            corpus.make(name, _corpus())
        begun = time.monotonic()
        ended = scan(_corpus() / name)
        code, said = ended.returncode, ended.stdout + ended.stderr
    except Exception as error:  # noqa: BLE001 - what a library raises
        code, said = None, f"{type(error).__name__}: {error}"
    return Scanned(corpus.STORES[name], code, time.monotonic() - begun, said)


@pytest.fixture
def scans(capsys) -> Callable[[str, bool], list[Scanned]]:
    """Scan a library's honest stores, or its others, and say at once how each ended: all of them take half an hour."""

    def of(library: str, honest: bool) -> list[Scanned]:
        stores = [store for store in corpus.STORES.values() if store.library == library]
        if (lacks := stores[0].lacks) is not None:
            pytest.skip(f"{lacks} is not installed; make test-stores installs it")
        results = []
        for store in stores:
            if store.honest == honest:
                results.append(scanned(store.name))
                told = {PASSED: "pass", FOUND: "found", OPEN: "open"}.get(results[-1].code, str(results[-1]))
                with capsys.disabled():
                    kind = "honest" if honest else "dishonest"
                    print(f"{store.name} ({kind}, {store.expect}): {told}, {results[-1].seconds:.1f} s", flush=True)
        return results

    return of


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_store_that_holds_somebody_deleted_passes(library, scans):
    """Found, or open where no reader sees them; a store in which somebody is to be found is never left open."""
    wrong = [each for each in scans(library, honest=False) if each.code not in {FOUND, OPEN}]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_honest_store_is_said_to_hold_anybody(library, scans):
    wrong = [each for each in scans(library, honest=True) if each.code not in {PASSED, OPEN}]
    assert not wrong, "\n".join(map(str, wrong))


def test_honest_stores_pass_and_others_are_found(capsys, scans):
    """The counts of each library, and of all, with Clopper-Pearson limits; where a form is read whole, honest ones pass."""
    there = [library for library in LIBRARIES if _installed(library)]
    results = [each for library in there for honest in (False, True) for each in scans(library, honest)]
    lines = [_counted(library, [each for each in results if each.store.library == library]) for library in LIBRARIES]
    with capsys.disabled():
        print("", *filter(None, lines), _counted("all", results), sep="\n")
        print(f"the slowest scan: {max(each.seconds for each in results):.1f} s")
    found = [each for each in results if not each.store.honest and each.store.expect == "found"]
    missed = [each for each in found if each.code != FOUND]
    assert len(missed) <= 0.2 * len(found), "\n".join(map(str, missed))
    whole = [each for each in results if each.store.library in READ_WHOLE and each.store.honest and each.store.expect == "clean"]
    left = [each for each in whole if each.code != PASSED]
    assert whole
    assert len(left) <= 0.05 * len(whole), "\n".join(map(str, left))


def _counted(name: str, results: list[Scanned]) -> str | None:
    """One line of counts; None where nothing was scanned."""
    parts = []
    for said, of, code in (
        ("hold somebody and pass", [each for each in results if not each.store.honest], PASSED),
        ("to be found and found", [each for each in results if each.store.expect == "found"], FOUND),
        ("honest and pass", [each for each in results if each.store.honest and each.store.expect == "clean"], PASSED),
    ):
        if of:
            those = sum(each.code == code for each in of)
            limits = binomtest(those, len(of)).proportion_ci(0.95, "exact")
            parts.append(f"{said} {those} of {len(of)} ({limits.low:.0%} to {limits.high:.0%})")
    return f"{name}: {'; '.join(parts)}" if parts else None


def _installed(library: str) -> bool:
    return all(store.lacks is None for store in corpus.STORES.values() if store.library == library)


def test_each_kind_of_deletion_is_in_the_corpus():
    """Enough of each that the counts say something, about half of them honest."""
    stores = corpus.STORES.values()
    assert len(stores) >= 48
    assert 0.4 <= sum(store.honest for store in stores) / len(stores) <= 0.6
    assert 0.4 <= sum(bool(store.table) for store in stores) / len(stores) <= 0.8
