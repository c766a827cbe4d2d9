"""`training.privacy` on what a rerun reports: thresholds, mismatches, doubts, and what a person with several records gets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replays
from auditor import case as cases
from auditor.audit.replay import Replay
from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.base.promises import SubsampledGaussian
from auditor.maths.certificates import derive
from auditor.maths.certificates.dp_sgd import schedule
from auditor.maths.tradeoff.reading import delta_at, epsilon_at, right_guesses
from auditor.pages.words import basis, sentence
from auditor.parts.networks.judging import training_privacy
from auditor.parts.networks.judging.training_privacy import Derived, Observed, Told, judge, pledged
from auditor.parts.networks.observing import privacy
from auditor.parts.networks.settings import Private, Torch
from auditor.parts.store.judging import data_erased
from auditor.parts.store.judging.near_copies import Copies
from auditor.settings.attestations import COPIES, PEOPLE
from auditor.settings.tables import Claims, Policy, PrivacyClaim
from auditor.verdict import reliance
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.corollaries import promise_by
from auditor.verdict.guarantees import Pledge
from cases import replace as reword
from judging import attesting, case_facts, context_of_case, declared, log_facts, told_check
from network_cases import write_case
from small_cases import SECRET

NOISE = "dp = { noise_multiplier = 2.0, max_grad_norm = 1.0, delta = 1e-5 }\n"
RECORDS = 300
RATE, STEPS = schedule(RECORDS, batch=32, epochs=2)
EPSILON = derive("dp-sgd", {"noise_multiplier": 2.0, "sample_rate": RATE, "steps": STEPS, "delta": 1e-5}).epsilon or 0.0
OF_ONE = SubsampledGaussian(noise_multiplier=2.0, sample_rate=RATE, steps=STEPS)
TOLD = Told(noise_multiplier=2.0, sample_rate=RATE, steps=float(STEPS), delta=1e-5)
SILENT = Told(noise_multiplier=None, sample_rate=None, steps=None, delta=None)
WORDS = ("seed-secret", "subjects-complete")
CLAIM = attesting(*WORDS, claims=Claims(dp=PrivacyClaim(epsilon=3.0, delta=1e-5)))


def network(*, unlearn: str = "none", delta: float = 1e-5, entry: str | None = None) -> Torch:
    noise = Private(noise_multiplier=2.0, max_grad_norm=1.0, delta=delta)
    named: dict[str, Any] = {"entry": entry} if entry else {"model": "mlp"}
    return Torch(**named, epochs=2, rate=0.1, dp=noise, unlearn=unlearn)


def context(procedure: Torch | None = None, **changes: Any) -> Context:
    """300 records, of which two batches removed three; the training is private, and its claim is ε = 3."""
    case = case_facts(training_records=RECORDS, records_left=297)
    return declared(**{"procedure": procedure or network(), "case": case, "claims": CLAIM, **changes})


def observed(**changes: Any) -> Observed:
    values: dict[str, Any] = {"told": (TOLD, TOLD, TOLD), "left": (299, 297), "records_per_person": 1, "labels_lost": False}
    values["subjects"] = True
    return Observed(**{**values, **changes})


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def test_noise_that_is_worth_what_was_claimed_passes_and_is_a_persons() -> None:
    finding = judge(context(), observed(), {})
    assert (finding.status, finding.value, finding.threshold) == (Status.PASS, EPSILON, 3.0)
    assert pledged(finding) == Pledge(EPSILON, 1e-5, OF_ONE)
    assert [each.kind for each in finding.certificates] == ["dp-sgd"]
    (known,) = finding.facts
    assert (known.name, known.how) == ("dp-per-subject", Provenance.ATTESTED)
    assert "nobody has more than one record" in sentence(known.evidence)
    assert training_privacy.examined_claims(finding) == {"dp"}
    details = told_check("training.privacy", finding, observed()).details
    assert details["trainings"] == [{"records": 300, "sample_rate": RATE, "steps": STEPS, "epsilon": EPSILON}]
    assert details["sources"] == [
        {"source": "procedure", "epsilon": None, "delta": 1e-5},
        {"source": "claim", "epsilon": 3.0, "delta": 1e-5},
    ]


@pytest.mark.parametrize(
    ("claims", "policy", "status", "threshold", "words"),
    [
        (Claims(), Policy(), Status.INCONCLUSIVE, None, "No threshold: neither claim nor policy names an ε"),
        (Claims(dp=PrivacyClaim(epsilon=1.0, delta=1e-5)), Policy(), Status.FAIL, 1.0, "Upper bound"),
        (Claims(), Policy(max_epsilon=4.5), Status.PASS, 4.5, "Upper bound"),
        # ε = 5 alone leaves 99.4 right guesses of 100; noise that keeps to it leaves what its trade-off function says.
        (Claims(), Policy(max_epsilon=5.0), Status.PASS, 5.0, "Upper bound"),
        (CLAIM, Policy(max_epsilon=0.1), Status.FAIL, 0.1, "Upper bound"),
        (CLAIM, Policy(max_epsilon=EPSILON), Status.PASS, EPSILON, "Upper bound"),
        (Claims(dp=PrivacyClaim(epsilon=100.0, delta=0.0)), Policy(), Status.FAIL, 100.0, "There is no such ε"),
        (Claims(dp=PrivacyClaim(epsilon=100.0, delta=0.0)), Policy(max_epsilon=0.1), Status.FAIL, 0.1, "There is no such ε"),
        (Claims(), Policy(max_delta=0.0), Status.INCONCLUSIVE, None, "There is no such ε"),
    ],
)
def test_the_strictest_of_claim_and_policy_decides(
    claims: Claims, policy: Policy, status: Status, threshold: float | None, words: str
) -> None:
    finding = judge(context(claims=claims, policy=policy), observed(), {})
    assert (finding.status, finding.threshold) == (status, threshold)
    assert words in basis(finding.reasons)
    if finding.value is None:
        assert (pledged(finding), finding.facts, training_privacy.examined_claims(finding)) == (None, (), frozenset())


def test_noise_that_hides_next_to_nothing_promises_nothing() -> None:
    weak = network().model_copy(update={"dp": Private(noise_multiplier=0.1, max_grad_norm=1.0, delta=1e-5)})
    told = (TOLD.model_copy(update={"noise_multiplier": 0.1}),) * 3
    finding = judge(context(weak, claims=Claims(), policy=Policy(max_epsilon=1e4)), observed(told=told), {})
    assert finding.status is Status.INCONCLUSIVE
    (reason,) = [each for each in finding.reasons if each.code == "promise.guesses"]
    assert reason.parameters["share"] == 1.0, "of ε and δ as they are stated: what came off a distribution stands nowhere"


def test_a_person_with_several_records_is_promised_what_the_noise_says_of_them_together() -> None:
    finding = judge(context(), observed(records_per_person=2), {})
    pledge = pledged(finding)
    assert pledge is not None
    assert pledge.promise == replace(OF_ONE, group=2)
    assert right_guesses(OF_ONE) < right_guesses(pledge.promise) < right_guesses(promise_by(pledge_alone(pledge)))


def pledge_alone(pledge: Pledge) -> Pledge:
    """Its ε and δ without what the mechanism says."""
    return Pledge(pledge.epsilon, pledge.delta)


def test_the_strictest_delta_counts_for_every_source() -> None:
    finding = judge(context(policy=Policy(max_epsilon=50.0, max_delta=1e-9)), observed(), {})
    assert (derived(finding).delta, finding.threshold) == (1e-9, 3.0)
    assert finding.value is not None
    assert finding.value > EPSILON
    assert finding.status is (Status.PASS if finding.value <= 3.0 else Status.FAIL)


@pytest.mark.parametrize(("delta", "weak"), [(0.01, True), (1 / RECORDS, True), (0.003, False)])
def test_a_weak_delta_is_named(delta: float, weak: bool) -> None:
    told = (TOLD.model_copy(update={"delta": delta}),) * 3
    finding = judge(context(network(delta=delta), claims=Claims()), observed(told=told), {})
    assert ("is not below 1/n" in basis(finding.reasons)) is weak
    held = judge(context(network(delta=delta)), observed(told=told), {})
    assert held.status is Status.PASS  # The claim's δ is smaller.
    only = Policy(max_epsilon=3.0)
    assert judge(context(network(delta=delta), claims=Claims(), policy=only), observed(told=told), {}).status is (
        Status.INCONCLUSIVE if weak else Status.PASS
    )


def test_noise_from_a_seed_that_can_be_tried_hides_nothing() -> None:
    finding = judge(context(seed_bits=95), observed(), {})
    assert finding.status is Status.INCONCLUSIVE
    assert "a seed of fewer than 96 bits" in basis(finding.reasons)
    assert judge(context(seed_bits=96), observed(), {}).status is Status.PASS


@pytest.mark.parametrize(
    ("name", "value"), [("steps", 19.0), ("sample_rate", 0.5), ("noise_multiplier", 4.0), ("delta", 1e-4), ("steps", None)]
)
@pytest.mark.parametrize("batch", [0, 2])
def test_a_rerun_that_trained_otherwise_is_an_error(name: str, value: float | None, batch: int) -> None:
    told = [TOLD, TOLD, TOLD]
    told[batch] = TOLD.model_copy(update={name: value})
    finding = judge(context(), observed(told=tuple(told)), {})
    assert (finding.status, finding.value, finding.facts, finding.certificates) == (Status.ERROR, None, (), ())
    assert pledged(finding) is None
    where = "After batch 2" if batch else "After learning"
    assert basis(finding.reasons).startswith(f"{where} the rerun reports dp_{name} = {value}; settings and data make it ")


def test_a_rerun_that_is_silent_about_a_training_is_an_error() -> None:
    finding = judge(context(), observed(told=(TOLD,)), {})
    assert finding.status is Status.ERROR
    assert basis(finding.reasons) == "The rerun reported 1 trainings, expected 3."


def test_a_model_that_was_changed_without_noise_is_not_private_any_more() -> None:
    procedure = network(unlearn="fine-tune")
    finding = judge(context(procedure), observed(told=(TOLD, SILENT, SILENT)), {})
    assert (finding.status, finding.value, finding.facts) == (Status.INCONCLUSIVE, EPSILON, ())
    assert "The model after fine-tune is no longer that of a private training" in basis(finding.reasons)
    lying = judge(context(procedure), observed(), {})
    assert lying.status is Status.ERROR
    assert "calls its model private after batch 1, and fine-tune reads records without noise" in basis(lying.reasons)
    # Where nothing was unlearned, the model is still the one that was trained.
    untouched = judge(context(procedure, log=log_facts(batches=0)), observed(told=(TOLD,), left=()), {})
    assert untouched.status is Status.PASS


def test_a_person_with_several_records_gets_less() -> None:
    """Their ε is read off the distribution of their group, at the δ of one record."""
    finding = judge(context(), observed(records_per_person=3), {})
    pledge, together = pledged(finding), replace(OF_ONE, group=3)
    assert pledge == Pledge(epsilon_at(together, 1e-5), 1e-5, together)
    person = derived(finding).for_a_person
    assert person is not None
    assert (person.epsilon, person.delta, person.records) == (pledge.epsilon, 1e-5, 3)
    assert [each.kind for each in finding.certificates] == ["dp-sgd"]
    assert "nobody has more than at most 3 records" in sentence(finding.facts[0].evidence)
    # So many that nothing is hidden: nothing is promised to anybody, and the ε of one record stays what it is.
    crowd = judge(context(), observed(records_per_person=500), {})
    assert (pledged(crowd), crowd.facts, crowd.value) == (None, (), EPSILON)
    assert [each.kind for each in crowd.certificates] == ["dp-sgd"]


@pytest.mark.parametrize(("below", "standing"), [(1.0, ClaimStatus.SUPPORTED), (0.999, ClaimStatus.NOT_SHOWN)])
def test_a_claim_stands_for_a_person_whose_records_keep_it_by_their_distribution(below: float, standing: ClaimStatus) -> None:
    """Their ε at the claimed δ decides: kε is one at a δ that is e^kε as large, and kept no claim for anybody with several."""
    finding = judge(context(), observed(records_per_person=3), {})
    person = derived(finding).for_a_person
    assert person is not None
    claimed = {"epsilon": below * person.epsilon, "delta": 1e-5}
    private = reliance.Promise(person.epsilon, person.delta)
    statuses = {"training.privacy": Status.PASS}
    (claim,) = reliance.claims({"dp": claimed}, guarantees=[], statuses=statuses, attested=("seed-secret",), private=private)
    assert claim.standing is standing
    assert delta_at(replace(OF_ONE, group=3), person.epsilon) <= 1e-5 * (1 + 1e-3)


def test_where_two_trainings_count_a_person_with_several_records_gets_group_privacy() -> None:
    rates = [schedule(records, batch=32, epochs=2) for records in (RECORDS, 299, 297)]
    told = tuple(TOLD.model_copy(update={"sample_rate": rate, "steps": float(steps)}) for rate, steps in rates)
    finding = judge(context(network(unlearn="retrain")), observed(told=told, records_per_person=3), {})
    pledge, value = pledged(finding), finding.value
    assert pledge is not None
    assert value is not None
    assert pledge == Pledge(pytest.approx(3 * value), pledge.delta, None)
    assert finding.certificates[-1].kind == "group"
    assert finding.certificates[-1].outputs == {"epsilon": pledge.epsilon, "delta": pledge.delta}
    assert pledge.delta > 3e-5


@pytest.mark.parametrize("missing", WORDS)
def test_a_person_is_promised_nothing_where_a_word_is_missing(missing: str) -> None:
    claims = attesting(*(name for name in WORDS if name != missing), claims=CLAIM)
    (known,) = judge(context(claims=claims), observed(), {}).facts
    assert (known.name, known.how) == ("dp-per-subject", Provenance.UNKNOWN)
    assert f'add "{missing}" to [claims] attested' in sentence(known.evidence)


@pytest.mark.parametrize(
    ("found", "said", "how"),
    [
        (12, (), Provenance.UNKNOWN),
        (1, (), Provenance.UNKNOWN),
        (0, (), Provenance.ATTESTED),
        (12, (COPIES,), Provenance.ATTESTED),
    ],
)
def test_a_second_epoch_under_other_ids_promises_nobody_anything(found: int, said: tuple[str, ...], how: Provenance) -> None:
    """However usual copies are: where each row is there twice, each person is learned twice, and the log names one."""
    twice = Copies(deleted=12, found=found, equal=found, retained_looked_at=846, retained_with_a_copy=846, retained_equal=846)
    seen = data_erased.Observed.model_construct(copies=twice)
    erased = Finding(Status.PASS, observed=seen)
    claims = attesting(*WORDS, *said, claims=CLAIM)
    finding = judge(context(claims=claims), observed(), {data_erased.CARD.id: erased})
    (known,) = finding.facts
    assert (known.name, known.how) == ("dp-per-subject", how)
    assert ('add "copies-are-others"' in sentence(known.evidence)) == (how is Provenance.UNKNOWN)
    assert finding.status is (Status.INCONCLUSIVE if how is Provenance.UNKNOWN else Status.PASS)
    assert ("add copies-are-others" in basis(finding.reasons)) == (how is Provenance.UNKNOWN)


def test_rows_given_again_under_other_ids_support_no_claim_and_save_none_from_failing() -> None:
    """Nobody has to be deleted for it: the claim is made to everybody, and whose equal rows are only somebody's word says."""
    again = observed(equal_rows=2)
    finding = judge(context(), again, {})
    assert (finding.status, finding.value, finding.facts[0].how) == (Status.INCONCLUSIVE, EPSILON, Provenance.UNKNOWN)
    assert "2 training records equal another under another id" in basis(finding.reasons)
    claim = reliance.claims(
        {"dp": {"epsilon": 8.0, "delta": 1e-5}},
        guarantees=[],
        statuses={"training.privacy": finding.status},
        attested=("seed-secret",),
        private=reliance.Promise(EPSILON, 1e-5),
    )
    assert [each.standing for each in claim] == [ClaimStatus.NOT_SHOWN]
    by_word = judge(context(claims=attesting(*WORDS, COPIES, claims=CLAIM)), again, {})
    assert (by_word.status, by_word.facts[0].how) == (Status.PASS, Provenance.ATTESTED)
    strict = Claims(dp=PrivacyClaim(epsilon=EPSILON / 2, delta=1e-5))
    assert judge(context(claims=strict), again, {}).status is Status.FAIL


def test_equal_rows_that_the_table_gives_to_different_people_rest_on_its_word() -> None:
    seen = observed(equal_by_table=4)
    assert judge(context(), seen, {}).status is Status.PASS
    assert training_privacy.declarations(context(), seen) == (PEOPLE,)
    assert training_privacy.declarations(context(), observed()) == ()


@pytest.mark.parametrize(
    ("seed", "how"),
    [(7, Provenance.REFUTED), (2**64 - 1, Provenance.REFUTED), (2**95 - 1, Provenance.REFUTED), (2**95, Provenance.ATTESTED)],
)
def test_a_guessable_seed_refutes_the_privacy(tmp_path: Path, seed: int, how: Provenance) -> None:
    words = f'[claims]\nattested = {json.dumps(WORDS)}\nattested_by = "A. N. Other"\nattested_at = 2026-01-31\n'
    folder = write_case(tmp_path, keys=f'{NOISE}unlearn = "none"', tables=words)
    reword(folder, f'seed = "{SECRET}"', f'seed = "{seed}"')
    finding = judge(context_of_case(cases.read(folder)), observed(), {})
    assert [(each.name, each.how) for each in finding.facts] == [("dp-per-subject", how)]


def test_no_noise_hides_a_label_that_only_deleted_records_had() -> None:
    finding = judge(context(), observed(labels_lost=True), {})
    assert finding.status is Status.PASS
    assert [(each.name, each.how) for each in finding.facts] == [("dp-per-subject", Provenance.REFUTED)]


def test_the_controllers_own_network_is_not_believed() -> None:
    finding = judge(context(network(entry="net.py:Net")), observed(), {})
    assert (finding.status, finding.facts) == (Status.INCONCLUSIVE, ())
    assert "The network is the controller's own" in basis(finding.reasons)
    # A doubt saves nobody from a failure.
    claims = Claims(dp=PrivacyClaim(epsilon=1.0, delta=1e-5))
    assert judge(context(network(entry="net.py:Net"), claims=claims), observed(), {}).status is Status.FAIL


def test_without_private_training_the_check_does_not_apply() -> None:
    reason = training_privacy.applies(declared(), {})
    assert reason is not None
    assert sentence(reason).startswith("Does not apply")
    public = Torch(model="mlp", epochs=2, rate=0.1)
    assert training_privacy.applies(context(public), {}) == reason
    assert training_privacy.applies(context(), {}) is None


def test_training_from_scratch_is_judged_at_the_released_training_too() -> None:
    told = tuple(TOLD.model_copy(update={"sample_rate": 32 / count}) for count in (300, 299, 297))
    finding = judge(context(network(unlearn="retrain")), observed(told=told), {})
    trainings = derived(finding).trainings
    assert [each.records for each in trainings] == [300, 297]
    assert finding.value == trainings[1].epsilon
    assert finding.value is not None
    assert finding.value > EPSILON == trainings[0].epsilon
    assert (len(finding.certificates), finding.facts) == (2, ())
    assert judge(context(network(unlearn="retrain")), observed(), {}).status is Status.ERROR


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    """What a rerun observes of a model that no deletion changes, as far as the check looks at it."""
    case = cases.read(write_case(tmp_path))
    told = {"retrained": False, "dp_noise_multiplier": 2.0, "dp_sample_rate": RATE, "dp_steps": float(STEPS), "dp_delta": 1e-5}
    return replays.plain(case, retrained=(False, False), told=(told, told, {"retrained": False}))


def test_a_run_lists_what_was_reported_and_counts_what_is_left(tmp_path: Path, replay: Replay) -> None:
    seen = privacy.observe(cases.read(tmp_path), replay)
    assert seen == Observed(told=(TOLD, TOLD, SILENT), left=(299, 297), records_per_person=2, labels_lost=False)


def test_the_ids_of_the_records_are_listed_once(tmp_path: Path, replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed again for each request, they make a log of 100,000 requests take hours."""
    listed: list[int] = []
    ids = cases.Case.known_ids.fget
    case = cases.read(tmp_path)
    monkeypatch.setattr(cases.Case, "known_ids", property(lambda case: listed.append(1) or ids(case)))
    privacy.observe(case, replay)
    assert len(listed) == 1


def test_people_with_several_records_are_found_by_their_subject(tmp_path: Path, replay: Replay) -> None:
    log = tmp_path / "deletions.jsonl"
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    log.write_text("".join(json.dumps({**row, "subject": "person-1"}) + "\n" for row in rows), encoding="utf-8")
    assert privacy.observe(cases.read(tmp_path), replay).records_per_person == 3


def test_a_label_that_only_deleted_records_had_is_seen(tmp_path: Path, replay: Replay) -> None:
    case = cases.read(tmp_path)
    labels = case.train.labels.copy()
    labels[np.concatenate(replay.forgotten)] = 10
    assert privacy.observe(replace(case, train=replace(case.train, labels=labels)), replay).labels_lost
