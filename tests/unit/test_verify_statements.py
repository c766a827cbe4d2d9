"""What a recheck of unsigned evidence finds: one statement changed at a time, named with what it should be."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import rfc8785

from auditor.base.errors import InputError
from auditor.document.context import Attested
from auditor.document.evidence import policy_digest
from auditor.recheck.files import read_evidence
from auditor.verdict.checks.deleting import games
from rechecks import Change, certificate, changed, check, document, findings, honest, premise

OVERRUN, OLD, OWN, CHEATER = "digits-newton-overrun", "digits-shipped-old", "digits-own-procedure", "digits-cheater"


def redigested(value: dict[str, Any]) -> None:
    """Put the policy's digest right again, as whoever changes the policy on purpose would."""
    policy = value["policy"]
    policy["digest"] = policy_digest(
        policy["required"],
        policy["settings"],
        policy["claims"],
        [Attested.model_validate_json(json.dumps(each)) for each in policy["attested"]],
    )


def loosened(value: dict[str, Any]) -> None:
    value["policy"]["settings"]["min_quality"] = 0.5
    redigested(value)


def not_required(value: dict[str, Any]) -> None:
    value["policy"]["required"].remove("removal.residual")
    redigested(value)


def exchanged(value: dict[str, Any]) -> None:
    """The requests of the first and the last batch trade their names."""
    first, last = value["requests"][0], value["requests"][10]
    first["request_id"], last["request_id"] = last["request_id"], first["request_id"]


def unrefuted_left_out(value: dict[str, Any]) -> None:
    row = check(value, "epsilon.consistency")["derived"]["comparisons"][0]
    row["gap"] = row["lower"][0]["epsilon"] = 40.0
    premises = value["guarantees"][0]["derivation"][0]["premises"]
    premises[:] = [each for each in premises if each["fact"] != "unrefuted"]


def left_out(check_id: str) -> Change:
    """A failed check turned into one that the command line left out."""

    def change(value: dict[str, Any]) -> None:
        reasons = [{"code": "left-out", "parameters": {}}]
        found = check(value, check_id)
        found.update(status="skipped", value=None, interval=None, threshold=None, reasons=reasons, observed=None, derived=None)
        # Games that are asked for by name are played, and of these nothing was observed.
        value["audit"]["only"] = [
            each["id"] for each in value["checks"] if each["id"] not in {check_id, "confidentiality.game", *games()}
        ]

    return change


def passing(value: dict[str, Any]) -> None:
    """A fail turned into a pass all the way up to the exit code, but for the numbers."""
    for check_id in ("model.reproduced", "removal.residual"):
        check(value, check_id)["status"] = "pass"
    value["verdict"], value["audit"]["exit_code"] = "pass", 0


def observed(check_id: str, **changes: Any) -> Change:
    """Other observations of a check."""
    return lambda value: check(value, check_id)["observed"].update(changes)


def derived(check_id: str, **changes: Any) -> Change:
    """Other derived values of a check."""
    return lambda value: check(value, check_id)["derived"].update(changes)


NEWTON = "digits-newton"
CHANGES: list[tuple[str, str, Change, str]] = [
    (
        "a check's status",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="pass"),
        r'checks\[13\] removal\.budget: status: it is "pass", .* gives "fail"',
    ),
    (
        "a fail hidden as inconclusive",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="inconclusive"),
        r'removal\.budget: status: it is "inconclusive"',
    ),
    (
        "a fail hidden as skipped",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="skipped"),
        r'removal\.budget: status: it is "skipped"',
    ),
    ("a fail hidden as left out", OVERRUN, left_out("removal.budget"), r"audit\.id: it is "),
    (
        "a fail hidden as error",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="error"),
        r'removal\.budget: status: it is "error"',
    ),
    ("a fail turned into a pass throughout", OLD, passing, r'model\.reproduced: status: it is "pass", .* gives "fail"'),
    (
        "a value",
        NEWTON,
        lambda v: check(v, "removal.budget").update(value=0.5),
        r"removal\.budget: value: it is 0\.5, .* gives 0\.64314",
    ),
    (
        "the quality",
        NEWTON,
        lambda v: check(v, "swap.quality").update(value=1.0),
        r"swap\.quality: value: it is 1, .* gives 0\.995178571429",
    ),
    (
        "an interval",
        NEWTON,
        lambda v: check(v, "swap.quality").update(interval=[0.99, 1]),
        r"checks\[6\] swap\.quality: interval\[0\]: it is 0\.99, .* gives 0\.977751566713",
    ),
    (
        "a pair advantage",
        NEWTON,
        lambda v: check(v, "swap.quality")["observed"]["pair_advantages"]["procedure"]["loss"].__setitem__(3, 0.9),
        r"swap\.quality: derived\.attacks\[\d\]\.interval\[0\]: it is",
    ),
    (
        "the do-nothing control",
        NEWTON,
        lambda v: check(v, "swap.quality")["derived"]["do_nothing"].update(interval=[0.1, 0.2]),
        r"derived\.do_nothing\.interval\[0\]: it is 0\.1,",
    ),
    (
        "a cheater's quality threshold",
        CHEATER,
        lambda v: check(v, "swap.quality").update(threshold=0.1, status="pass"),
        r"swap\.quality: threshold: it is 0\.1, .* gives 0\.9$",
    ),
    (
        "the sizes of the game",
        NEWTON,
        derived("swap.quality", forgotten=15),
        r"derived\.forgotten: it is 15, .* gives 14",
    ),
    ("the p-value", NEWTON, derived("swap.quality", sign_flip_p=0.0001), r"derived\.sign_flip_p: it is 0\.0001"),
    (
        "the whole-set adversary",
        NEWTON,
        observed("swap.strong", named=500),
        r"swap\.strong: value: it is .* gives 0\.625",
    ),
    (
        "a control that was not equal",
        NEWTON,
        observed("swap.controls", identical=False),
        r'swap\.controls: status: it is "pass", .* gives "inconclusive"',
    ),
    (
        "a control's value",
        NEWTON,
        lambda v: check(v, "swap.controls").update(value=0.9),
        r"swap\.controls: value: it is 0\.9, .* gives 1",
    ),
    (
        "a gap",
        NEWTON,
        lambda v: check(v, "epsilon.consistency").update(value=-50.0),
        r"epsilon\.consistency: value: it is -50, .* gives -9\.677",
    ),
    (
        "a lower bound",
        NEWTON,
        lambda v: check(v, "epsilon.consistency")["derived"]["comparisons"][0]["lower"][0].update(epsilon=40.0),
        r"derived\.comparisons\[0\]\.lower\[0\]\.epsilon: it is 40, .* gives 0",
    ),
    (
        "a lower bound left out",
        NEWTON,
        lambda v: check(v, "epsilon.consistency")["derived"]["comparisons"][0]["lower"].pop(2),
        r"derived\.comparisons\[0\]\.lower: it is ",
    ),
    (
        "a comparison left out",
        NEWTON,
        lambda v: check(v, "epsilon.consistency")["derived"]["comparisons"].pop(0),
        r"derived\.comparisons: it is ",
    ),
    (
        "a claim left out",
        NEWTON,
        lambda v: check(v, "epsilon.consistency")["derived"]["comparisons"].pop(1),
        r"derived\.comparisons: it is ",
    ),
    ("a refutation left out", NEWTON, unrefuted_left_out, r"certified-removal: derivation\[0\]\.premises: it is "),
    (
        "a tolerance",
        OLD,
        lambda v: check(v, "model.reproduced").update(threshold=1e9, status="pass"),
        r"model\.reproduced: threshold: it is 1000000000",
    ),
    (
        "a residual",
        OLD,
        lambda v: check(v, "removal.residual").update(value=0.1),
        r"removal\.residual: value: it is 0\.1,",
    ),
    (
        "a residual's threshold",
        OLD,
        lambda v: check(v, "removal.residual").update(threshold=1e3),
        r"removal\.residual: threshold: it is 1000, .* gives 0\.201884850",
    ),
    (
        "an accuracy drop",
        NEWTON,
        lambda v: check(v, "utility.accuracy").update(value=-0.5),
        r"utility\.accuracy: value: it is -0\.5, .* gives 0",
    ),
    (
        "an accuracy's interval",
        NEWTON,
        lambda v: check(v, "utility.accuracy").update(interval=[-0.01, 0.01]),
        r"utility\.accuracy: interval\[0\]: it is -0\.01",
    ),
    (
        "more right predictions than records",
        NEWTON,
        observed("utility.accuracy", unlearned_right=60, retrained_right=60, lost=0, won=0),
        r"observed utility\.accuracy: 60 records are predicted right, the holdout has 57",
    ),
    (
        "an accuracy that the records won and lost do not give",
        NEWTON,
        observed("utility.accuracy", unlearned_right=57),
        r"cannot be judged \(.*one alone does",
    ),
    (
        "a policy that was loosened",
        NEWTON,
        loosened,
        r"swap\.quality: threshold: it is 0\.965, .* gives 0\.5",
    ),
    (
        "a policy and not its digest",
        NEWTON,
        lambda v: v["policy"]["settings"].update(max_delta=0.5),
        r"policy\.digest: it is ",
    ),
    ("a speed", NEWTON, lambda v: check(v, "cost.speedup").update(value=100.0), r"cost\.speedup: value: it is 100,"),
    (
        "an accuracy required after the fact",
        NEWTON,
        lambda v: check(v, "cost.speedup").update(threshold=1.0, status="pass"),
        r"cost\.speedup: threshold: it is 1, .* gives nothing",
    ),
    (
        "a check that does not exist yet",
        NEWTON,
        lambda v: check(v, "inference.example").update(status="pass", value=0.1, threshold=1.0),
        r'inference\.example: status: it is "pass", .* gives "skipped"',
    ),
    (
        "data deletion of a procedure that nobody claims it of",
        NEWTON,
        lambda v: check(v, "deletion.renyi").update(status="pass", value=0.1, threshold=1.0),
        r'deletion\.renyi: status: it is "pass", .* gives "skipped"',
    ),
    (
        "deleted records found",
        NEWTON,
        lambda v: check(v, "data.erased")["observed"]["searched"][0].update(found=2),
        r"observed data\.erased: 0 records were found, of 19, and the places that were searched count \[2, ",
    ),
    (
        "deleted records found and not counted",
        NEWTON,
        observed("data.erased", found=2),
        r'data\.erased: status: it is "pass", .* gives "fail"',
    ),
    (
        "a search of nothing",
        NEWTON,
        observed("data.erased", searched=[]),
        r'data\.erased: status: it is "pass", .* gives "inconclusive"',
    ),
    (
        "a certificate's result",
        NEWTON,
        lambda v: v["certificates"][1].update(epsilon=0.1),
        r"certificates\[1\] removal-budget: epsilon: it is 0\.1, .* gives 0\.6079463704",
    ),
    (
        "a certificate's input",
        NEWTON,
        lambda v: certificate(v, "removal-budget")["inputs"].update(sigma=2.0),
        r"removal-budget: inputs\.sigma: it is 2, .* gives 1",
    ),
    (
        "a certificate's condition",
        NEWTON,
        lambda v: certificate(v, "removal-budget")["conditions"][0].update(holds=False),
        r"conditions\[0\]\.holds: it is False, .* gives True",
    ),
    ("a certificate's kind", NEWTON, lambda v: certificate(v, "swap").update(kind="swop"), r"certificates: it is "),
    (
        "a certificate's inputs",
        NEWTON,
        lambda v: certificate(v, "swap")["inputs"].update(more=1),
        r"inputs\.more: it is 1, .* gives \"\(missing\)\"",
    ),
    (
        "a certificate left out, so that the game's own stands in its place",
        NEWTON,
        lambda v: v["certificates"].pop(7),
        r"certificates: it is ",
    ),
    (
        "a guarantee's standing",
        OVERRUN,
        lambda v: v["guarantees"][0].update(status="supported", epsilon=1, delta=1e-4),
        r'guarantees\[0\] certified-removal: status: it is "supported", .* gives "not-shown"',
    ),
    (
        "a guarantee's ε",
        NEWTON,
        lambda v: v["guarantees"][0].update(epsilon=0.1),
        r"certified-removal: epsilon: it is 0\.1, .* gives 0\.60794637040\d",
    ),
    (
        "a guarantee's terms",
        NEWTON,
        lambda v: v["guarantees"][1]["terms"].update(by_noise=True),
        r"deletion-as-control: terms\.by_noise: it is True, .* gives False",
    ),
    (
        "terms of another guarantee",
        NEWTON,
        lambda v: v["guarantees"][0].update(terms={"by_noise": False}),
        r"certified-removal: terms\.by_noise: it is False, .* gives \"\(missing\)\"",
    ),
    (
        "a premise that a check refutes",
        OVERRUN,
        lambda v: premise(v, "criterion-met").update(how="computed"),
        r'\.how: it is "computed", .* gives "refuted"',
    ),
    (
        "a premise that nobody examined",
        NEWTON,
        lambda v: premise(v, "whole-state").update(how="computed"),
        r'\.how: it is "computed", .* gives "unknown"',
    ),
    (
        "an attested premise",
        NEWTON,
        lambda v: premise(v, "residual-independent").update(how="measured"),
        r'\.how: it is "measured", .* gives "attested"',
    ),
    (
        "a premise of no theorem",
        NEWTON,
        lambda v: premise(v, "residual-independent").update(fact="all-is-well"),
        r'\.fact: it is "all-is-well", .* gives "residual-independent"',
    ),
    (
        "a premise left out",
        NEWTON,
        lambda v: v["guarantees"][0]["derivation"][0]["premises"].pop(6),
        r"certified-removal: derivation\[0\]\.premises: it is ",
    ),
    (
        "another theorem",
        NEWTON,
        lambda v: v["guarantees"][0]["derivation"][0].update(rule="folklore"),
        r'derivation\[0\]\.rule: it is "folklore"',
    ),
    (
        "a guarantee left out",
        NEWTON,
        lambda v: v["guarantees"].pop(),
        r'guarantees: it is \["certified-removal", "deletion-as-control"\]',
    ),
    (
        "a guessable seed",
        NEWTON,
        lambda v: v["procedure"].update(seed_bits=3, seed_digest=None, seed_salt=None),
        r'\.how: it is "attested", .* gives "refuted"',
    ),
    (
        "a digest of a guessable seed",
        NEWTON,
        lambda v: v["procedure"].update(seed_bits=3),
        r"procedure\.seed_digest: it is .* gives nothing",
    ),
    (
        "a salt without the digest that it is for",
        NEWTON,
        lambda v: v["procedure"].update(seed_salt=None),
        r"procedure\.seed_salt: it is nothing",
    ),
    (
        "a request's days",
        NEWTON,
        lambda v: v["requests"][0].update(days=2),
        r"requests\[0\] REQ-2026-0001: days: it is 2, .* gives \d+",
    ),
    (
        "a request made late",
        NEWTON,
        lambda v: v["requests"][0].update(due_on="2026-01-08"),
        r"REQ-2026-0001: due_on: it is .2026-01-08., .* gives .2026-02-09.",
    ),
    (
        "a deadline moved",
        NEWTON,
        lambda v: v["requests"][0].update(due_on="2026-03-07"),
        r"REQ-2026-0001: due_on: it is .2026-03-07., .* gives .2026-02-09.",
    ),
    (
        "an overdue request",
        NEWTON,
        lambda v: v["requests"][0].update(overdue=True),
        r"REQ-2026-0001: overdue: it is True, .* gives False",
    ),
    (
        "a request's guarantee",
        OVERRUN,
        lambda v: v["requests"][0].update(guarantees=["certified-removal"]),
        r'guarantees: it is \["certified-removal"\], .* gives \[\]',
    ),
    (
        "a request that was not executed",
        NEWTON,
        lambda v: v["requests"][0].update(status="open"),
        r"status is open, which contradicts deleted_at or days",
    ),
    (
        "a request that nobody can be in",
        NEWTON,
        lambda v: v["requests"][15].update(status="forgotten"),
        r'status is "forgotten", which no request has',
    ),
    (
        "two requests exchanged",
        NEWTON,
        exchanged,
        r"observed removal\.residual: REQ-2026-00\d\d was executed before the batch that it follows",
    ),
    ("a request left out", NEWTON, lambda v: v["requests"].pop(0), r"deletion_log\.requests: it is 16, .* gives 15"),
    (
        "a problem added",
        NEWTON,
        lambda v: v["deletion_log"]["problems"].append({"row": 1, "code": "X", "message": "m"}),
        r"log\.consistency: value: it is 0, .* gives 1",
    ),
    (
        "a batch more",
        NEWTON,
        lambda v: v["deletion_log"].update(batches=13),
        r"observed removal\.residual: batches are 14, the log has 13",
    ),
    (
        "other records",
        NEWTON,
        lambda v: v["case"].update(training_records=299),
        r"observed removal\.residual: 18 records were removed, by the log 17",
    ),
    ("the verdict", OVERRUN, lambda v: v.update(verdict="pass"), r'verdict: it is "pass", .* gives "fail"'),
    ("the exit code", OVERRUN, lambda v: v["audit"].update(exit_code=0), r"audit\.exit_code: it is 0, .* gives 1"),
    ("what was required", NEWTON, not_required, r"policy\.required: it is "),
    (
        "a required check by default",
        OVERRUN,
        lambda v: v["policy"].update(required_by_default=True),
        r"policy\.required_by_default: it is True, .* gives False",
    ),
    (
        "the policy's list taken away",
        OVERRUN,
        lambda v: v["policy"].update(required_by_default=True, listed=None),
        r"policy\.required: it is ",
    ),
    ("the seed of the audit", NEWTON, lambda v: v["audit"].update(seed="7"), r"audit\.id: it is "),
    ("an input's digest", NEWTON, lambda v: v["case"]["inputs"][0].update(sha256="0" * 64), r"case\.digest: it is "),
    (
        "a claim that was examined",
        NEWTON,
        lambda v: v["policy"].update(claims_not_examined=["certified_removal"]),
        r"policy\.claims_not_examined: it is ",
    ),
    (
        "weak walls around foreign code",
        OWN,
        lambda v: v["environment"].update(isolation="process"),
        r"environment\.capped: it is False, .* gives True",
    ),
    (
        "a cap without foreign code",
        NEWTON,
        lambda v: v["environment"].update(capped=True),
        r"environment\.capped: it is True, .* gives False",
    ),
    (
        "a quick run that decides",
        NEWTON,
        lambda v: v["audit"].update(quick=True),
        r'swap\.quality: status: it is "pass", .* gives "inconclusive"',
    ),
    ("a check left out", NEWTON, lambda v: v["checks"].pop(6), r"checks: missing: swap\.quality"),
    ("a check twice", NEWTON, lambda v: v["checks"].append(v["checks"][0]), r"checks: more than once: log\.consistency"),
    ("checks in another order", NEWTON, lambda v: v["checks"].reverse(), r"checks: not in the order of the contract"),
    (
        "observations of another form",
        NEWTON,
        observed("epsilon.consistency", swap=[1]),
        r"checks: what it says was observed cannot be judged \(swap: expected a table, found ",
    ),
    (
        "derived values of another form",
        NEWTON,
        derived("epsilon.consistency", comparisons=[1]),
        r"derived\.comparisons: it is ",
    ),
]


@pytest.mark.parametrize(("name", "change", "message"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_change_is_found_and_named(name: str, change: Change, message: str) -> None:
    assert honest(name)
    found = findings(changed(change, name))
    assert any(re.search(message, each) for each in found), found


def test_a_change_of_form_alone_is_found() -> None:
    found = findings(json.dumps(document(), ensure_ascii=False).encode())
    assert found == [
        "evidence: its bytes are not the canonical form (RFC 8785) of what it says, so its digest is not that of the evidence"
    ]
    spelled = changed(lambda value: check(value, "log.consistency").update(value="0"))
    assert any("canonical" in each for each in findings(spelled)), "a number in quotes reads as the number"


NUMBERS_OF = {
    "swap.quality": ("value", "interval", "threshold"),
    "swap.strong": ("value", "interval", "threshold"),
    "swap.controls": ("value", "threshold"),
    "epsilon.consistency": ("value", "threshold"),
    "removal.residual": ("value", "threshold"),
    "removal.budget": ("value", "threshold"),
    "model.reproduced": ("threshold",),
    "utility.accuracy": ("value", "interval", "threshold"),
    "cost.speedup": ("value",),
    "log.consistency": ("value", "threshold"),
    "log.deadlines": ("value", "threshold"),
    "data.erased": ("value", "threshold"),
}


@pytest.mark.parametrize("check_id", NUMBERS_OF)
@pytest.mark.parametrize("factor", [pytest.param(0.5, marks=pytest.mark.slow), 1.001])
def test_no_number_that_decides_can_be_moved(check_id: str, factor: float) -> None:
    for name in NUMBERS_OF[check_id]:

        def move(value: dict[str, Any], name: str = name) -> None:
            found = check(value, check_id)
            moved = [end * factor + 0.001 for end in found[name]] if name == "interval" else found[name] * factor + 1
            found[name] = moved

        assert findings(changed(move)), f"{check_id} {name}"


def test_a_sentence_of_its_own_is_refused() -> None:
    with pytest.raises(InputError, match="sentence"):
        findings(changed(lambda value: value.update(sentence="Pass: all is well."), OVERRUN))


@pytest.mark.parametrize("terms", [{"all": "forgotten"}, {"by_noise": 0}, {"by_noise": "no"}, [], None])
def test_terms_that_no_guarantee_has_are_refused_in_one_place(terms: object) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*guarantees\.1\.terms[^\n]*$"):
        findings(changed(lambda value: value["guarantees"][1].update(terms=terms), NEWTON))


def test_a_later_minor_version_is_read_without_what_this_one_does_not_know() -> None:
    def later(value: dict[str, Any]) -> None:
        value["schema"] = "auditor.evidence/2.7"
        value["more"] = {"a": 1}
        value["audit"]["tempo"] = 3
        value["guarantees"][1]["terms"]["later"] = 1
        value["checks"][6]["unit"] = "Q"
        value["certificates"][0]["conditions"][0]["since"] = 2027

    content = changed(later)
    assert not findings(content)
    read = read_evidence(content, "evidence.json")
    assert set(read.unknown) == {
        "more",
        "audit.tempo",
        "checks.6.unit",
        "certificates.0.conditions.0.since",
        "guarantees.1.terms.later",
    }
    assert read.evidence.check("swap.quality").value == document()["checks"][6]["value"]


def test_a_later_minor_version_must_be_canonical_and_agree_too() -> None:
    def later(value: dict[str, Any]) -> None:
        value["schema"] = "auditor.evidence/2.7"
        check(value, "swap.quality")["value"] = 0.5

    value = document()
    later(value)
    assert any("swap.quality" in each for each in findings(changed(later)))
    assert any("canonical" in each for each in findings(json.dumps(value).encode()))


@pytest.mark.parametrize(
    "version",
    ["auditor.evidence/1", "auditor.evidence/3", "auditor.evidence/3.1", "auditor.evidence/2.x", "auditor.letter/2", 1, None],
)
def test_another_major_version_is_refused(version: object) -> None:
    with pytest.raises(InputError, match="schema"):
        read_evidence(changed(lambda value: value.update(schema=version)), "evidence.json")


def test_what_this_version_lacks_of_a_later_one_is_still_an_error() -> None:
    value = document()
    value["schema"] = "auditor.evidence/2.1"
    del value["verdict"]
    with pytest.raises(InputError, match="verdict"):
        read_evidence(rfc8785.dumps(value), "evidence.json")
