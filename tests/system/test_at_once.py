"""Commands that meet in one folder, and a ledger that somebody else holds: each is whole or refused, and nobody waits long."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import kept_runs
import report_examples as examples
from auditor.base.errors import InputError, UsageError
from auditor.base.writing import write_all
from auditor.case import scaffold
from auditor.recheck import ledger, signing
from auditor.sandbox.runs import Runs, remove
from failing_system import tree

TIMES = 8


def at_once(calls: list[Callable[[], object]]) -> list[BaseException | None]:
    """Call all of them at once; what each raised."""
    ready, raised = threading.Barrier(len(calls)), dict[int, BaseException]()

    def called(number: int) -> None:
        ready.wait()
        try:
            calls[number]()
        except BaseException as error:  # noqa: BLE001 - it is judged by the test
            raised[number] = error

    threads = [threading.Thread(target=called, args=(number,)) for number in range(len(calls))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    return [raised.get(number) for number in range(len(calls))]


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("time", range(TIMES))
def test_of_two_cases_that_are_made_in_one_place_one_is_there_whole(tmp_path: Path, time: int) -> None:
    del time
    raised = at_once(
        [lambda: scaffold.start(tmp_path / "made", "digits-newton"), lambda: scaffold.start(tmp_path / "made", "blank")]
    )
    assert raised.count(None) == 1
    assert all(isinstance(each, UsageError) for each in raised if each is not None)
    found = set(tree(tmp_path))
    assert ("made/train.npz" in found) is (raised[0] is None)
    assert not [name for name in found if ".partial" in name]


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("time", range(TIMES))
def test_of_two_keys_under_one_name_one_is_there_whole(tmp_path: Path, time: int) -> None:
    del time
    pairs = [signing.generate(None) for _ in range(3)]
    raised = at_once([lambda pair=pair: signing.write_pair(tmp_path / "key", pair) for pair in pairs])  # type: ignore[misc]
    assert all(isinstance(each, UsageError) for each in raised if each is not None)
    if (won := [pair for pair, error in zip(pairs, raised, strict=True) if error is None]) or tree(tmp_path):
        assert tree(tmp_path) == {"key": won[0].private_pem, "key.pub": won[0].public_pem}


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("time", range(TIMES))
def test_results_of_several_writers_belong_to_one_of_them(tmp_path: Path, time: int) -> None:
    del time
    names = ("evidence.json", "report.pdf", "report.html")

    def write(which: int) -> None:
        without = [tmp_path / "statement.dsse.json"]
        write_all({tmp_path / name: f"{name} of {which}".encode() for name in names}, without=without)

    assert at_once([lambda which=which: write(which) for which in range(4)]) == [None] * 4  # type: ignore[misc]
    found = tree(tmp_path)
    assert set(found) == set(names)
    assert len({content.rpartition(b" ")[2] for content in found.values()}) == 1


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("time", range(TIMES))
def test_runs_that_are_removed_while_others_are_kept_harm_nobody(tmp_path: Path, time: int) -> None:
    del time
    said: list[str] = []

    def keep() -> None:
        runs, run = Runs(tmp_path / "audit" / ".runs", notice=said.append), kept_runs.job()
        address = runs.address(run, 0)
        runs.keep(run, 0, address, kept_runs.answers(run.steps))
        runs.take(run, address)

    (tmp_path / "audit").mkdir()
    raised = at_once([keep, keep, lambda: remove(tmp_path / "audit")])
    assert raised == [None] * 3
    assert all("No such file" in each or "kept" in each for each in said)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ledger, "PATIENCE", 0.2)
    ledger.record(tmp_path / "auditor" / "history.sqlite", examples.passing().evidence, Path("/a"))
    return tmp_path / "auditor" / "history.sqlite"


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_ledger_that_somebody_holds_is_named_after_a_while_and_whole_afterwards(file: Path, lock: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as holder:
        holder.execute(f"BEGIN {lock}")
        with pytest.raises(InputError, match="database is locked"):
            ledger.record(file, examples.failing().evidence, Path("/b"))
        if lock == "EXCLUSIVE":
            with pytest.raises(InputError, match="database is locked"):
                ledger.read(file)
        else:
            assert len(ledger.read(file)) == 1
        holder.execute("ROLLBACK")
    ledger.record(file, examples.failing().evidence, Path("/b"))
    assert len(ledger.read(file)) == 2


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audits SET verdict = 'compliant'",
        "UPDATE audits SET required = '5'",
        "UPDATE audits SET required = '" + "[" * 100_000 + "'",
        "UPDATE audits SET finished_at = 5",
        "UPDATE audits SET finished_at = 'yesterday'",
        "UPDATE audits SET exit_code = 'x'",
        "UPDATE audits SET sentence = CAST(x'ff00' AS TEXT)",
        "UPDATE checks SET status = NULL",
        "UPDATE checks SET value = 'much'",
        "DROP TABLE checks",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 1",
    ],
)
def test_a_ledger_that_somebody_changed_is_read_or_named(file: Path, change: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as holder, pytest.MonkeyPatch.context():
        try:
            holder.execute(change)
        except sqlite3.IntegrityError:
            return  # the ledger itself does not take it
    try:
        assert len(ledger.read(file)) == 1
    except InputError as error:
        assert str(file) in str(error)  # noqa: PT017 - either will do


@pytest.mark.attempt("two at once, and a ledger that is held or changed")
@pytest.mark.parametrize("place", [0, 16, 18, 19, 28, 44, 56, 60, 68, 100, 103, 105, 200, 4096, 4100, -1, -40])
def test_a_ledger_with_a_changed_byte_is_read_or_named(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 0xFF
    file.write_bytes(content)
    try:
        assert len(ledger.read(file)) <= 1
    except InputError as error:
        assert str(file) in str(error)  # noqa: PT017 - either will do
