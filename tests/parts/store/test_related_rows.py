"""Rows that belong to deleted people by a number or address they share: in the training data open, in the store found."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import replays
from auditor import case as cases
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Effect, Message, Status
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics import larger_share_p
from auditor.pages.words import basis
from auditor.parts.store.judging.data_erased import Derived, Observed, judge
from auditor.parts.store.judging.related import Related, RelatedColumn, counted, levels
from auditor.parts.store.observing import erasure
from auditor.parts.store.observing.related_rows import plain, related_rows
from auditor.parts.store.observing.store_keys import Numbers
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from judging import context_of_case

N, GONE = 400, (3, 50, 200)
WORDS = ("log-complete", "requests-fixed", "preprocessing-clean", "store-holds-no-copies", "code-clean")
AUDIT = """
[case]
name = "shop"
[data]
train = "train.csv"
store = "store"
task = "classification"
inputs = ["a", "b", "c", "d"]
{data}
[procedure]
use = "certified-removal"
l2 = 1e-2
sigma = 1.0
epsilon = 1.0
delta = 1e-4
tolerance = 1e-8
row_norms = "scale"
seed = "278189252447704765151761555871619860438"
[deletions]
log = "deletions.jsonl"
[claims]
attested = {words}
attested_by = "A. N. Other"
attested_at = 2026-01-31
"""


def people(*, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(N, 4)).round(6), columns=list("abcd"))
    table.insert(0, "id", [f"rec-{row:04d}" for row in range(N)])
    table["customer_no"] = (rng.permutation(900_000)[:N] + 100_000).astype(str)
    table["email"] = [f"p{rng.integers(10**6)}@mail{row % 5}.example" for row in range(N)]
    table["surname"] = rng.choice([f"Name{each}" for each in range(300)], N)
    table["label"] = rng.integers(2, size=N)
    return table


def audited(
    folder: Path,
    table: pd.DataFrame,
    *,
    gone: tuple[int, ...] = GONE,
    files: dict[str, bytes] | None = None,
    data: str = "",
    words: tuple[str, ...] = WORDS,
    further: tuple[dict[str, Any], ...] = (),
) -> tuple[Finding, Observed]:
    """What `data.erased` says of a case that deletes some rows, in a store that holds the others and some files."""
    table.to_csv(folder / "train.csv", index=False)
    (folder / "store").mkdir()
    table.drop(index=list(gone)).to_csv(folder / "store" / "people.csv", index=False)
    for name, content in (files or {}).items():
        (folder / "store" / name).write_bytes(content)
    (folder / "audit.toml").write_text(AUDIT.format(data=data, words=json.dumps(words)), encoding="utf-8")
    at = {"received_at": "2026-01-02T08:00:00Z", "executed_at": "2026-01-03T08:00:00Z"}
    rows = [{"request_id": f"R-{row}", "record_ids": [table["id"][row]], **at} for row in gone]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (*rows, *further)), encoding="utf-8")
    case = cases.read(folder)
    seen = erasure.observe(case, replays.plain(case))
    return judge(context_of_case(case), seen, {}), seen


def kept_alike(column: str, value: Any = None) -> pd.DataFrame:
    """People of whom number 300, who stays, has what number 3 has, who is deleted."""
    table = people()
    table.loc[300, column] = table.loc[3, column] if value is None else value(table.loc[3, column])
    return table


def test_numbers_that_nobody_shares_pass(tmp_path: Path) -> None:
    finding, seen = audited(tmp_path, people())
    assert (finding.status, seen.named) == (Status.PASS, ())
    assert seen.related is not None
    # Of customer number, address, surname and the digits of the id only surnames are shared, and by too many.
    assert (seen.related.tested, seen.related.columns) == (4, ())


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("customer_no", None),
        ("customer_no", lambda text: f"{text[:3]} {text[3:]}"),
        ("email", None),
        ("email", lambda text: f" {text.upper()}"),
        ("email", lambda text: text.replace("@", "+shop@")),
    ],
    ids=["number", "number with a blank", "address", "address in capitals", "address with a tag"],
)
def test_a_retained_record_with_a_deleted_persons_number_or_address_stays_open(tmp_path: Path, column: str, value: Any) -> None:
    finding, _ = audited(tmp_path, kept_alike(column, value))
    assert finding.status is Status.INCONCLUSIVE
    assert isinstance(finding.derived, Derived)
    assert finding.derived.copied is not None
    assert (finding.derived.copied.request_ids, finding.derived.any_request) == (("R-3",), False)
    assert f'1 of 3 deleted records share their value of "{column}" with retained ones' in basis(finding.reasons)


def test_parts_of_ids_are_compared_too(tmp_path: Path) -> None:
    table = people()
    table["id"] = [f"C{1000 + row}-1" for row in range(N)]
    table.loc[300, "id"] = "C1003-2"
    finding, _ = audited(tmp_path, table)
    assert finding.status is Status.INCONCLUSIVE
    assert "id, without its last part" in basis(finding.reasons)


def test_a_surname_counts_for_nothing(tmp_path: Path) -> None:
    finding, _ = audited(tmp_path, kept_alike("surname"))
    assert finding.status is Status.PASS


def test_the_controllers_word_speaks_for_it(tmp_path: Path) -> None:
    finding, _ = audited(tmp_path, kept_alike("customer_no"), words=(*WORDS, "copies-are-others"))
    assert finding.status is Status.PASS
    assert "another person's, by the controller's word (copies-are-others)" in basis(finding.reasons)


def test_declared_people_are_deleted_whole(tmp_path: Path) -> None:
    finding, seen = audited(tmp_path, kept_alike("customer_no"), data='person = "customer_no"')
    # The request of number 3 is for number 300 as well, which the store still holds.
    assert (finding.status, seen.request_ids) == (Status.FAIL, ("R-3",))


def test_a_column_that_names_another_person_for_each_record_declares_nothing(tmp_path: Path) -> None:
    table = kept_alike("customer_no")
    table["whose"] = [f"w{row}" for row in range(N)]
    finding, _ = audited(tmp_path, table, data='person = "whose"')
    assert finding.status is Status.INCONCLUSIVE


def test_a_person_whose_other_record_waits_in_the_log_is_named(tmp_path: Path) -> None:
    table = kept_alike("customer_no")
    waiting = {"request_id": "R-later", "record_ids": [table["id"][300]], "received_at": "2026-01-02T08:00:00Z"}
    finding, seen = audited(tmp_path, table, data='person = "customer_no"', further=(waiting,))
    assert seen.related is not None
    assert seen.related.parted == ("R-3",)
    assert finding.status is Status.INCONCLUSIVE
    assert "For request R-3, another record of the same person is kept." in basis(finding.reasons)


def orders(column: str, values: Any) -> bytes:
    return bytes(pd.DataFrame({"order": np.arange(len(values)), column: values}).to_csv(index=False).encode())


def in_parquet(table: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    pd.DataFrame({"customer_no": table["customer_no"][[3, 4]].astype(int).tolist()}).to_parquet(stream)
    return stream.getvalue()


def in_database(table: pd.DataFrame, folder: Path) -> bytes:
    with closing(sqlite3.connect(folder / "made.db")) as opened:
        opened.execute("CREATE TABLE people (customer_no INTEGER PRIMARY KEY)")
        opened.execute("CREATE TABLE orders (k INTEGER, who INTEGER REFERENCES people (customer_no))")
        opened.executemany("INSERT INTO orders VALUES (?, ?)", [(1, int(table["customer_no"][row])) for row in (3, 5)])
        opened.commit()
        opened.execute("VACUUM")
    return (folder / "made.db").read_bytes()


@pytest.mark.parametrize(
    ("form", "column"),
    [
        ("orders.csv", "customer_no"),
        ("orders.csv.gz", "customer_no"),
        ("orders.jsonl", "customer_no"),
        ("orders.parquet", "customer_no"),
        ("orders.db", "orders.who"),
        ("bought.csv", "who"),
        ("notes.csv", None),
    ],
)
def test_a_row_of_the_store_that_names_a_deleted_person_by_number_fails(tmp_path: Path, form: str, column: str | None) -> None:
    table = people()
    numbers = table["customer_no"][[3, *range(4, 24)]].tolist()
    made = {
        "orders.csv": lambda: orders("customer_no", numbers[:3]),
        "orders.csv.gz": lambda: gzip.compress(orders("customer_no", numbers[:3])),
        "orders.jsonl": lambda: json.dumps({"order": 1, "buyer": {"customer_no": int(numbers[0])}}).encode(),
        "orders.parquet": lambda: in_parquet(table),
        "orders.db": lambda: in_database(table, tmp_path),
        "bought.csv": lambda: orders("who", numbers),
        "notes.csv": lambda: orders("note", [f"Wrote to {table['email'][3]} on Monday"]),
    }
    finding, seen = audited(
        tmp_path, table, files={form: made[form]()}, data='store_columns = ["order", "who", "note", "buyer", "k"]'
    )
    assert (finding.status, seen.request_ids) == (Status.FAIL, ("R-3",))
    if column is None:
        # A text that no remaining record has gives its person away by itself, in any cell; here it is part of one.
        assert [(each.column, each.links) for each in seen.named] == [(None, "email")]
    else:
        assert [(each.column, each.links) for each in seen.named] == [(column, "customer_no")]
    assert Message("data.erased.place.store", {"path": f"store/{form}"}) in [each.place for each in seen.named]
    assert form in basis(finding.reasons)


@pytest.mark.parametrize("form", ["orders.csv", "orders.jsonl", "orders.parquet", "orders.npz", "orders.db"])
@pytest.mark.parametrize(("row", "status"), [(3, Status.FAIL), (6, Status.PASS)], ids=["a deleted person's", "a kept one's"])
def test_a_number_with_a_point_is_the_number(tmp_path: Path, form: str, row: int, status: Status) -> None:
    """As pandas writes a column with an empty cell: 1041.0 is 1041, and no 10410."""
    table = people()
    table.loc[6, "customer_no"] = "210411"
    table.loc[3, "customer_no"] = "2104110" if row == 6 else table["customer_no"][3]
    number = float(table["customer_no"][row])
    frame = pd.DataFrame({"customer_no": [number, float("nan")]})
    path = tmp_path / form
    if form == "orders.csv":
        frame.to_csv(path, index=False)
    elif form == "orders.jsonl":
        path.write_text(json.dumps({"customer_no": number}), encoding="utf-8")
    elif form == "orders.parquet":
        frame.to_parquet(path)
    elif form == "orders.npz":
        np.savez(path, customer_no=frame["customer_no"].to_numpy())
    else:
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE orders (customer_no REAL)")
            database.execute("INSERT INTO orders VALUES (?)", (number,))
            database.commit()
    content = path.read_bytes()
    path.unlink()
    _, seen = audited(tmp_path, table, files={form: content}, data='store_columns = ["customer_no"]')
    assert seen.request_ids == (("R-3",) if status is Status.FAIL else ())


def test_a_column_with_empty_cells_is_searched_by_and_one_of_numbers_alone_by_its_name(tmp_path: Path) -> None:
    table = people().drop(columns=["customer_no", "surname"])
    table["contact"] = [f"p{row}@mail.example" if row % 30 else "" for row in range(N)]
    note = orders("note", [f"Wrote to {table['contact'][3]}"])
    (tmp_path / "words").mkdir()
    _, seen = audited(tmp_path / "words", table.drop(columns="email"), files={"notes.csv": note})
    assert seen.request_ids == ("R-3",)
    plain = people().drop(columns=["email", "surname"]).rename(columns={"d": "old", "customer_no": "d"})
    plain = plain.drop(columns="old").rename(columns={"d": "customer_id"})
    named = Numbers.of(dataset_of(plain, ["a", "b", "c", "customer_id"]), np.array([3]), names=["a", "b", "c", "customer_id"])
    assert list(named.by_column) == ["customer_id"]
    assert named.by_column["customer_id"] == {plain["customer_id"][3]: frozenset({"rec-0003"})}


def dataset_of(table: pd.DataFrame, columns: list[str]) -> Dataset:
    return Dataset(table[columns].astype(float).to_numpy(), table["label"].to_numpy(), table["id"].to_numpy().astype(str))


@pytest.mark.parametrize("strangers", [0, 900])
def test_long_lists_of_numbers_that_are_mostly_peoples_refer_to_them(tmp_path: Path, strangers: int) -> None:
    known = frozenset(str(each) for each in range(100_003, 1_100_003, 500))
    held = {str(each) for each in range(100_003, 1_000_003, 500)} | {str(each) for each in range(500_000, 500_000 + strangers)}
    path = tmp_path / "orders.csv"
    path.write_text("who\n" + "\n".join(sorted(held)), encoding="utf-8")
    numbers = Numbers({"customer_no": {"100003": frozenset({"rec-3"})}}, {"customer_no": known})
    found = numbers.named_in(path, path.read_bytes())
    assert (found is not None) is (strangers == 0)
    # Of numbers that are next to each other any column of numbers of that size has some.
    dense = Numbers(numbers.by_column, {"customer_no": frozenset(map(str, range(100_000, 1_000_000)))})
    assert dense.named_in(path, path.read_bytes()) is None
    wide = Numbers({"customer_no": {"100003": frozenset({"rec-3"})}}, {"customer_no": known | {"9" * 5_000}})
    assert (wide.named_in(path, path.read_bytes()) is not None) is (strangers == 0)


def test_orders_of_people_who_stay_and_of_strangers_are_nobodys_number(tmp_path: Path) -> None:
    table = people()
    numbers = [*table["customer_no"][5:25], "1", "2", "3"]
    amounts = orders("amount", [int(table["customer_no"][3]), *np.random.default_rng(9).integers(100_000, 1_000_000, 40)])
    finding, seen = audited(
        tmp_path,
        table,
        files={"orders.csv": orders("customer_no", numbers), "amounts.csv": amounts},
        data='store_columns = ["order", "amount"]',
    )
    assert (finding.status, seen.named) == (Status.PASS, ())


def test_amounts_are_no_numbers_of_people(tmp_path: Path) -> None:
    table = people()
    table["income"] = np.random.default_rng(4).permutation(10**6)[:N]
    finding, seen = audited(
        tmp_path, table, files={"new.csv": orders("income", table["income"][[3, 4]].tolist())}, data='store_columns = ["order"]'
    )
    assert (finding.status, seen.named) == (Status.PASS, ())


def column(found: int, usual: int, among: int = 0, name: str = "number") -> RelatedColumn:
    return RelatedColumn(
        column=name, found=found, usual=usual, among_retained=among, of_people=True, request_ids=("R-1",) if found else ()
    )


def related(*columns: RelatedColumn, deleted: int = 20, retained: int = 980, tested: int = 2, **more: Any) -> Related:
    return Related(deleted=deleted, retained=retained, tested=tested, by_person=False, columns=columns, **more)


def test_more_than_chance_counts_at_the_level_of_the_ledger() -> None:
    for found in range(1, 6):
        p = larger_share_p(found, 20, 8, 980)
        because = [each.because for each in counted(related(column(found, 8, 6)))]
        assert because == (["more"] if p <= share("related-rows") / 2 else [])


def test_a_column_that_many_share_says_nothing() -> None:
    assert counted(related(column(20, 40, 9))) != ()
    assert counted(related(column(20, 40, 10))) == ()


def test_where_nobody_else_shares_one_pair_counts_as_far_as_it_is_rare() -> None:
    assert [each.because for each in counted(related(column(1, 1)))] == ["alone"]
    assert counted(related(column(1, 1), deleted=100, retained=900)) == ()
    assert [each.because for each in counted(related(column(1, 1), deleted=2, retained=20))] == ["alone"]
    # Amounts may be the same by chance.
    assert counted(related(column(1, 1).model_copy(update={"of_people": False}))) == ()
    # What it adds is in the ledger.
    (level,) = levels(related(column(1, 1)))
    assert level.effect is Effect.LEAVES_OPEN
    assert level.level == pytest.approx(share("related-rows") + larger_share_p(1, 20, 1, 980))
    assert levels(None) == ()
    assert levels(related(tested=0)) == ()


def numbered(n: int, shared: int, of: int, *, rng: np.random.Generator, name: str = "customer_no") -> Dataset:
    """Records with a number each, of which some are shared by several."""
    numbers = np.arange(n)
    several = rng.permutation(n)[: of * shared].reshape(of, shared)
    numbers[several] = numbers[several[0]]
    column = Column(name, Kind.INTEGER, -1.0)
    return Dataset(numbers[:, None].astype(float), np.zeros(n), np.array([f"{row}" for row in range(n)]), table=(column,))


def deleting(train: Dataset, gone: np.ndarray[Any, Any]) -> Related:
    log = [Request(2, "R", tuple(train.ids[gone].tolist()), datetime(2026, 1, 2, tzinfo=UTC))]
    seen = related_rows(train, np.sort(gone), log)
    assert seen is not None
    return seen


def test_records_deleted_at_random_stay_open_as_often_as_the_ledger_says() -> None:
    rng = np.random.default_rng(7)
    opened, spent = [], []
    for _ in range(400):
        n, pairs = int(rng.integers(100, 600)), int(rng.integers(0, 4))
        train = numbered(n, pairs, 2, rng=rng, name=str(rng.choice(["customer_no", "income"])))
        seen = deleting(train, rng.permutation(n)[: int(rng.integers(1, 30))])
        opened.append(bool(counted(seen)))
        spent.append(sum(each.level for each in levels(seen)))
    assert np.mean(opened) <= np.mean(spent) + 3 * np.sqrt(np.mean(spent) / 400)


@pytest.mark.parametrize(("n", "shared", "of", "deleted"), [(100, 2, 2, 9), (30, 1, 2, 2), (30, 3, 2, 5), (40, 1, 4, 6)])
def test_the_ledger_says_the_same_of_a_table_whichever_records_are_deleted(n: int, shared: int, of: int, deleted: int) -> None:
    # Where both records of a pair are kept, too, the column might have counted.
    rng = np.random.default_rng(3)
    train = numbered(n, shared, of, rng=rng)
    drawn = [deleting(train, rng.permutation(n)[:deleted]) for _ in range(300)]
    stated = {each.level for seen in drawn for each in levels(seen)}
    assert len(stated) == 1
    (level,) = stated
    assert np.mean([bool(counted(seen)) for seen in drawn]) <= level + 3 * np.sqrt(level / 300)
    assert level > share("related-rows") or not any(map(counted, drawn))


def test_a_value_is_compared_by_letters_and_digits() -> None:
    assert plain(" A-10 01 ") == plain("a1001")
    assert plain("me+news@shop.example") == plain("ME@shop.example")
    assert plain("+49 30 1") == "49301"


def test_what_was_observed_is_held_together() -> None:
    with pytest.raises(ValueError, match="named by a request"):
        RelatedColumn(column="x", found=1, usual=1, among_retained=0)
    with pytest.raises(ValueError, match="no more columns"):
        related(column(1, 1), tested=0)
