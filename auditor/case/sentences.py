"""Sentences from CSV and Parquet files, as rows of numbered words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.records import Dataset, Floats
from auditor.case.comma_separated import csv_header, csv_rows
from auditor.case.files import Source
from auditor.case.record_rules import check_ids_of_text, columns_listed
from auditor.settings.tables import DataTable
from auditor.settings.values import Cells, show, text_fault

LEAST_SENTENCES: Final = 20
"""A model of fewer says nothing of a language, and no deletion game is played on it."""
MOST_WORDS: Final = 1000
"""In a sentence."""
MOST_NUMBERS: Final = 1 << 28
"""Sentences times the words of the longest."""


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """The sentences of one file, in its order."""

    ids: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    """Of each sentence its words: what white space parts."""


def read_sentences(source: Source, table: DataTable) -> Sentences:
    """Read the sentences of a file that was read already.

    Args:
        source: A CSV or Parquet file with two columns.
        table: Names the columns of ids and of sentences.

    Raises:
        InputError: With every problem of the file; of faulty cells the first twenty.
    """
    file, suffix = source.name, Path(source.name).suffix.lower()
    match suffix:
        case ".csv":
            lines, names, columns = _from_csv(source)
        case ".parquet":
            # pyarrow costs a quarter of a second to import, and most cases do without it.
            from auditor.case.parquet import text_columns  # noqa: PLC0415

            names, columns = text_columns(source)
            lines = list(range(1, 1 + len(columns[names[0]])))
        case _:
            expected = "a file ending in .csv or .parquet, where data.text names the column of sentences"
            raise InputError([Problem(file, "", expected, show(suffix))])
    assert table.text is not None  # noqa: S101 - the caller reads sentences where it is named
    if problems := _column_problems(file, names, table.id, table.text):
        raise InputError(problems)
    ids, texts = columns[table.id], columns[table.text]
    cells = Cells(file)
    if not ids:
        raise InputError([Problem(file, "", "at least one row below the header", "none")])
    check_ids_of_text(ids, lambda row: f"row {lines[row]}, column {table.id}", cells)
    words = tuple(tuple(text.split()) for text in texts)
    for line, sentence, text in zip(lines, words, texts, strict=True):
        if fault := _fault(sentence, text):
            cells.add(f"row {line}, column {table.text}", f"a sentence of 1 to {MOST_WORDS} words", fault)
    if cells.count:
        raise InputError(cells.problems())
    if len(ids) * max(map(len, words)) > MOST_NUMBERS:
        expected = f"at most {MOST_NUMBERS} words, counting every sentence as long as the longest"
        raise InputError([Problem(file, f"column {table.text}", expected, f"{len(ids)} of up to {max(map(len, words))}")])
    return Sentences(tuple(ids), words)


def _fault(words: Sequence[str], text: str) -> str | None:
    """What is wrong with a sentence; its words are not shown, they are personal data."""
    if not words:
        return "none"
    if len(words) > MOST_WORDS:
        return f"{len(words)} words"
    return next((fault for word in words if (fault := text_fault(word))), None) if not text.isprintable() else None


def numbered(files: Iterable[Sentences]) -> tuple[Dataset, ...]:
    """The sentences of several files as records over one dictionary.

    Words are numbered from 1 in their order as text; a row holds the numbers of its words, then zeros. Labels are zeros: what a
    model is asked for is the logarithm of a sentence's probability, and 0 is that of a sentence that is sure.
    """
    files = tuple(files)
    code = {word: number for number, word in enumerate(sorted({w for each in files for s in each.words for w in s}), start=1)}
    width = max((len(sentence) for each in files for sentence in each.words), default=0)
    return tuple(Dataset(_rows(each, code, width), np.zeros(len(each.ids)), np.array(each.ids, dtype=np.str_)) for each in files)


def _rows(sentences: Sentences, code: dict[str, int], width: int) -> Floats:
    rows = np.zeros((len(sentences.ids), width))
    for row, words in zip(rows, sentences.words, strict=True):
        row[: len(words)] = [code[word] for word in words]
    rows.setflags(write=False)
    return rows


def _from_csv(source: Source) -> tuple[list[int], list[str], dict[str, list[str]]]:
    rows = csv_rows(source)
    names = csv_header(source, rows)
    lines, columns, cells = list[int](), {name: list[str]() for name in names}, Cells(source.name)
    for line, row in rows:
        if len(row) != len(names):
            cells.add(f"row {line}", f"{len(names)} columns", f"{len(row)}")
            continue
        lines.append(line)
        for name, cell in zip(names, row, strict=True):
            columns[name].append(cell)
    if cells.count:
        raise InputError(cells.problems())
    return lines, names, columns


def _column_problems(file: str, names: list[str], id_name: str, text_name: str) -> list[Problem]:
    problems = []
    for role, name in (("id", id_name), ("sentence", text_name)):
        if name not in names:
            near = suggestions.hint(name, names)
            found = f"no such column among {columns_listed(names)}"
            problems.append(Problem(file, "columns", f"a column {show(name)} of the {role}s{near}", found))
    if id_name == text_name:
        problems.append(Problem(file, "columns", "different columns for ids and sentences", "one column in two roles"))
    if others := [name for name in names if name not in {id_name, text_name}]:
        problems.append(Problem(file, "columns", "ids and sentences alone", f"a column {show(others[0])} as well"))
    return problems
