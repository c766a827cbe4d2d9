"""`data.erased`: what was found fails, what could not be seen leaves it open, and only a search that saw all passes."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from auditor.base.domain import Effect, Message, Provenance, Status
from auditor.pages.remedies.advice import Subject, Tell
from auditor.pages.words import basis
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.store.judging.accounting import Concerned, Kept, Unexplained
from auditor.parts.store.judging.data_erased import CHECK, Derived, NotSearched, Observed, Searched, judge
from auditor.parts.store.judging.near_copies import Copies
from auditor.parts.store.telling.remedies import erased
from auditor.verdict.checks.finding import Finding
from auditor.verdict.ruling import is_open_elsewhere
from judging import attesting, case_facts, declared, log_facts, told_check
from sample_cases import golden

STORE = Searched(
    place=Message("data.erased.place.store", {"path": "store.npz"}),
    records_searched=97,
    found=0,
    how=Message("data.erased.how.rows"),
)
STATE = Searched(place=Message("data.erased.place.state"), records_searched=None, found=0, how=Message("data.erased.how.bytes"))


def observed(**changes: Any) -> Observed:
    """A store and a state in which nothing of three deleted records was found."""
    values: dict[str, Any] = {
        "deleted": 3,
        "by_identifier_only": 0,
        "found": 0,
        "request_ids": (),
        "searched": (STORE, STATE),
        "not_searched": (),
        "open_in_store": (),
        "open_elsewhere": (),
        "recognised_in_store": True,
    }
    return Observed(**{**values, **changes})


def left_open(path: str, why: str = "data.erased.open.unknown-form") -> Message:
    return Message("data.erased.open.place", {"place": Message("data.erased.place.store", {"path": path}), "why": Message(why)})


def facts(finding: Finding) -> list[tuple[str, Provenance]]:
    return [(each.name, each.how) for each in finding.facts]


def test_a_search_that_saw_everything_and_found_nothing_passes() -> None:
    finding = judge(declared(), observed(), {})
    assert (finding.status, finding.value, finding.threshold, finding.derived) == (
        Status.PASS,
        0.0,
        0.0,
        Derived(open_places=0, copies=None),
    )
    assert facts(finding) == [("store-erased", Provenance.MEASURED)]
    said = basis(finding.reasons)
    assert said.startswith("3 deleted records were looked for in 2 places. Copies that are encrypted, lossy")
    assert "Open" not in said


@pytest.mark.parametrize("read_again", [False, True])
@pytest.mark.parametrize(
    ("why", "status"),
    [
        ("data.erased.open.unknown-form", Status.PASS),
        ("data.erased.unreadable.ended", Status.PASS),
        ("data.erased.unreadable.untried", Status.INCONCLUSIVE),
    ],
)
def test_a_word_for_the_store_covers_what_cannot_be_read_and_nothing_that_nobody_tried_to(
    why: str, status: Status, *, read_again: bool
) -> None:
    """Files that end their reader may not keep others from being read."""
    seen = observed(open_in_store=(left_open("a.bin", why),))
    seen = Observed.model_validate_json(seen.model_dump_json()) if read_again else seen
    assert judge(declared(claims=attesting("store-holds-no-copies")), seen, {}).status is status


def test_one_record_that_is_found_fails_whatever_else_is_open() -> None:
    seen = observed(found=1, request_ids=("R-1",), open_in_store=(left_open("a.bin"),), recognised_in_store=False)
    finding = judge(declared(), seen, {})
    assert (finding.status, finding.value) == (Status.FAIL, 1.0)
    assert facts(finding) == [("store-erased", Provenance.REFUTED)]


@pytest.mark.parametrize(
    "changes",
    [
        {"open_in_store": (left_open("a.bin"),)},
        {"open_elsewhere": (left_open("a.bin"),)},
        {"recognised_in_store": False},
        {"searched": ()},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_could_not_be_seen_leaves_it_open(changes: dict[str, Any]) -> None:
    finding = judge(declared(), observed(**changes), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.INCONCLUSIVE, 0.0, [])


def test_a_log_that_deleted_nothing_gives_nothing_to_look_for() -> None:
    context = declared(log=log_facts(batches=0))
    finding = judge(context, observed(deleted=0), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.INCONCLUSIVE, None, [])
    assert basis(finding.reasons).startswith("No executed request names a record of the training data")
    # An id that the training data lack may be found all the same.
    again = judge(context, observed(deleted=1, found=1), {})
    assert (again.status, again.value) == (Status.FAIL, 1.0)


def test_without_a_store_the_rest_decides_and_nothing_is_said_of_the_store() -> None:
    context = declared(case=case_facts(store=None))
    for found, status in ((0, Status.PASS), (2, Status.FAIL)):
        finding = judge(context, observed(searched=(STATE,), found=found, recognised_in_store=False), {})
        assert (finding.status, facts(finding)) == (status, [])
        assert "No data store was given: that part is skipped." in basis(finding.reasons)


def test_open_places_are_named_in_order_and_counted() -> None:
    seen = observed(
        open_in_store=(left_open("a"), left_open("b")), open_elsewhere=(left_open("c"), left_open("d")), recognised_in_store=False
    )
    finding = judge(declared(), seen, {})
    assert finding.derived == Derived(open_places=5, copies=None)
    form = "its form is not known, so it was searched as plain bytes only"
    assert basis(finding.reasons).startswith(
        f"3 deleted records were looked for in 2 places. Open: store a: {form}; store b: {form}; "
        "data store: not even a kept record is recognised in it; and 2 more. Copies"
    )


def test_records_that_no_value_tells_apart_are_counted() -> None:
    said = basis(judge(declared(), observed(by_identifier_only=2), {}).reasons)
    assert said.endswith("2 of them were looked for by identifier only: their values single out nobody.")


def test_evidence_lists_places_in_words_and_a_reader_of_it_judges_the_same() -> None:
    absent = NotSearched(place=Message("data.erased.place.saved"), why=Message("data.erased.absent.not-offered"))
    seen = observed(not_searched=(absent,), open_in_store=(left_open("a.bin"),))
    finding = judge(declared(), seen, {})
    details = told_check("data.erased", finding, seen).details
    assert details["searched"][0] == {
        "place": "store store.npz",
        "records_searched": 97,
        "found": 0,
        "how": "identifiers, and values row by row",
    }
    assert details["not_searched"] == [{"place": "what the rerun saves (save())", "why": "the procedure does not offer it"}]
    read = Observed.model_validate_json(json.dumps(seen.model_dump(mode="json")))
    again = judge(declared(), read, {})
    assert basis(again.reasons) == basis(finding.reasons)
    assert (again.status, again.value, again.facts) == (finding.status, finding.value, finding.facts)


def copies(found: int, *, usual: int = 0, deleted: int = 3, looked_at: int = 100, **more: Any) -> Copies:
    values = {"deleted": deleted, "found": found, "retained_looked_at": looked_at, "retained_with_a_copy": usual, "equal": 0}
    return Copies(request_ids=("R-1",), **{**values, **more})


@pytest.mark.parametrize(
    ("seen", "words", "status", "counted", "said"),
    [
        (copies(0), (), Status.PASS, 0, ""),
        (copies(1, usual=1), (), Status.PASS, 0, "1 of 3 deleted training records have a near copy"),
        (copies(1, usual=1), (), Status.PASS, 0, "as usual records do: a share of 0.01"),
        (copies(2, usual=2), (), Status.INCONCLUSIVE, 2, "can attest copies-are-others"),
        (copies(2, usual=2), ("copies-are-others",), Status.PASS, 2, "by the controller's word (copies-are-others)"),
        (copies(3, usual=17), (), Status.INCONCLUSIVE, 3, "can attest"),
        (copies(3, usual=18), (), Status.PASS, 0, "as usual records do"),
        (copies(3, usual=60, equal=3, retained_equal=11), (), Status.INCONCLUSIVE, 3, "can attest"),
        (copies(3, usual=60, equal=3, retained_equal=12), (), Status.PASS, 0, "as usual records do"),
        (copies(12, usual=400, deleted=1_000, looked_at=19_000), (), Status.PASS, 0, "as usual records do"),
        (copies(60, usual=400, deleted=1_000, looked_at=19_000), (), Status.INCONCLUSIVE, 60, "can attest"),
    ],
)
def test_copies_among_the_retained_leave_it_open_where_deleted_records_have_more_than_others(
    seen: Copies, words: tuple[str, ...], status: Status, counted: int, said: str
) -> None:
    """Of 3 deleted and 100 retained records, p = .0064 (.0075) with 17 (18) near copies, and .0021 (.0026) with 11 (12) equal."""
    context = declared(claims=attesting(*words)) if words else declared()
    finding = judge(context, observed(copies=seen), {})
    assert isinstance(finding.derived, Derived)
    assert (finding.status, finding.derived.open_places, finding.derived.copies) == (status, 0, counted)
    assert said in basis(finding.reasons)
    found = judge(context, observed(copies=seen, found=1), {})
    assert found.status is Status.FAIL, "no word turns a finding into a pass"


def test_an_exact_test_rejects_where_p_is_its_level() -> None:
    """One of one deleted, and 2 of 399 retained: p is 3 of 400, three quarters of the level, as is the share of near copies."""
    finding = judge(declared(), observed(copies=copies(1, usual=2, deleted=1, looked_at=399)), {})
    assert (finding.status, "than records deleted at random" in basis(finding.reasons)) == (Status.INCONCLUSIVE, True)


@pytest.mark.parametrize(
    ("seen", "status", "enough"),
    [
        (copies(1, usual=1, deleted=1, looked_at=178), Status.INCONCLUSIVE, 2),
        (copies(1, usual=3, deleted=1, looked_at=92), Status.INCONCLUSIVE, 2),
        (copies(1, usual=1, deleted=1, looked_at=20), Status.INCONCLUSIVE, 3),
        (copies(1, usual=4, deleted=1, looked_at=100), Status.INCONCLUSIVE, 2),
        (copies(1, usual=6, deleted=1, looked_at=100), Status.PASS, None),
        (copies(1, usual=3, deleted=1, looked_at=3), Status.PASS, None),
    ],
)
def test_where_too_few_are_deleted_for_any_test_a_copy_leaves_it_open_and_the_number_that_would_do_is_named(
    seen: Copies, status: Status, enough: int | None
) -> None:
    finding = judge(declared(), observed(copies=seen), {})
    said = basis(finding.reasons)
    assert (finding.status, f"From {enough} on it could" in said) == (status, enough is not None)
    assert judge(declared(claims=attesting("copies-are-others")), observed(copies=seen), {}).status is Status.PASS


def test_a_record_that_equals_a_retained_one_in_what_is_a_persons_own_counts_by_itself() -> None:
    seen = copies(4, usual=800, deleted=100, looked_at=19_900, singled_out=1, singled_out_of=Concerned(request_ids=("R-2",)))
    finding = judge(declared(), observed(copies=seen), {})
    assert isinstance(finding.derived, Derived)
    assert (finding.status, finding.derived.copies) == (Status.INCONCLUSIVE, 1)
    assert finding.derived.copied == Concerned(request_ids=("R-2",))
    said = basis(finding.reasons)
    assert "4 of 100 deleted training records have a near copy" in said
    assert "as usual records do" in said
    assert "1 of 100 deleted training records equal a retained one under another id in every column" in said
    attested = judge(declared(claims=attesting("copies-are-others")), observed(copies=seen), {})
    assert (attested.status, "another person's, by the controller's word" in basis(attested.reasons)) == (Status.PASS, True)


def test_what_is_left_open_concerns_the_requests_that_are_named_unless_it_may_be_any() -> None:
    named = Concerned(request_ids=("R-1", "R-2"))
    place = {"open_in_store": (left_open("a.bin"),), "open_to": (named,)}
    of_place = judge(declared(), observed(**place), {}).derived
    assert isinstance(of_place, Derived)
    assert (of_place.open_to, of_place.any_request) == (named, False)
    both = judge(declared(), observed(**place, copies=copies(2, usual=2)), {}).derived
    assert isinstance(both, Derived)
    assert (both.open_to, both.copied, both.any_request) == (named, Concerned(request_ids=("R-1",)), False)
    for changes in (
        {"open_in_store": (left_open("a.bin"), left_open("b")), "open_to": (named, None)},
        {"open_in_store": (left_open("a.bin"),)},
        {**place, "recognised_in_store": False},
        {**place, "searched": ()},
    ):
        any_of_them = judge(declared(), observed(**changes), {}).derived
        assert isinstance(any_of_them, Derived)
        assert (any_of_them.any_request, changes.get("searched") == () or any_of_them.open_to is None) == (True, True)


@pytest.mark.parametrize(
    ("seen", "spent"),
    [
        (None, []),
        (copies(0), [0.01]),
        (copies(2, usual=2), [0.01]),
        (copies(1, usual=3, deleted=1, looked_at=99), [0.04]),
        (copies(1, usual=9, deleted=1, looked_at=99), []),
    ],
)
def test_the_test_of_copies_declares_what_it_spends(seen: Copies | None, spent: list[float]) -> None:
    finding = judge(declared(), observed(copies=seen), {})
    levels = CHECK.levels(declared(), observed(copies=seen), finding)
    assert [(each.test, each.effect, each.level) for each in levels] == [
        ("near-copies", Effect.LEAVES_OPEN, level) for level in spent
    ]


@pytest.mark.parametrize(("records", "deleted", "marked"), [(40, 30, 32), (40, 20, 38), (40, 20, 31), (12, 9, 4), (30, 1, 2)])
def test_of_a_small_table_it_declares_all_that_copies_leave_open(records: int, deleted: int, marked: int) -> None:
    """Records deleted at random, of which it is known how many have a near copy: each outcome with its chance."""
    chance, levels = 0.0, set()
    for found in range(max(0, deleted + marked - records), min(deleted, marked) + 1):
        sizes = {"deleted": deleted, "looked_at": records - deleted}
        alike = {"equal": found, "retained_equal": marked - found}
        seen = observed(copies=copies(found, usual=marked - found, **sizes, **alike))
        finding = judge(declared(), seen, {})
        if finding.status is Status.INCONCLUSIVE:
            chance += comb(marked, found) * comb(records - marked, deleted - found) / comb(records, deleted)
        levels |= {each.level for each in CHECK.levels(declared(), seen, finding)}
    assert 0.05 < chance <= min(levels) * (1 + 1e-12)


def of_places(*words: str | None, **changes: Any) -> Finding:
    """A search that is open for content that nothing explains, each with the word that could cover it."""
    left = tuple(Unexplained(place=Message("data.erased.place.model", {"path": "m"}), bytes=9, word=each) for each in words)
    given = {"open_places": 0, "copies": None, "unexplained": left} | changes
    return Finding(Status.INCONCLUSIVE, value=0.0, derived=Derived(**given))


def test_a_store_that_was_read_whole_was_examined_though_a_model_file_is_open() -> None:
    assert is_open_elsewhere(of_places(None, "procedure-honest"))


@pytest.mark.parametrize(
    "found",
    [
        of_places("store-holds-no-copies"),
        of_places(None, by_word=(Unexplained(place=Message("data.erased.place.store"), bytes=9, word="store-holds-no-copies"),)),
        of_places(None, open_places=1),
        of_places(None, copied=Concerned(request_ids=("R-1",))),
        of_places(),
        replace(of_places(None), value=None),
        replace(of_places(None), status=Status.SKIPPED),
        replace(of_places(None), derived=None),
    ],
    ids=["in the store", "on a word", "a place unread", "copies", "nothing open", "nothing sought", "not run", "not said"],
)
def test_a_store_that_may_hold_more_was_not(found: Finding) -> None:
    assert not is_open_elsewhere(found)


@pytest.mark.parametrize(("records", "named"), [(1, 61), (0, 0)])
def test_found_rows_explain_themselves_to_others_only_where_the_search_found_as_many(records: int, named: int) -> None:
    """Whatever comes of it, the verdict is what it was."""
    place = Message("data.erased.place.store", {"path": "store.csv"})
    kept = Kept(kind="store", place=place, bytes=4583, unexplained=61, found_rows=1, found_bytes=61)
    in_store = replace_place(records, place)
    elsewhere = STATE.model_copy(update={"found": 1})
    found = judge(declared(), observed(found=1, request_ids=("R-1",), searched=(in_store, elsewhere), kept=(kept,)), {})
    assert found.status is Status.FAIL
    assert isinstance(found.derived, Derived)
    assert [(each.bytes, each.found) for each in found.derived.unexplained] == [(61, named)]
    nothing = judge(declared(), observed(kept=(kept,), searched=(replace_place(0, place),)), {})
    assert nothing.status is Status.INCONCLUSIVE


def test_a_file_where_only_a_found_row_is_left_over_leaves_nobody_else_untold() -> None:
    place = Message("data.erased.place.store", {"path": "store.csv"})
    told = tell(golden("digits-newton"))
    for more, asked in ((0, False), (9, True)):
        kept = Kept(kind="store", place=place, bytes=4583, unexplained=61 + more, found_rows=1, found_bytes=61)
        seen = observed(found=1, request_ids=("R-1",), searched=(replace_place(1, place),), kept=(kept,))
        found = judge(declared(), seen, {})
        plain = next(each for each in told.checks if each.id == "data.erased")
        check = replace(plain, status=found.status, observed=seen, derived=found.derived)
        steps = list(erased(Subject(told, check)))
        assert any(each.tell is Tell.FOUND for each in steps)
        assert any(each.tell is Tell.OPEN for each in steps) is asked


def replace_place(found: int, place: Message) -> Searched:
    return STORE.model_copy(update={"place": place, "found": found})
