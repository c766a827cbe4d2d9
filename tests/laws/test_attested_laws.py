"""A word may carry a guarantee and never tells against one: with more attested no standing falls, with less none rises."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Fact, Message, Provenance, Status
from auditor.parts.data_deletion.theorems import Deletion
from auditor.settings.attestations import ATTESTABLE, facts_of
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import KNOWN, derive_guarantees
from judging import attesting, case_facts, declared

_RANK = {ClaimStatus.REFUTED: 0, ClaimStatus.NOT_SHOWN: 0, ClaimStatus.SUPPORTED: 1, ClaimStatus.SHOWN: 2}
_GIVEN = {fact for name in ATTESTABLE for fact in facts_of(name)}
# That the model alone has a guarantee is derived, and found by no check.
_OTHERS = sorted(KNOWN - _GIVEN - {"model-guarantee"})
WORDS = st.sets(st.sampled_from(ATTESTABLE))
BY_HAND = Message("fact.not-examined")


def standings(words: set[str], found: dict[str, Provenance], *, model: bool, store: bool, seen: int) -> dict[str, int]:
    """How firm each guarantee is, where checks found that and the controller attests those words."""
    case = case_facts(model="model.npz" if model else None, store="store.npz" if store else None)
    context = declared(claims=attesting(*sorted(words)), case=case)
    facts = [Fact(name, how, BY_HAND) for name, how in found.items()]
    said = (each for each in attested.facts(context, Finding(Status.PASS)) if each.name not in found)
    deletion = Deletion(2.0, 0.1, "5.1", seen, known_loss=False)
    listed = derive_guarantees((*facts, *said), epsilon=1.0, delta=1e-4, deletion=deletion)
    return {each.id: _RANK[each.status] for each in listed}


FOUND = st.fixed_dictionaries({name: st.sampled_from([Provenance.COMPUTED, Provenance.MEASURED]) for name in _OTHERS}).flatmap(
    lambda every: st.sets(st.sampled_from(_OTHERS), max_size=6).map(
        lambda left_out: {name: how for name, how in every.items() if name not in left_out}
    )
)


@settings(max_examples=80, deadline=None)
@given(words=WORDS, more=WORDS, found=FOUND, model=st.booleans(), store=st.booleans(), seen=st.sampled_from([0, 2]))
def test_more_words_never_lower_a_standing(
    words: set[str], more: set[str], found: dict[str, Provenance], *, model: bool, store: bool, seen: int
) -> None:
    before = standings(words, found, model=model, store=store, seen=seen)
    after = standings(words | more, found, model=model, store=store, seen=seen)
    assert all(after[name] >= before[name] for name in before)


def test_with_every_word_each_guarantee_that_words_can_carry_is_supported_and_with_none_it_is_not() -> None:
    found = dict.fromkeys(_OTHERS, Provenance.COMPUTED)
    assert standings(set(ATTESTABLE), found, model=False, store=False, seen=0) == {
        "certified-removal": 1,
        "data-deletion": 1,
        "deletion-as-control": 1,
        "deletion-as-confidentiality": 1,
        "adaptive-unlearning": 1,
    }
    silent = standings(set(), found, model=False, store=False, seen=0)
    assert (silent["certified-removal"], silent["data-deletion"]) == (0, 0)
