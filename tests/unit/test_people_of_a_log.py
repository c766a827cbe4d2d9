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
from auditor.base.domain import Request
from auditor.parts.networks.observing.privacy import records_of_one
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
