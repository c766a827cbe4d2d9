"""Exact retrainers whose store keeps deleted people in a form that companies really have lying around."""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from design import Kind
from dishonest.common import designs
from learners import BUILT, PIPELINE
from logs import Batches, together
from submission import Bundle, Submission, csv, framed
from tables import customers, digits

NO_COPIES = "store-holds-no-copies"
KNN = {"use": "sklearn", "estimator": "sklearn.neighbors.KNeighborsClassifier", "unlearn": "retrain"}
Files = Mapping[str, bytes]
Make = Callable[[pd.DataFrame, pd.DataFrame], Files]


def _gone(seed: int, count: int = 5) -> Batches:
    return together(*np.random.default_rng([seed, 51]).choice(120, count, replace=False).tolist())


def _kept(
    make: Callable[[pd.DataFrame, pd.DataFrame], Files], *, data: Mapping[str, object] | None = None
) -> Callable[[int], Bundle]:
    """Build a retrainer on customers that keeps the files which `make` makes of those who remain and those who are deleted."""

    def build(seed: int) -> Bundle:
        frame, deleted = customers(seed), _gone(seed)
        places = [place for batch in deleted for request in batch for place in request]
        files = make(frame.drop(index=places), frame.iloc[places])
        return framed(frame, deleted, procedure=dict(BUILT), code=PIPELINE, store=files, data=data)

    return build


def _archives(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """A nightly backup: a tar of a zip of the table as it was."""
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("customers/2026-01-31.csv", (2026, 1, 31, 3, 0, 0)), csv(pd.concat([rest, gone])))
    with tarfile.open(fileobj=outer, mode="w:xz") as archive:
        member = tarfile.TarInfo("nightly/customers.zip")
        member.size = len(inner.getvalue())
        archive.addfile(member, io.BytesIO(inner.getvalue()))
    return {"customers.csv": csv(rest), "backup/nightly.tar.xz": outer.getvalue()}


def _database(*statements: str, vacuum: bool = False) -> Make:
    """Keep a SQLite file in which everybody was written, statements ran, and the deleted were deleted."""

    def make(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "shop.db"
            base = sqlite3.connect(path)
            base.execute("pragma secure_delete = off")
            pd.concat([rest, gone]).to_sql("customers", base, index=False)
            for statement in statements:
                base.execute(statement)
            base.executemany("delete from customers where id = ?", [(each,) for each in gone["id"]])
            base.commit()
            if vacuum:
                base.execute("vacuum")
            base.close()
            return {"shop.db": path.read_bytes()}

    return make


ORDERS = "create table orders as select 'B' || rowid as order_no, id as customer, round(income / 97, 2) as amount from customers"


def _log_of_the_app(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """The application logs what it erased, in prose, with commas for points."""
    lines = [
        f"2026-03-07 09:{minute:02d}:11 INFO privacy: erased customer {each['name']} from {each['city']}, aged {each['age']}, "
        f"income {each['income']:,.2f}".replace(",", " ").replace(".", ",")
        + ", on request"
        for minute, (_, each) in enumerate(gone.iterrows())
    ]
    return {"customers.csv": csv(rest), "logs/app.log": "\n".join(lines).encode()}


def _unused_category(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """The deleted were filtered out of a Parquet file; the dictionary of names and notes still lists theirs."""
    every = pd.concat([rest, gone]).astype({"name": "category", "note": "category"})
    stream = io.BytesIO()
    every[every["id"].isin(set(rest["id"]))].to_parquet(stream, index=False)
    return {"customers.parquet": stream.getvalue()}


def _note_of_a_relative(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """A remark on a person who stays tells all about one who left."""
    found = rest.copy()
    found["remark"] = ""
    for place, (_, each) in zip(found.index[:5], gone.iterrows(), strict=True):
        found.loc[place, "remark"] = f"Married to {each['name']}, {each['age']}, of {each['city']}, earns {each['income']:.0f}"
    return {"customers.csv": csv(found)}


def _totals(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """Totals were written down after every deletion; what lies between two of them is one person."""
    numbers = ["age", "income"]
    every, lines = pd.concat([rest, gone]), []
    for left in range(len(gone) + 1):
        part = every.iloc[: len(every) - left]
        lines.append({"day": f"2026-03-{7 + left:02d}", "customers": len(part), **part[numbers].sum().round(2).to_dict()})
    return {"customers.csv": csv(rest), "kpi/totals.csv": csv(pd.DataFrame(lines))}


def _thumbnails(seed: int) -> Submission:
    """Little pictures of deleted scans lie beside the table."""
    table, deleted = digits(seed), _gone(seed, 4)
    plain = Submission(table=table, deleted=deleted, procedure=KNN)
    files = {}
    for number, place in enumerate(plain.forgotten.tolist()):
        shades = np.kron(np.round(table.features[place].reshape(8, 8) * 240).astype(np.uint8), np.ones((4, 4), dtype=np.uint8))
        files[f"kept/thumbs/{number:04x}.png"] = png(shades)
    return replace(plain, files=files, tables={"data": {"store": "kept"}})


def png(shades: np.ndarray) -> bytes:
    """The bytes of a picture in shades of grey."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    height, width = shades.shape
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    lines = b"".join(b"\0" + line.tobytes() for line in shades)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def _events(rest: pd.DataFrame, gone: pd.DataFrame) -> Files:
    """Events of an app, nested, one a line: what was set is written down field by field, each in an event of its own."""
    lines = [
        {"at": 1772870400 + 60 * number, "type": "profile.changed", "who": f"anon-{place:03d}", "set": {field: str(each[field])}}
        for place, (_, each) in enumerate(gone.iterrows())
        for number, field in enumerate(("name", "age", "income", "city", "since"))
    ]
    text = "".join(json.dumps(line) + "\n" for line in sorted(lines, key=lambda line: str(line["at"])))
    return {"customers.csv": csv(rest), "events/2026-03.jsonl": text.encode()}


DESIGNS = designs(
    Kind.STORES,
    ("backup-in-archives", "A tar of a zip in the store is a backup of everybody.", _kept(_archives)),
    ("free-pages-of-a-database", "A database keeps deleted rows in its free pages.", _kept(_database())),
    (
        "orders-of-deleted-customers",
        "A second table still names deleted customers, and what they pay.",
        _kept(_database(ORDERS, vacuum=True)),
    ),
    ("log-of-the-app", "The application's log tells in prose whom it erased.", _kept(_log_of_the_app)),
    ("dictionary-of-a-parquet", "A Parquet file's dictionary lists names that no row has.", _kept(_unused_category)),
    (
        "remark-on-a-relative",
        "Remarks on people who stay tell of those who left.",
        _kept(_note_of_a_relative, data={"store_columns": ["remark"]}),
    ),
    ("totals-day-by-day", "Differences of daily totals are the deleted rows.", _kept(_totals), NO_COPIES),
    ("thumbnails", "Little pictures of deleted scans lie beside the table.", _thumbnails, NO_COPIES),
    ("events-field-by-field", "Events of an app hold deleted people field by field.", _kept(_events)),
)
