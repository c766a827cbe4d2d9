"""Which records are one person's: by pseudonyms of the log, and by the table, which several pseudonyms do not talk out of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor import case as cases
from auditor.base.deletion_log.people import by_person
from auditor.base.deletion_log.requests import Request
from auditor.parts.networks.observing.privacy import equal_rows, records_of_one
from small_cases import SECRET, write_log

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def request(number: int, records: str, subject: str | None = None) -> Request:
    return Request(row=number, request_id=f"r{number}", record_ids=tuple(records), received_at=DAY, subject=subject)


@pytest.mark.parametrize(
    ("log", "whose", "groups"),
    [
        ([("ab", None), ("c", None)], {}, ["ab", "c"]),
        ([("ab", "s"), ("c", "t"), ("d", "s")], {}, ["abd", "c"]),
        ([("a", "s"), ("b", "t")], {"a": "one", "b": "one"}, ["ab"]),
        ([("a", "s"), ("b", "t")], {"a": "one", "b": "two"}, ["a", "b"]),
        ([("a", "s"), ("b", "t")], {"a": "", "b": " "}, ["a", "b"]),
        ([("a", "s"), ("b", "t"), ("c", "s"), ("d", "t")], {"c": "one", "d": "one"}, ["abcd"]),
        ([("a", "s"), ("b", "t"), ("ab", "u")], {"a": "one", "b": "two"}, ["ab"]),
    ],
)
def test_records_are_grouped_by_pseudonym_and_table(
    log: list[tuple[str, str | None]], whose: dict[str, str], groups: list[str]
) -> None:
    found = by_person([request(at, *row) for at, row in enumerate(log)], whose)
    assert sorted(map(sorted, found)) == [list(each) for each in groups]


@given(
    st.lists(st.tuples(st.text("abcdef", min_size=1, max_size=3), st.sampled_from("stu")), max_size=8),
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"), max_size=6),
)
def test_nobody_is_split_and_nothing_is_lost(log: list[tuple[str, str]], whose: dict[str, str]) -> None:
    requests = [request(at, *row) for at, row in enumerate(log)]
    found = by_person(requests, whose)
    for each in requests:
        assert any(set(each.record_ids) <= group for group in found)
    for person in set(whose.values()):
        theirs = {each for each, owner in whose.items() if owner == person}
        assert sum(bool(theirs & group) for group in found) <= 1
    assert sum(map(len, found)) == len(frozenset().union(*found)), "no two groups share a record"


def stream(folder: Path, rows: list[tuple[str, str, str]], deleted: list[tuple[str, str]], *, named: bool = True) -> cases.Case:
    """A case of `use = "ftrl"` with rows of id, person and features, and deletions of id and subject."""
    names = "who," if named else ""
    table = [f"{each},{f'{who},' if named else ''}{x},{at % 2}" for at, (each, who, x) in enumerate(rows)]
    (folder / "train.csv").write_text("\n".join([f"id,{names}x,label", *table]) + "\n", encoding="utf-8")
    person = 'person = "who"\n' if named else ""
    (folder / "audit.toml").write_text(
        f'[case]\nname = "people"\n[data]\ntrain = "train.csv"\ntask = "classification"\n{person}'
        '[procedure]\nuse = "ftrl"\nsteps = 4\nrate = 0.1\nnoise_multiplier = 6.0\nmax_grad_norm = 1.0\ndelta = 1e-5\n'
        f'seed = "{SECRET}"\n[deletions]\nlog = "deletions.jsonl"\n',
        encoding="utf-8",
    )
    write_log(folder, [[record] for record, _ in deleted])
    log = folder / "deletions.jsonl"
    lines = zip(log.read_text(encoding="utf-8").splitlines(), deleted, strict=True)
    log.write_text("\n".join(f'{{"subject": "{who}", {line[1:]}' for line, (_, who) in lines) + "\n", encoding="utf-8")
    return cases.read(folder)


def others(count: int = 30) -> list[tuple[str, str, str]]:
    """Rows of as many people."""
    return [(f"p{at}", f"other-{at}", f"{0.1 * at:.3f}") for at in range(count)]


@pytest.mark.parametrize("named", [True, False])
def test_a_row_given_twice_under_new_ids_is_told_where_nobody_is_deleted_for_it(tmp_path: Path, named: bool) -> None:
    twice = [("a", "", "7.5"), ("b", "", "7.5")]
    case = stream(tmp_path, [*others(), *twice], [("p0", "one"), ("p1", "two")], named=named)
    assert equal_rows(case) == (2, 0)
    assert records_of_one(case, case.known_ids) == 1


@pytest.mark.parametrize(
    ("subjects", "unnamed", "most"), [(("one", "one"), 0, 2), (("one", "two"), 2, 1)], ids=["one subject", "two pseudonyms"]
)
def test_rows_that_the_log_gives_to_one_person_are_counted_as_theirs(
    tmp_path: Path, subjects: tuple[str, str], unnamed: int, most: int
) -> None:
    """Two pseudonyms are two people by nobody's word: they cost nothing."""
    twice = [("a", "", "7.5"), ("b", "", "7.5")]
    case = stream(tmp_path, [*others(), *twice], list(zip(("a", "b"), subjects, strict=True)), named=False)
    assert equal_rows(case) == (unnamed, 0)
    assert records_of_one(case, case.known_ids) == most


def test_rows_of_people_whom_the_table_names_are_theirs_whether_they_asked_or_not(tmp_path: Path) -> None:
    """One who asked for nothing has five rows, two of them equal to one of somebody else."""
    rows = [*(("many-" + str(at), "anna", "7.5" if at < 2 else f"{8 + at}.5") for at in range(5)), ("one", "ben", "7.5")]
    case = stream(tmp_path, [*others(), *rows], [("p0", "one")])
    assert equal_rows(case) == (0, 3)
    assert records_of_one(case, case.known_ids) == 5


def test_five_pseudonyms_for_one_person_of_the_table_are_one_person_with_five_records(tmp_path: Path) -> None:
    """Each row under a name of its own would otherwise promise a person the ε of one record."""
    rng = np.random.default_rng(0)
    rows = [f"p{at},{'anna' if at < 5 else f'other-{at}'},{rng.normal():.3f},{at % 2}" for at in range(40)]
    (tmp_path / "train.csv").write_text("\n".join(["id,who,x,label", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "audit.toml").write_text(
        '[case]\nname = "people"\n[data]\ntrain = "train.csv"\ntask = "classification"\nperson = "who"\n'
        '[procedure]\nuse = "ftrl"\nsteps = 4\nrate = 0.1\nnoise_multiplier = 6.0\nmax_grad_norm = 1.0\ndelta = 1e-5\n'
        f'seed = "{SECRET}"\n[deletions]\nlog = "deletions.jsonl"\n',
        encoding="utf-8",
    )
    write_log(tmp_path, [[f"p{at}"] for at in range(3)])
    log = tmp_path / "deletions.jsonl"
    named = [f'{{"subject": "case-{at:032x}", {line[1:]}' for at, line in enumerate(log.read_text(encoding="utf-8").splitlines())]
    log.write_text("\n".join(named) + "\n", encoding="utf-8")
    case = cases.read(tmp_path)
    assert records_of_one(case, case.known_ids) == 5
