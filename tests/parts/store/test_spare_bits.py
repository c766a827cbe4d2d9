"""What a database's own numbers could carry is counted to the bit, and no more than a few bits of it pass."""

from __future__ import annotations

import itertools
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pytest
from test_accounting import EQUAL, derived, found, kept, room
from test_database_pages import COUNT, GONE, KEYED, OWN, TABLE, TRAIN, account, made

from auditor.base.domain import Message, Status
from auditor.pages.words import basis
from auditor.parts.store.judging import accounting
from auditor.parts.store.judging.accounting import SPARE_EACH, SPARE_IN_ALL, Kept, Spare
from auditor.parts.store.observing import spare_bits

SECRET: Final = b"rec-00001 0.5318"
LEFT: Final = COUNT - GONE


def again(path: Path) -> bytes:
    """The database as another one that its dump makes."""
    new = path.with_name("new.db")
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(new)) as other:
        other.executescript("\n".join(old.iterdump()))
    return new.read_bytes()


def roomy(account: Kept) -> bool:
    """Whether anything of it is left open."""
    return account.unexplained > 0 or bool(accounting.with_room((account,)))


def by_pandas(path: Path) -> bytes:
    frame = pd.DataFrame(np.round(TRAIN.features[GONE:]), columns=["x0", "x1", "x2"])
    frame = frame.assign(id=TRAIN.ids[GONE:], label=TRAIN.labels[GONE:])
    with closing(sqlite3.connect(path)) as opened:
        frame.to_sql("people", opened, index=False)
    return path.read_bytes()


def row_by_row(path: Path) -> bytes:
    """As a program writes it that commits each row."""
    made(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        for each in range(2000):
            opened.execute("UPDATE people SET label = label WHERE rowid = ?", (each % LEFT + 1,))
        opened.execute("VACUUM")
    return path.read_bytes()


SCATTERED: Final = "DELETE FROM people WHERE id IN ('rec-00100', 'rec-00222', 'rec-00417')"
WHOLE: Final = "UPDATE people SET x0 = round(x0), x1 = round(x1 * 1e5), x2 = 0"
NOT_FIRST: Final = "CREATE TABLE people (x0 REAL, x1 REAL, label INT, id TEXT PRIMARY KEY, x2 REAL) WITHOUT ROWID"
HONEST: Final[dict[str, Callable[[Path], bytes]]] = {
    "of a program that counts its migrations": lambda path: made(path, "PRAGMA user_version = 42", "VACUUM"),
    "of one that commits each row": row_by_row,
    "whole numbers in columns of floats": lambda path: made(path, WHOLE, "VACUUM"),
    "a key in the middle": lambda path: made(path, WHOLE, "VACUUM", table=NOT_FIRST),
    "strict": lambda path: made(path, WHOLE, "VACUUM", table=f"{TABLE} STRICT"),
    "columns without types": lambda path: made(path, WHOLE, "VACUUM", table="CREATE TABLE people (id, x0, x1, x2, label)"),
    "other types": lambda path: made(
        path, WHOLE, "VACUUM", table="CREATE TABLE people (id VARCHAR(20), x0 FLOAT, x1 DECIMAL(10, 5), x2 NUMERIC, label BIGINT)"
    ),
    "pandas": by_pandas,
    "a few people erased": lambda path: made(path, "CREATE INDEX ix_id ON people (id)", SCATTERED, "VACUUM"),
    "people erased whose ids say so": lambda path: made(
        path, "DELETE FROM people WHERE id LIKE '%7'", "VACUUM", table=KEYED
    ),
    "numbers that it gives, once rows are gone": lambda path: made(path, SCATTERED, "VACUUM", table=OWN),
    "values that are missing": lambda path: made(
        path, "UPDATE people SET note = 'seen' WHERE x0 > x1", "VACUUM", table=f"{TABLE[:-1]}, note TEXT)"
    ),
    "a column that was added at some time": lambda path: made(
        path,
        "ALTER TABLE people ADD COLUMN note TEXT",
        "INSERT INTO people SELECT *  FROM people WHERE rowid > 500",
        "VACUUM",
    ),
    "statistics": lambda path: made(path, "ANALYZE", "VACUUM", table=KEYED),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_databases_as_programs_leave_them_carry_little(name: str, tmp_path: Path) -> None:
    kept = account(HONEST[name](tmp_path / "store.db"))
    assert (kept.unexplained, roomy(kept)) == (0, False), kept


def gaps(path: Path, most: int) -> bytes:
    """Each row's number says something by how far it is from the last one."""
    made(path)
    steps = np.frombuffer(SECRET * 40, np.uint8)[:LEFT] % most + 1
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("BEGIN")
        for old, new in reversed(list(enumerate(np.cumsum(steps).tolist(), 1))):
            opened.execute("UPDATE people SET rowid = ? WHERE rowid = ?", (new, old))
        opened.execute("COMMIT")
    return vacuumed_into(path)


def vacuumed_into(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("VACUUM INTO ?", (str(path.with_name("into.db")),))
    return path.with_name("into.db").read_bytes()


def negative_numbers(path: Path) -> bytes:
    return made(path, f"UPDATE people SET rowid = -{int.from_bytes(SECRET[:7], 'big')} - rowid")


def patched(path: Path, at: int, hidden: bytes) -> bytes:
    content = path.read_bytes()
    return content[:at] + hidden + content[at + len(hidden) :]


def in_header(*places: int) -> Callable[[Path], bytes]:
    def hide(path: Path) -> bytes:
        made(path, "VACUUM")
        for each in places:
            path.write_bytes(patched(path, each, SECRET[:4]))
        return path.read_bytes()

    hide.__name__ = f"in the header at {places}"
    return hide


def in_numbers_between_pages(path: Path) -> bytes:
    """The numbers by which a row is looked up, and which none is read by."""
    content = bytearray(made(path, "VACUUM"))
    root = 1
    assert content[4096 * root] == 5
    (count,) = struct.unpack_from(">H", content, 4096 * root + 3)
    for at in struct.unpack_from(f">{count}H", content, 4096 * root + 12):
        # As long as they were: two bytes, of which the second may be any.
        content[4096 * root + at + 5] = SECRET[at % 16] & 127
    return bytes(content)


def in_the_length_of_numbers(path: Path) -> bytes:
    """A label that takes two bytes where one is enough: a query gives it the same."""
    made(path, "UPDATE people SET label = 300", "VACUUM")
    content = path.read_bytes()
    assert content.count(b"\x01\x2c") > LEFT // 2
    return content.replace(b"\x01\x2c", b"\x00\x05")


def as_floats(path: Path) -> bytes:
    """A whole number as a float, where a program would have it as a whole number."""
    content = made(path, "VACUUM")
    value = struct.pack(">d", float(TRAIN.features[77, 0]))
    return content.replace(value, struct.pack(">d", 2.0), 1)


def as_text(path: Path) -> bytes:
    made(
        path, "UPDATE people SET x0 = '12.5' WHERE rowid = 77", table="CREATE TABLE people (id TEXT, x0, x1 REAL, x2 REAL, label)"
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("PRAGMA writable_schema = ON")
        opened.execute("UPDATE sqlite_master SET sql = ?", (TABLE,))
    return path.read_bytes()


def in_a_sequence(path: Path) -> bytes:
    return made(path, f"UPDATE sqlite_sequence SET seq = {int.from_bytes(SECRET[:5], 'big') % 10**12}", "VACUUM", table=OWN)


def in_statistics(path: Path) -> bytes:
    indexes = [f"CREATE INDEX ix_x{at} ON people (x{at})" for at in range(3)]
    return made(path, *indexes, "ANALYZE", "UPDATE sqlite_stat1 SET stat = '1869768224 1701868320'", table=KEYED)


def in_upper_and_lower_case(path: Path) -> bytes:
    return made(path, table="cREatE tABlE people (id tExT, x0 rEAl, x1 ReAL, x2 REal, label iNTeGEr)")


UNTYPED: Final = "CREATE TABLE people (id, x0, x1, x2, label)"


def in_the_types_of_values(path: Path) -> bytes:
    """1, '1' and 1.0 are one label, and an id is one as text and as bytes."""
    made(path, table=UNTYPED)
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("BEGIN")
        for at in range(LEFT):
            kind = ("INTEGER", "TEXT", "REAL")[SECRET[at % 16] % 3]
            opened.execute(f"UPDATE people SET label = CAST(label AS {kind}) WHERE rowid = ?", (at + 1,))
        opened.execute("COMMIT")
        opened.execute("VACUUM")
    return path.read_bytes()


def in_ids_as_bytes(path: Path) -> bytes:
    return made(path, "UPDATE people SET id = CAST(id AS BLOB) WHERE x0 > x1", "VACUUM")


def in_fields_that_are_left_out(path: Path) -> bytes:
    """A row that was there before a column was added has no field for it; others say that it is missing."""
    return made(path, "ALTER TABLE people ADD COLUMN note TEXT", "UPDATE people SET note = NULL WHERE x0 > x1", "VACUUM")


def in_the_map_of_pages_by_what_is_missing(path: Path) -> bytes:
    content = bytearray(made(path, "VACUUM", first=("PRAGMA auto_vacuum = FULL", "PRAGMA page_size = 512")))
    assert content[512 + 10] == 5
    content[512 + 10 : 512 + 15] = bytes(5)
    return bytes(content)


def former_room(path: Path, most: int) -> tuple[bytes, int]:
    """Copies of a row that is there, each with a beginning as a page writes it over what it gives back: which one is free."""
    content = bytearray(made(path, "VACUUM"))
    size = int.from_bytes(content[16:18], "big")
    page = len(content) - size
    count, begins = struct.unpack_from(">HH", content, page + 3)
    starts = sorted(struct.unpack_from(f">{count}H", content, page + 8))
    cell = content[page + starts[0] : page + starts[1]]
    at = begins - most * len(cell)
    assert content[page] == 13
    assert at > 8 + 2 * count
    for each in range(most):
        following, end = starts[SECRET[each] % count], starts[SECRET[-each] % count]
        struct.pack_into(">HH", content, page + at, following, end - at)
        content[page + at + 4 : page + at + len(cell)] = cell[4:]
        at += len(cell)
    return bytes(content), page + at - len(cell)


def in_what_former_room_says(path: Path) -> bytes:
    return former_room(path, 12)[0]


def test_a_row_that_a_page_gave_back_may_lie_there_once(tmp_path: Path) -> None:
    """As versions of SQLite leave it that do not clear its beginning; a payload in its place is none of those."""
    content, at = former_room(tmp_path / "store.db", 1)
    assert not roomy(account(content))
    name = content.index(b"rec-", at)
    assert roomy(account(content[: name + 4] + b"00001" + content[name + 9 :]))
    assert roomy(account(content[: name + 9] + b"\x7f" * 8 + content[name + 17 :]))


def in_what_is_free_of_settings(path: Path) -> bytes:
    made(path, "VACUUM")
    return patched(path, 18, b"\x01\x02")


HIDDEN: Final = (
    *(lambda path, most=most: gaps(path, most) for most in (2, 3, 17)),
    negative_numbers,
    *(in_header(each) for each in (40, 44, 48, 52, 64, 72, 76, 80, 84, 88, 92, 96)),
    in_header(60, 68), in_header(24, 92, 60), in_header(48, 60), in_header(40, 68),
    in_numbers_between_pages, in_the_length_of_numbers, as_floats, as_text, in_a_sequence, in_statistics, in_upper_and_lower_case,
    in_what_is_free_of_settings, in_the_types_of_values, in_ids_as_bytes, in_fields_that_are_left_out,
    in_the_map_of_pages_by_what_is_missing, in_what_former_room_says,
)  # fmt: skip


@pytest.mark.attempt("numbers that a database hides")
@pytest.mark.parametrize("hide", HIDDEN)
def test_a_database_whose_own_numbers_say_something_is_left_open(hide: Callable[[Path], bytes], tmp_path: Path) -> None:
    assert roomy(account(hide(tmp_path / "store.db")))


def test_what_was_hidden_in_numbers_is_gone_once_the_database_is_dumped(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(gaps(path, 17))
    made_again = account(again(path))
    assert (made_again.unexplained, roomy(made_again)) == (0, False)
    assert not roomy(account(made(tmp_path / "other.db", "PRAGMA user_version = 1869768224", "PRAGMA user_version = 0")))


def test_numbers_that_ids_say_as_well_carry_nothing_more() -> None:
    ids = [f"C-{at}" for at in (3, 4, 9, 70, 71, 1000)]
    own = np.array([13, 14, 19, 80, 81, 1010])
    assert spare_bits.of_rows(own, ids) < 20 < spare_bits.of_rows(own, None)
    # Numbers that the ids do not have in the same order say something again.
    assert spare_bits.of_rows(own, ids[::-1]) == spare_bits.of_rows(own, None)
    assert spare_bits.of_rows(own, [*ids[:-1], "no number"]) == spare_bits.of_rows(own, None)
    assert spare_bits.of_rows(np.arange(1, 10_001), None) == 2


def test_numbers_that_the_order_of_everybodys_table_says_as_well_carry_nothing_more() -> None:
    """What VACUUM leaves of the numbers of rows are gaps where deleted people were, which the table lists."""
    everybody = [f"{at * 7919 % 1000:03d}-x" for at in range(400)]
    places = {each: at for at, each in enumerate(everybody)}
    stay = [at for at in range(400) if at % 33]
    ids, own = [everybody[at] for at in stay], np.array(stay) + 1
    assert spare_bits.of_rows(own, ids, places) < 20 < spare_bits.of_rows(own, ids)
    # Gaps that are not where the table lists others say something, and so do rows of somebody whom it does not list.
    moved = own + np.arange(len(own)) % 2
    assert spare_bits.of_rows(moved, ids, places) > 100
    assert spare_bits.of_rows(own, [*ids[:-1], "stranger"], places) == spare_bits.of_rows(own, [*ids[:-1], "stranger"])


def test_no_two_numbers_share_a_code() -> None:
    """The lengths are those of a code that tells numbers apart: Kraft's inequality."""
    assert sum(2.0 ** -spare_bits.bits_of(each) for each in range(-5000, 5001)) <= 1
    assert [spare_bits.bits_of(each) for each in (0, 1, -1, 2, 2**31)] == [1, 5, 5, 5, 43]
    rows = [spare_bits.of_rows(np.cumsum(steps), None) for steps in itertools.product((1, 2, 3), repeat=8)]
    assert sum(2.0**-each for each in rows) <= 1


def spare(bits: int, path: str = "a") -> Kept:
    place = Message("data.erased.place.store", {"path": path})
    return Kept(kind="store", place=place, bytes=9000, unexplained=0, spare=(Spare(name="user_version", bits=bits),))


def test_a_database_may_carry_few_bits_and_all_of_a_store_together_not_many() -> None:
    assert found(spare(SPARE_EACH), rooms=(room(EQUAL),)).status is Status.PASS
    one = found(spare(SPARE_EACH + 1), rooms=(room(EQUAL),))
    assert (one.status, [(each.bytes, each.word) for each in derived(one).unexplained]) == (
        Status.INCONCLUSIVE,
        [(9, "store-holds-no-copies")],
    )
    said = basis(one.reasons)
    assert "store a, 65 bits, most of them in user_version" in said
    assert "more than 64 bits in one file, or 256 in all" in said
    many = [spare(SPARE_EACH, f"{at}.db") for at in range(SPARE_IN_ALL // SPARE_EACH)]
    assert found(*many, rooms=(room(EQUAL),)).status is Status.PASS
    assert found(*many, spare(1), rooms=(room(EQUAL),)).status is Status.INCONCLUSIVE
    attested = found(*many, spare(1), rooms=(room(EQUAL),), words=("code-clean", "store-holds-no-copies"))
    assert (attested.status, len(derived(attested).by_word)) == (Status.PASS, len(many) + 1)


def test_only_a_store_has_databases() -> None:
    with pytest.raises(ValueError, match="databases lie in a store"):
        kept("state", spare=(Spare(name="user_version", bits=1),))
