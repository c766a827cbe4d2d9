"""Under other attestations those judges alone judge again that would be told otherwise, and nothing else follows of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.document.evidence_files import read
from auditor.recheck.derivations import declared_in, observed_in
from auditor.settings.attestations import ATTESTABLE
from auditor.verdict import judgement
from auditor.verdict.checks.finding import Finding
from auditor.verdict.judgement import judge_all, judged
from auditor.verdict.remembered import Asked, Remembered, attesting
from judging import declared
from rechecks import LATEST

NAMES = ("digits-newton", "digits-answers", "group-deletion", "tree-counter", "places-only", "digits-dp-extractor")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_remembered_is_what_would_be_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = read(LATEST / f"{name}.json")
    observed, context = dict(observed_in(evidence)), declared_in(evidence).context
    found, asked = judged(context, observed), list[str]()
    judge = judgement.judge_one

    def noting(definition: Any, *given: Any, **more: Any) -> Finding:
        asked.append(definition.card.id)
        return judge(definition, *given, **more)

    monkeypatch.setattr(judgement, "judge_one", noting)
    said = context.claims.attested
    for words in ((), ATTESTABLE, *(tuple(each for each in said if each != word) for word in said)):
        asked.clear()
        again = found.attesting(words, observed)
        assert len(asked) < len(again.findings) / 2
        assert again.context.claims.attested == tuple(words)
        assert dict(again.findings) == judge_all(attesting(context, tuple(words)), observed, again=True)


def _kept(context: Any, other: Any, told: tuple[object, ...], then: tuple[object, ...], ask: Any) -> bool:
    """Whether what a judge found that asks that of the words, and is told something, is kept for another context and told."""
    remembered, finding = Remembered(), Finding(Status.PASS)
    first = remembered.heard(context)
    assert first.before("any", told) is None
    ask(first.context.claims.attested)
    first.keep("any", told, finding)
    return remembered.heard(other).before("any", then) is finding


def test_a_judge_is_asked_again_where_anything_that_it_was_told_is_another() -> None:
    context = attesting(declared(), ("log-complete", "seed-secret"))
    other, seen = attesting(context, ("log-complete",)), (object(), Finding(Status.FAIL))
    for ask, same in (
        (lambda _: None, True),
        (lambda words: "log-complete" in words, True),
        (lambda words: "code-clean" in words, True),
        (lambda words: "seed-secret" in words, False),
        (list, False),
        (len, False),
        (hash, False),
        (repr, False),
        (lambda words: words[:1], False),
        (lambda words: words == ("log-complete", "seed-secret"), False),
        (lambda words: 7 in words, False),
        (lambda words: words.count("log-complete"), False),
    ):
        assert _kept(context, other, seen, seen, ask) is same
    assert not _kept(context, context, seen, (object(), seen[1]), lambda _: None)
    assert not _kept(context, context, seen, (seen[0], Finding(Status.FAIL)), lambda _: None), "equal, and another"
    assert not _kept(context, context, seen, seen[:1], lambda _: None)
    assert not _kept(context, replace(context, seed_bits=context.seed_bits + 1), seen, seen, lambda _: None)
    by = context.claims.model_copy(update={"attested_by": "Somebody Else"})
    assert not _kept(context, replace(context, claims=by), seen, seen, lambda _: None)


def test_no_tuple_hides_what_is_read_of_it() -> None:
    assert not isinstance(Asked(()), tuple)
