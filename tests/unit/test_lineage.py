"""What was made from the model: dates that settle it, games with dates that do not, and what every page makes of the rest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.domain import Status, Verdict
from auditor.document.conclusions import Descent
from auditor.document.context import Attested
from auditor.document.evidence import Evidence
from auditor.pages import wording
from auditor.pages.main import crosswalk, search_scope
from auditor.pages.remedies import remedies
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.comparison.since import Lapse, since
from auditor.recheck.declarations import recheck_context
from auditor.recheck.derivations import derive_again
from auditor.settings.lineage import Descendant, faults
from auditor.verdict import conclusion
from auditor.verdict.conclusion import Area, Kind, Reason
from auditor.verdict.lineage import stated_to
from auditor.verdict.reliance import refuse_contradiction
from letter_cases import letter_of, page_of, row, said, sample, with_rows
from sample_cases import golden

ERASED = max(each.deleted_at for each in golden("digits-newton").requests if each.deleted_at).date()
"""The day on which the sample's log replaced its model for the last time."""
TODAY = date(2026, 6, 20)
BEFORE, AFTER = ERASED - timedelta(days=30), ERASED + timedelta(days=30)
RELEASE = "2026.6"


def at(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 9, tzinfo=UTC)


def thing(name: str = "student", **said_of_it: Any) -> Descendant:
    return Descendant(**{"name": name, "kind": "distilled", "declared_by": "Kim Example", **said_of_it})


def audited(*made: Descendant, policy: bool = False, attested: bool = False, **case: Any) -> Evidence:
    """A sample that passes, concluded again with these things made from its model."""
    plain = golden("digits-newton")
    audit = plain.audit.model_copy(update={"started_at": at(TODAY), "finished_at": at(TODAY) + timedelta(minutes=5)})
    settings = {**plain.policy.settings, **({"lineage_settled": True} if policy else {})}
    words = (*plain.policy.attested, *([Attested(name="lineage-complete", by="Kim", at=BEFORE)] if attested else []))
    if attested:
        words = tuple(each.model_copy(update={"by": "Kim", "at": BEFORE}) for each in words)
    return derive_again(
        plain.model_copy(
            update={
                "audit": audit,
                "lineage": made,
                "case": plain.case.model_copy(update={"release": RELEASE, "in_use_since": AFTER, **case}),
                "policy": plain.policy.model_copy(update={"settings": settings, "attested": words}),
            }
        )
    )


def descents(*made: Descendant, **case: Any) -> list[Descent]:
    return [each.descent for each in audited(*made, **case).lineage]


LATE = AFTER + timedelta(days=1)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ({"made_at": BEFORE}, Descent.EARLIER),
        ({"made_at": BEFORE, "remade_at": BEFORE}, Descent.EARLIER),
        ({"made_at": BEFORE, "from_release": RELEASE}, Descent.EARLIER),
        # Made again before the model was replaced, however often it is said.
        ({"made_at": BEFORE, "remade_at": ERASED - timedelta(days=1), "from_release": RELEASE}, Descent.EARLIER),
        ({"made_at": BEFORE, "remade_at": ERASED, "from_release": RELEASE}, Descent.SAME_DAY),
        ({"made_at": BEFORE, "remade_at": ERASED + timedelta(days=1), "from_release": RELEASE}, Descent.REMADE),
        ({"made_at": ERASED + timedelta(days=1), "from_release": RELEASE}, Descent.AFTER),
        # Until the new model is in use, what is made without a word of its release comes from the one before.
        ({"made_at": BEFORE, "remade_at": AFTER - timedelta(days=1)}, Descent.EARLIER),
        ({"made_at": BEFORE, "remade_at": AFTER}, Descent.SAME_DAY),
        ({"made_at": BEFORE, "remade_at": LATE}, Descent.REMADE),
        ({"made_at": LATE, "from_release": "2025.1"}, Descent.OTHER_RELEASE),
        ({}, Descent.UNDATED),
        ({"from_release": RELEASE}, Descent.UNDATED),
        ({"made_at": BEFORE, "remade_at": TODAY + timedelta(days=1), "from_release": RELEASE}, Descent.PLANNED),
        ({"made_at": BEFORE, "retired_at": TODAY + timedelta(days=1)}, Descent.PLANNED),
        ({"made_at": BEFORE, "retired_at": TODAY}, Descent.RETIRED),
        ({"retired_at": BEFORE}, Descent.RETIRED),
    ],
)
def test_dates_settle_a_thing_or_leave_it_open(declared: dict[str, Any], expected: Descent) -> None:
    assert descents(thing(**declared)) == [expected]


def test_without_a_release_and_a_day_of_use_nobody_knows_which_model_it_came_from() -> None:
    late = thing(made_at=LATE)
    assert descents(late, in_use_since=None) == [Descent.NOT_REPLACED]
    assert descents(thing(made_at=LATE, from_release=RELEASE), in_use_since=None) == [Descent.AFTER]
    assert descents(thing(made_at=LATE, from_release=RELEASE), release=None) == [Descent.OTHER_RELEASE]


def test_what_comes_from_something_open_is_open_and_must_follow_its_source_in_time() -> None:
    old, new = thing("a", made_at=BEFORE), thing("a", made_at=BEFORE, remade_at=LATE)
    child = thing("b", kind="fine-tuned", made_from="a", made_at=LATE + timedelta(days=1))
    assert descents(old, child) == [Descent.EARLIER, Descent.SOURCE]
    assert descents(new, child) == [Descent.REMADE, Descent.AFTER]
    assert descents(child, new) == [Descent.AFTER, Descent.REMADE]
    # Its source was made again later than it, or on the same day.
    assert descents(new, child.model_copy(update={"made_at": LATE - timedelta(days=1)}))[1] is Descent.EARLIER
    assert descents(new, child.model_copy(update={"made_at": LATE}))[1] is Descent.SAME_DAY
    # That nobody uses the source any more changes nothing of what was made from it.
    gone = thing("a", made_at=BEFORE, retired_at=LATE)
    assert descents(gone, child) == [Descent.RETIRED, Descent.SOURCE]
    grandchild = thing("c", made_from="b", made_at=TODAY)
    assert descents(old, child, grandchild)[2] is Descent.SOURCE


def test_where_nothing_was_deleted_nothing_depends_on_it() -> None:
    plain = audited(thing(made_at=BEFORE))
    kept = plain.deletion_log.model_copy(update={"batches": 0})
    assert derive_again(plain.model_copy(update={"deletion_log": kept})).lineage[0].descent is Descent.NOTHING_DELETED


_WITHOUT_ANY = audited()
days = st.none() | st.dates(BEFORE - timedelta(days=5), TODAY + timedelta(days=5))


@given(made=days, again=days, gone=days, release=st.sampled_from([None, RELEASE, "2025.1"]), later=st.integers(0, 120))
def test_no_later_deletion_and_nothing_left_unsaid_settles_anything(
    made: date | None, again: date | None, gone: date | None, release: str | None, later: int
) -> None:
    evidence = _WITHOUT_ANY
    one = thing(made_at=made, remade_at=again, retired_at=gone, from_release=release)

    def judged(each: Descendant, day: date) -> Descent:
        request = replace(evidence.requests[0], deleted_at=at(day), model_erased_at=None)
        return stated_to(evidence.model_copy(update={"lineage": (each,)}), request)[0].descent

    before = judged(one, ERASED)
    assert not before.open or judged(one, ERASED + timedelta(days=later)).open
    if before in {Descent.AFTER, Descent.REMADE}:
        last = again if again is not None and again <= TODAY else made
        assert last is not None
        assert ERASED < last <= TODAY
        assert release in {None, RELEASE}
    if before.open:
        for key in ("made_at", "remade_at", "retired_at"):
            assert judged(one.model_copy(update={key: None}), ERASED).open or getattr(one, key) > TODAY or key == "remade_at"


# What becomes of a pass.


def test_an_open_thing_leaves_the_verdict_and_is_named_on_page_one() -> None:
    evidence = audited(thing(made_at=BEFORE), thing("rows", kind="synthetic-data", made_at=BEFORE, retired_at=AFTER))
    found = conclusion.of(evidence)
    assert (evidence.verdict, found.kind) == (Verdict.PASS, Kind.QUALIFIED)
    assert {each.reason: each.names for each in found.basis}[Reason.MADE_EARLIER] == ("student",)
    gaps = {each.area: each.names for each in found.not_examined}
    assert gaps[Area.MADE_EARLIER] == ("student",)
    assert gaps[Area.DECLARED][-1] == "rows"
    assert "derived models" not in gaps.get(Area.ELSEWHERE, ())


def test_silence_is_no_better_than_to_declare() -> None:
    silent, declared = audited(), audited(thing(made_at=BEFORE))
    assert "derived models" in {kind for each in conclusion.of(silent).not_examined for kind in each.names}
    assert conclusion.of(silent).kind is conclusion.of(declared).kind is Kind.QUALIFIED
    assert silent.verdict is declared.verdict


def test_embeddings_alone_say_nothing_of_models() -> None:
    gaps = {each.area: each.names for each in conclusion.of(audited(thing(kind="embeddings", made_at=LATE))).not_examined}
    assert "derived models" in gaps[Area.ELSEWHERE]
    assert "embeddings" not in gaps[Area.ELSEWHERE]


@pytest.mark.parametrize(
    ("made", "attested", "expected"),
    [
        ((), False, Verdict.INCONCLUSIVE),
        ((), True, Verdict.PASS),
        ((thing(made_at=LATE, from_release=RELEASE),), False, Verdict.INCONCLUSIVE),
        ((thing(made_at=LATE, from_release=RELEASE),), True, Verdict.PASS),
        ((thing(made_at=BEFORE),), True, Verdict.INCONCLUSIVE),
    ],
)
def test_a_policy_can_ask_that_all_of_it_is_settled(made: tuple[Descendant, ...], attested: bool, expected: Verdict) -> None:
    evidence = audited(*made, policy=True, attested=attested)
    assert evidence.verdict is expected
    assert evidence.reliance.lineage == tuple(each.name for each in evidence.lineage if each.descent.open)
    standing = {each.name: each.standing for each in evidence.premises}
    assert standing["lineage-complete"] == ("said" if attested else "unsaid")
    if expected is not Verdict.PASS:
        told = tell(evidence)
        lacking = "student" if evidence.reliance.lineage else "lineage-complete"
        assert any(lacking in line for line in verdicts.lines_of(evidence))
        assert any(lacking in f"{each.action} {each.found}" for each in remedies(told))
        forged = evidence.model_copy(update={"verdict": Verdict.PASS, "reliance": audited().reliance})
        with pytest.raises(Exception, match="contradicts itself"):
            refuse_contradiction(forged)


def test_the_policy_holds_back_no_fail_and_the_default_one_asks_nothing() -> None:
    evidence = audited(thing(made_at=BEFORE), policy=True)
    assert evidence.default_policy_verdict is audited().default_policy_verdict
    assert "lineage-complete" not in {each.name for each in audited(thing(made_at=BEFORE)).premises}
    assert {each.status for each in evidence.checks} >= {Status.PASS}


# Pages, letters, the next audit.


def test_the_page_on_places_names_each_and_the_crosswalk_counts_them() -> None:
    told = tell(audited(thing(made_at=BEFORE), thing("rows", kind="synthetic-data", made_at=LATE)))
    old, new = search_scope.made(told)
    assert old.startswith(
        "Made from the model, not examined: student (distilled). Made from the model as it was before a deletion"
    )
    assert old.endswith("So says Kim Example.")
    assert f"rows (generated data). Made on {wording.day(LATE)}, after the model was updated." in new
    (duty,) = (each for each in crosswalk.duties(told) if each.source == "GDPR 17")
    assert duty.shows.endswith("; 1 of 2 made from the model may hold them")
    assert not any("made from the model" in each.shows for each in crosswalk.duties(tell(audited())))


def test_a_letter_judges_by_the_dates_of_its_own_request_alone() -> None:
    plain = sample()
    mine = row(plain, deleted_at=at(ERASED), model_erased_at=at(ERASED), answered_at=at(ERASED))
    theirs = replace(plain.requests[1], deleted_at=at(TODAY), model_erased_at=at(TODAY), answered_at=at(TODAY))
    made = (thing("pocket", made_at=AFTER, from_release=plain.case.release),)
    with_both = derive_again(with_rows(plain, mine, theirs, *plain.requests[2:]).model_copy(update={"lineage": made}))
    assert with_both.lineage[0].descent is Descent.EARLIER
    found, alone = (
        letter_of(each.model_copy(update={"lineage": with_both.lineage}), deleted_at=at(ERASED), model_erased_at=at(ERASED))
        for each in (with_both, with_rows(plain, mine))
    )
    assert [each.descent for each in found.request.made] == [Descent.AFTER]
    assert found.request.made == alone.request.made
    assert f"pocket, made from the model: Made on {wording.day(AFTER)}, after" in said(found)
    old = letter_of(with_rows(plain, mine).model_copy(update={"lineage": audited(thing(made_at=BEFORE)).lineage}))
    assert any("student" in each for one in page_of(old).rows for each in one.sentences)
    assert "made" not in letter_of(plain).to_bytes().decode().partition('"request"')[2].partition('"sender"')[0]


def test_a_request_that_was_not_carried_out_is_told_nothing_of_it() -> None:
    plain = sample().model_copy(update={"lineage": audited(thing(made_at=BEFORE)).lineage})
    assert letter_of(plain, status="denied", deleted_at=None, days=None, guarantees=()).request.made == ()


def test_the_next_audit_says_what_is_settled_no_more() -> None:
    old = audited(thing(made_at=LATE, from_release=RELEASE))
    rows = tuple(replace(each, deleted_at=at(TODAY)) if each.deleted_at else each for each in old.requests)
    new = derive_again(old.model_copy(update={"requests": rows}))
    assert [(each.what, each.name) for each in since(old, new).expired if each.what is Lapse.LINEAGE] == [
        (Lapse.LINEAGE, "student")
    ]
    assert not any(each.what is Lapse.LINEAGE for each in since(new, new).expired)


# What no entry can say.


@pytest.mark.parametrize(
    ("made", "key", "says"),
    [
        ((thing("a", made_from="a"),), "made_from", "a circle"),
        ((thing("a", made_from="b"), thing("b", made_from="a")), "made_from", 'a circle: "a" from "b" from "a"'),
        ((thing("a", made_from="c"), thing("b")), "made_from", 'an unknown thing "c"'),
        ((thing("a"), thing("a")), "name", '"a"'),
        ((thing("Student"), thing("student ")), "name", '"student "'),
        ((thing("student"), thing("stu\u200bdent")), "name", "dent"),
        ((thing("Model"),), "name", '"Model"'),
        ((thing(made_at=AFTER, remade_at=BEFORE),), "remade_at", BEFORE.isoformat()),
        ((thing(made_at=AFTER, retired_at=BEFORE),), "retired_at", BEFORE.isoformat()),
        ((thing("a"), thing("b", made_from="a", from_release="1")), "from_release", 'made_from = "a"'),
    ],
)
def test_an_entry_that_cannot_be_is_named_by_row_and_key(made: tuple[Descendant, ...], key: str, says: str) -> None:
    found = list(faults(made))
    assert found
    assert {each.key for each in found} == {key}
    assert any(says in each.found for each in found)
    evidence = audited().model_copy(update={"lineage": audited(*made).lineage})
    differing = [str(each) for each in recheck_context(evidence).findings if "lineage" in str(each)]
    assert len(differing) == len(found)
    assert all(key in each for each in differing)


def test_a_long_chain_is_no_circle_and_a_long_circle_is_one() -> None:
    chain = [thing("t0"), *(thing(f"t{n}", made_from=f"t{n - 1}") for n in range(1, 100))]
    assert list(faults(chain)) == []
    assert len(list(faults([thing("t0", made_from="t99"), *chain[1:]]))) == 100


def test_evidence_cannot_state_another_descent() -> None:
    evidence = audited(thing(made_at=BEFORE))
    (made,) = evidence.lineage
    forged = evidence.model_copy(update={"lineage": (made.model_copy(update={"descent": Descent.REMADE}),)})
    assert derive_again(forged) != forged
    assert derive_again(forged).lineage == evidence.lineage
