"""A store of text is explained where one writer could have written it, and left open where spelling could hold a record."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_store_accounts import NAMES, TRAIN, account, database, frame

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing import limited_reading, vector_stores
from auditor.parts.store.observing.number_forms import NUMBERS
from auditor.parts.store.observing.people import People
from auditor.parts.store.readers.contents import Contents, Lies
from auditor.parts.store.readers.contents import Rows as Held

COUNT: Final = 300
GONE: Final = 3
RNG: Final = np.random.default_rng(8)
VALUES: Final = np.column_stack([
    RNG.normal(size=COUNT) * 10.0 ** RNG.integers(-7, 9, COUNT), RNG.integers(0, 900_000, COUNT) * 1.0,
    np.round(RNG.normal(size=COUNT), 2),
])  # fmt: skip
MANY: Final = Dataset(VALUES, np.arange(COUNT) % 2, np.array([f"rec-{at:05d}/ü" for at in range(COUNT)]))
HELD: Final = np.unpackbits(np.frombuffer(VALUES[:GONE].tobytes(), np.uint8)).tolist() * 20
"""The deleted rows, bit by bit."""


def people() -> People:
    retained = np.arange(COUNT) >= GONE
    return People(
        train=MANY, retained=retained, gone=frozenset(MANY.ids[:GONE].tolist()), features=NAMES, labels=frozenset({"0", "1"}),
        columns={"id": "id", "label": "label", "note": "declared", **dict.fromkeys(NAMES, "feature")},
        places={record: at for at, record in enumerate(MANY.ids.tolist())},
    )  # fmt: skip


def table() -> pd.DataFrame:
    found = pd.DataFrame(VALUES[GONE:], columns=list(NAMES))
    found.insert(0, "id", MANY.ids[GONE:].tolist())
    return found.assign(label=MANY.labels[GONE:])


def explained(kept: Kept) -> bool:
    return kept.unexplained == 0 and not with_room((kept,))


def by_csv(rows: list[list[str]] | None = None, **style: Any) -> bytes:
    stream = io.StringIO(newline="")
    given = table().astype(object).to_numpy().tolist() if rows is None else rows
    csv.writer(stream, **style).writerows([list(table().columns), *given])
    return stream.getvalue().encode()


def by_json(**style: Any) -> bytes:
    return "".join(json.dumps(row, **style) + "\n" for row in table().to_dict("records")).encode()


def by_array(**style: Any) -> bytes:
    return json.dumps(table().to_dict("records"), **style).encode()


def in_form(form: Callable[[float], str], *, quoted: bool = False) -> bytes:
    cells = table()
    for name in NAMES:
        cells[name] = [form(each) for each in cells[name]]
    if not quoted:
        return by_csv(cells.astype(str).to_numpy().tolist(), lineterminator="\n")
    cells = cells.assign(id=[f'"{each}"' for each in cells["id"]])
    return ('"id","x0","x1","x2","label"\n' + "".join(",".join(map(str, row)) + "\n" for row in cells.to_numpy())).encode()


def whole_without_point() -> bytes:
    return bytes(table().assign(x1=lambda each: each["x1"].astype(int)).to_csv(index=False).encode())


def few_odd_cells() -> bytes:
    """Two cells that somebody typed."""
    cells = [list(map(str, row)) for row in table().astype(object).to_numpy().tolist()]
    cells[40][3] += "0"
    cells[200][2] = cells[200][2].removesuffix(".0")
    return by_csv(cells)


def some_keys_missing() -> bytes:
    rows = [row if at % 3 else {**row, "note": "new"} for at, row in enumerate(table().to_dict("records"))]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def by_pandas(**style: Any) -> bytes:
    return bytes(table().to_csv(index=False, **style).encode())


HONEST: Final[dict[str, Callable[[], bytes]]] = {
    "pandas.csv": by_pandas,
    "pandas, all quoted.csv": lambda: by_pandas(quoting=csv.QUOTE_ALL),
    "pandas, text quoted.csv": lambda: by_pandas(quoting=csv.QUOTE_NONNUMERIC),
    "pandas, three decimals.csv": lambda: by_pandas(float_format="%.3f"),
    "pandas, powers.csv": lambda: by_pandas(float_format="%.17g"),
    "pandas, lines of Windows.csv": lambda: by_pandas(lineterminator="\r\n"),
    "pandas.tsv": lambda: by_pandas(sep="\t"),
    "pandas, whole numbers.csv": whole_without_point,
    "csv.csv": by_csv,
    "csv, all quoted.csv": lambda: by_csv(quoting=csv.QUOTE_ALL),
    "csv, text quoted.csv": lambda: by_csv(quoting=csv.QUOTE_NONNUMERIC),
    "a spreadsheet.csv": lambda: b"\xef\xbb\xbf" + by_csv(lineterminator="\r\n"),
    "no end of the last line.csv": lambda: by_csv().rstrip(),
    "R.csv": lambda: in_form(NUMBERS[4], quoted=True),
    "JavaScript.csv": lambda: in_form(NUMBERS[5]),
    "Java.csv": lambda: in_form(NUMBERS[6]),
    "a few odd cells.csv": few_odd_cells,
    "json.jsonl": by_json,
    "json, sorted.jsonl": lambda: by_json(sort_keys=True),
    "jq.jsonl": lambda: by_json(separators=(",", ":"), ensure_ascii=False),
    "pandas.jsonl": lambda: table().to_json(orient="records", lines=True).encode(),
    "pandas, all digits.jsonl": lambda: table().to_json(orient="records", lines=True, double_precision=15).encode(),
    "some keys missing.jsonl": some_keys_missing,
    "json.json": by_array,
    "json, in lines.json": lambda: by_array(indent=2),
    "json, by tabs.json": lambda: by_array(indent="\t", ensure_ascii=False),
    "jq.json": lambda: by_array(separators=(",", ":"), ensure_ascii=False),
    "slashes escaped.json": lambda: by_array().replace(b"/", b"\\/"),
    "backslashes in front of slashes.json": lambda: json.dumps(
        [{**row, "note": "a\\/b"} for row in table().to_dict("records")]
    ).encode(),
    "whole numbers.json": lambda: json.dumps(table().astype({"x1": int}).to_dict("records")).encode(),
    "numbers as text.json": lambda: json.dumps(
        [dict(zip(row, map(str, row.values()), strict=True)) for row in table().to_dict("records")]
    ).encode(),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_one_writer_wrote_is_explained(name: str, tmp_path: Path) -> None:
    found = account(tmp_path, name, HONEST[name](), people())
    assert explained(found), (found.unexplained, found.spare)


@pytest.mark.parametrize(
    ("form", "value", "written"),
    [(4, 100000.0, "1e+05"), (4, 123456.0, "123456"), (4, 0.1 + 0.2, "0.3"), (4, 1e-5, "1e-05"), (4, 0.0, "0"),
     (5, 1e-7, "1e-7"), (5, 1e-6, "0.000001"), (5, 1e21, "1e+21"), (5, 1e20, "100000000000000000000"), (5, -0.5, "-0.5"),
     (6, 1e-5, "1.0E-5"), (6, 1e7, "1.0E7"), (6, 12345678.5, "1.23456785E7"), (6, 0.001, "0.001"), (6, 0.0, "0.0")],
)  # fmt: skip
def test_numbers_as_other_languages_write_them(form: int, value: float, written: str) -> None:
    assert NUMBERS[form](value) == written


def with_cells(change: Callable[[str, int], str]) -> bytes:
    """CSV whose cells of numbers say something each, one bit after the other."""
    lines, bits = by_csv(lineterminator="\n").decode().splitlines(), iter(HELD)
    return "\n".join(
        [lines[0], *(",".join(change(cell, next(bits)) if at in {1, 2, 3, 4} else cell for at, cell in enumerate(line.split(",")))
                     for line in lines[1:]), ""]
    ).encode()  # fmt: skip


def with_ends(first: str, second: str) -> bytes:
    lines, bits = by_csv(lineterminator="\n").decode().splitlines(), iter(HELD)
    return "".join(line + (first if next(bits) else second) for line in lines).encode()


def with_lines(change: Callable[[dict[str, Any], int], str]) -> bytes:
    return "".join(change(row, bit) + "\n" for row, bit in zip(table().to_dict("records"), HELD, strict=False)).encode()


def with_records(change: Callable[[dict[str, Any], int], dict[str, Any]]) -> bytes:
    return json.dumps([change(row, bit) for row, bit in zip(table().to_dict("records"), HELD, strict=False)]).encode()


def with_some_slashes_escaped() -> bytes:
    first, *others = by_array().decode().split("/")
    return (first + "".join("\\/"[1 - bit :] + each for bit, each in zip(HELD, others, strict=False))).encode()


def with_keys_in_order(row: dict[str, Any], bit: int) -> str:
    return json.dumps(dict(reversed(row.items())) if bit else row)


SPELT: Final[dict[str, Callable[[], bytes]]] = {
    "a sign.csv": lambda: with_cells(lambda cell, bit: "+" * (bit and cell[0] != "-") + cell),
    "quotes.csv": lambda: with_cells(lambda cell, bit: f'"{cell}"' if bit else cell),
    "zeros in front.csv": lambda: with_cells(lambda cell, bit: "0" * (bit and cell[0] != "-") + cell),
    "zeros behind.csv": lambda: with_cells(lambda cell, bit: cell + "0" * (bit and "." in cell and "e" not in cell)),
    "powers.csv": lambda: with_cells(lambda cell, bit: cell + "e0" * (bit and "e" not in cell)),
    "capitals.csv": lambda: with_cells(lambda cell, bit: f"{float(cell):.17{'Ee'[bit]}}"),
    "blanks.csv": lambda: with_cells(lambda cell, bit: " " * bit + cell),
    "blanks behind.csv": lambda: with_cells(lambda cell, bit: cell + " " * bit),
    "a point.csv": lambda: with_cells(lambda cell, bit: cell.removesuffix(".0") if bit else cell),
    "other digits.csv": lambda: with_cells(lambda cell, bit: cell.replace("1", "\u0661") if bit else cell),
    "low lines.csv": lambda: with_cells(lambda cell, bit: f"{cell[:-1]}_{cell[-1]}" if bit and cell[-2:].isdigit() else cell),
    "digits beyond.csv": lambda: with_cells(lambda cell, bit: f"{float(cell):.17g}" if bit else cell),
    "zeros with a sign.csv": lambda: with_cells(lambda cell, bit: "-0" if bit and cell == "0" else cell),
    "ends of lines.csv": lambda: with_ends("\r\n", "\n"),
    "old ends of lines.csv": lambda: with_ends("\r", "\n"),
    "lines between.csv": lambda: with_ends("\n\n", "\n"),
    "a sign.tsv": lambda: with_cells(lambda cell, bit: "+" * (bit and cell[0] != "-") + cell).replace(b",", b"\t"),
    "order of keys.jsonl": lambda: with_lines(with_keys_in_order),
    "spaces.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row, separators=((", ", ",")[bit], ":"))),
    "spaces at the end.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row) + " " * bit),
    "escapes.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row, ensure_ascii=bool(bit))),
    "letters escaped.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row).replace("rec", "\\u0072ec"[: 8 * bit] or "rec")),
    "capital escapes.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row).replace("00fc", ("00fc", "00FC")[bit])),
    "slashes.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row).replace("/", "\\/"[1 - bit :])),
    "powers.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row)[:-1] + "e0" * bit + "}"),
    "numbers as text.jsonl": lambda: with_lines(lambda row, bit: json.dumps({**row, "x1": str(row["x1"]) if bit else row["x1"]})),
    "no value or no key.jsonl": lambda: with_lines(lambda row, bit: json.dumps({**row, "note": None} if bit else row)),
    "ends of lines.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row) + "\r" * bit),
    "numbers as text.json": lambda: with_records(lambda row, bit: {**row, "x1": str(row["x1"]) if bit else row["x1"]}),
    "blanks behind.json": lambda: with_records(lambda row, bit: {**row, "x1": f"{row['x1']}" + "\t" * bit}),
    "a sign.json": lambda: with_records(lambda row, bit: {**row, "x1": "+" * bit + f"{row['x1']}"}),
    "a point.json": lambda: with_records(lambda row, bit: {**row, "x1": int(row["x1"]) if bit else row["x1"]}),
    "labels as text.json": lambda: with_records(lambda row, bit: {**row, "label": str(row["label"]) if bit else row["label"]}),
    "order of keys.json": lambda: with_records(lambda row, bit: dict(reversed(row.items())) if bit else row),
    "slashes.json": with_some_slashes_escaped,
    "other ends of lines.jsonl": lambda: with_lines(lambda row, bit: json.dumps(row) + "\x0b" * bit),
}  # fmt: skip


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("name", SPELT)
def test_deleted_rows_in_how_cells_are_spelled_are_left_open(name: str, tmp_path: Path) -> None:
    assert not explained(account(tmp_path, name, SPELT[name](), people()))


@pytest.mark.attempt("spelling of cells")
def test_a_key_that_stands_twice_in_a_line_is_left_open(tmp_path: Path) -> None:
    content = with_lines(lambda row, bit: json.dumps(row)[:-1] + ', "label": 0' * bit + "}")
    assert account(tmp_path, "store.jsonl", content, people()).unexplained == len(content)


@pytest.mark.attempt("spelling of cells")
def test_one_form_for_each_column_is_counted_as_well(tmp_path: Path) -> None:
    """A table of many columns could say something by the form of each."""
    names = [f"y{at}" for at in range(60)]
    wide = Dataset(np.tile(VALUES[:, 2:], 60), MANY.labels, MANY.ids)
    who = People(**{**{each: getattr(people(), each) for each in People.__slots__}, "train": wide, "features": tuple(names),
                    "columns": {"id": "id", "label": "label", **dict.fromkeys(names, "feature")}})  # fmt: skip
    cells = pd.DataFrame({"id": MANY.ids, **{name: wide.features[:, at] for at, name in enumerate(names)}, "label": MANY.labels})
    assert explained(account(tmp_path, "plain.csv", cells[GONE:].to_csv(index=False).encode(), who))
    for at, name in enumerate(names):
        cells[name] = [f"{each:.{2 + HELD[at] + 2 * HELD[at + 60]}f}" for each in cells[name]]
    assert not explained(account(tmp_path, "forms.csv", cells[GONE:].to_csv(index=False).encode(), who))


@pytest.mark.attempt("spelling of cells")
@pytest.mark.parametrize("name", ["store.parquet", "store.db"])
def test_numbers_as_text_are_spelled_as_one_writer_does(name: str, tmp_path: Path) -> None:
    plain = table().assign(x1=[repr(each) for each in table()["x1"]])
    signs = plain.assign(x1=["+" * bit + cell for bit, cell in zip(HELD, plain["x1"], strict=False)])
    found = []
    for each in (plain, signs):
        content = database(tmp_path, each) if name == "store.db" else each.to_parquet(index=False)
        (tmp_path / "made.db").unlink(missing_ok=True)
        found.append(bool(with_room((account(tmp_path, name, content, people()),))))
    assert found == [False, True]


def test_zeros_have_the_sign_that_the_training_data_give_them(tmp_path: Path) -> None:
    assert not np.any(TRAIN.features == 0)
    own = Dataset(np.where(VALUES > 0, -0.0, VALUES), MANY.labels, MANY.ids)
    who = People(**{**{each: getattr(people(), each) for each in People.__slots__}, "train": own})
    cells = table()
    cells[list(NAMES)] = own.features[GONE:]
    assert explained(account(tmp_path, "store.csv", cells.to_csv(index=False).encode(), who))


def test_a_table_without_rows_says_nothing(tmp_path: Path) -> None:
    assert account(tmp_path, "store.csv", frame()[:0].to_csv(index=False).encode(), people()).spare == ()


@pytest.mark.attempt("files that hide")
def test_numbers_that_a_vector_store_keeps_as_text_are_spelled_in_one_way() -> None:
    """As Chroma keeps metadata, and Lance a column of text."""
    rows = [{name: str(value) for name, value in row.items()} for row in table().to_dict("records")]

    def kept(changed: list[dict[str, str]]) -> Kept:
        held = Held("people", Lies.LIVE, len(changed), fields=tuple(changed))
        found = vector_stores.rows(Contents("Lance", (held,), 1 << 16), people())
        return limited_reading.account_rows(found, 1 << 16, people(), Message("data.erased.place.state"))

    assert explained(kept(rows))
    secret = [{**row, NAMES[0]: row[NAMES[0]] + "0" * bit} for row, bit in zip(rows, HELD, strict=False)]
    assert not explained(kept(secret))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_positional_numbers_are_those_of_numpy(value: float) -> None:
    for form, trim in zip(NUMBERS[2:4], "0-", strict=True):
        assert form(value) == np.format_float_positional(value, trim=trim)  # type: ignore[arg-type]
