"""What a recheck of unsigned evidence finds: one statement changed at a time, named with what it should be."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import rfc8785

from auditor.errors import InputError
from auditor.evidence import digest_of
from auditor.verify.reading import read_evidence
from rechecks import Change, certificate, changed, check, document, findings, golden, premise

OVERRUN, OLD, OWN, CHEATER = "digits-newton-overrun", "digits-shipped-old", "digits-own-procedure", "digits-cheater"


def redigested(value: dict[str, Any]) -> None:
    """Put the policy's digest right again, as whoever changes the policy on purpose would."""
    policy = value["policy"]
    policy["digest"] = digest_of([policy["required"], policy["settings"], policy["claims"]])


def loosened(value: dict[str, Any]) -> None:
    value["policy"]["settings"]["min_quality"] = 0.5
    redigested(value)


def not_required(value: dict[str, Any]) -> None:
    value["policy"]["required"].remove("epsilon.consistency")
    redigested(value)


def exchanged(value: dict[str, Any]) -> None:
    """The requests of the first and the last batch trade their names."""
    first, last = value["requests"][0], value["requests"][10]
    first["request_id"], last["request_id"] = last["request_id"], first["request_id"]


def unrefuted_left_out(value: dict[str, Any]) -> None:
    row = check(value, "epsilon.consistency")["details"]["comparisons"][0]
    row["gap"] = row["lower"][0]["epsilon"] = 40.0
    premises = value["guarantees"][0]["derivation"][0]["premises"]
    premises[:] = [each for each in premises if "No attack" not in each["fact"]]


def left_out(check_id: str) -> Change:
    """A failed check turned into one that the command line left out."""

    def change(value: dict[str, Any]) -> None:
        found = check(value, check_id)
        found.update(status="skipped", value=None, interval=None, threshold=None, basis="Left out by --only.", details={})

    return change


def passing(value: dict[str, Any]) -> None:
    """A fail turned into a pass all the way up to the sentence, but for the numbers."""
    for check_id in ("model.reproduced", "removal.residual"):
        check(value, check_id)["status"] = "pass"
    value["verdict"], value["audit"]["exit_code"] = "pass", 0
    value["sentence"] = (
        "Pass: “digits-shipped-old” release 2026.6 meets all 8 required checks; 15 other checks were not required."
    )


CHANGES: list[tuple[str, str, Change, str]] = [
    (
        "a check's status",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="pass"),
        r"checks\[10\] removal\.budget: status is pass; value .* give fail",
    ),
    (
        "a fail hidden as inconclusive",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="inconclusive"),
        r"removal\.budget: status is inconclusive",
    ),
    (
        "a fail hidden as skipped",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="skipped"),
        r"removal\.budget: skipped, although the procedure is certified-removal",
    ),
    ("a fail hidden as left out", OVERRUN, left_out("removal.budget"), r"audit\.id: it is "),
    (
        "a fail hidden as error",
        OVERRUN,
        lambda v: check(v, "removal.budget").update(status="error"),
        r"removal\.budget: status is error, and yet it has a value",
    ),
    ("a fail turned into a pass throughout", OLD, passing, r"model\.reproduced: status is pass; .* give fail"),
    (
        "a value",
        "digits-newton",
        lambda v: check(v, "removal.budget").update(value=0.5),
        r"removal\.budget: value is 0\.5, β over the budget is 0\.64314",
    ),
    (
        "the quality",
        "digits-newton",
        lambda v: check(v, "swap.quality").update(value=1.0),
        r"swap\.quality: value is 1.*, its pair advantages give 0\.996160714286",
    ),
    (
        "an interval",
        "digits-newton",
        lambda v: check(v, "swap.quality").update(interval=[0.99, 1]),
        r"checks\[4\] swap\.quality: interval is \[0\.99, 1.*\], its pair advantages give \[0\.978627382304, 1\]",
    ),
    (
        "a pair advantage",
        "digits-newton",
        lambda v: check(v, "swap.quality")["details"]["pair_advantages"]["procedure"]["loss"].__setitem__(3, 0.9),
        r"details\.attacks\.loss\.interval is",
    ),
    (
        "the do-nothing control",
        "digits-newton",
        lambda v: check(v, "swap.quality")["details"]["do_nothing"].update(interval=[0.1, 0.2]),
        r"details\.do_nothing\.interval is",
    ),
    (
        "a cheater's quality threshold",
        CHEATER,
        lambda v: check(v, "swap.quality").update(threshold=0.1, status="pass"),
        r"threshold is 0\.1, the policy's min_quality is 0\.9\b",
    ),
    (
        "the sizes of the game",
        "digits-newton",
        lambda v: check(v, "swap.quality")["details"].update(forgotten=15),
        r"details\.forgotten is 15, alpha and the target records give 14",
    ),
    (
        "the p-value",
        "digits-newton",
        lambda v: check(v, "swap.quality")["details"].update(sign_flip_p=0.0001),
        r"details\.sign_flip_p is 0\.0001",
    ),
    (
        "the whole-set adversary",
        "digits-newton",
        lambda v: check(v, "swap.strong")["details"].update(named=500),
        r"swap\.strong: value is .*, the count of models named right gives 0\.625",
    ),
    (
        "a control that was not equal",
        "digits-newton",
        lambda v: check(v, "swap.controls")["details"].update(identical=False, deterministic=False),
        r"swap\.controls: status is pass",
    ),
    (
        "a control's value",
        "digits-newton",
        lambda v: check(v, "swap.controls").update(value=0.9),
        r"swap\.controls: value is 0\.9, swap\.quality's details\.retrained has it as 1",
    ),
    (
        "a gap",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency").update(value=-50.0),
        r"epsilon\.consistency: value is -50.*, the largest gap is -9\.677",
    ),
    (
        "a lower bound",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency")["details"]["comparisons"][0]["lower"][0].update(epsilon=40.0),
        r"no certificate swap derives the lower bound 40",
    ),
    (
        "a lower bound left out",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency")["details"]["comparisons"][0]["lower"].pop(2),
        r"lower bounds by .*, expected by swap, swap-paper, whole-set, one-run",
    ),
    (
        "a comparison left out",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency")["details"]["comparisons"].pop(0),
        r"does not hold the bounds of the game's own removals once",
    ),
    (
        "a claim left out",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency")["details"]["comparisons"].pop(1),
        r"details\.comparisons speaks of the claims",
    ),
    ("a refutation left out", "digits-newton", unrefuted_left_out, r"no premise says that an attack of this run refutes it"),
    (
        "a tolerance",
        OLD,
        lambda v: check(v, "model.reproduced").update(threshold=1e9, status="pass"),
        r"model\.reproduced: threshold is 1.*, two reruns and the optimiser's tolerance admit",
    ),
    (
        "a residual",
        OLD,
        lambda v: check(v, "removal.residual").update(value=0.1),
        r"removal\.residual: value is 0\.1, details\.measured is",
    ),
    (
        "a residual's threshold",
        OLD,
        lambda v: check(v, "removal.residual").update(threshold=1e3),
        r"threshold is 1000, the last β of certificate removal-residual is 0\.201884850",
    ),
    (
        "an accuracy drop",
        "digits-newton",
        lambda v: check(v, "utility.accuracy").update(value=-0.5),
        r"utility\.accuracy: value is -0\.5, retrained minus unlearned is 0",
    ),
    (
        "an accuracy's interval",
        "digits-newton",
        lambda v: check(v, "utility.accuracy").update(interval=[-0.01, 0.01]),
        r"utility\.accuracy: interval is .*, which no count of 57 records gives",
    ),
    (
        "a policy that was loosened",
        "digits-newton",
        loosened,
        r"swap\.quality: threshold is 0\.965, the policy's min_quality is 0\.5",
    ),
    (
        "a policy and not its digest",
        "digits-newton",
        lambda v: v["policy"]["settings"].update(max_delta=0.5),
        r"policy\.digest: it is ",
    ),
    (
        "a speed",
        "digits-newton",
        lambda v: check(v, "cost.speedup").update(value=100.0),
        r"cost\.speedup: value is 100, retraining over unlearning is",
    ),
    (
        "an accuracy required after the fact",
        "digits-newton",
        lambda v: check(v, "cost.speedup").update(threshold=1.0, status="pass"),
        r"cost\.speedup: threshold is 1.*, the policy's min_speedup is nothing",
    ),
    (
        "a check that does not exist yet",
        "digits-newton",
        lambda v: check(v, "inference.example").update(status="pass", value=0.1, threshold=1.0),
        r"inference\.example: status is pass, .*: no rule of this version",
    ),
    (
        "data deletion of a procedure that nobody claims it of",
        "digits-newton",
        lambda v: check(v, "deletion.renyi").update(status="pass", value=0.1, threshold=1.0),
        r"deletion\.renyi: status is pass, and nothing in the case speaks of data deletion",
    ),
    (
        "deleted records found",
        "digits-newton",
        lambda v: check(v, "data.erased")["details"]["searched"][0].update(found=2),
        r"data\.erased: value is 0.*, and details\.searched counts between 2 and 2",
    ),
    (
        "a search of nothing",
        "digits-newton",
        lambda v: check(v, "data.erased")["details"].update(searched=[]),
        r"data\.erased: status is pass; .* give inconclusive",
    ),
    (
        "a certificate's result",
        "digits-newton",
        lambda v: certificate(v, "removal-budget").update(epsilon=0.1),
        r"certificates\[1\] removal-budget: epsilon is 0\.1, its inputs give 0\.6079463704",
    ),
    (
        "a certificate's input",
        "digits-newton",
        lambda v: certificate(v, "removal-budget")["inputs"].update(sigma=2.0),
        r"removal-budget: outputs\.budget is .*, its inputs give",
    ),
    (
        "a certificate's condition",
        "digits-newton",
        lambda v: certificate(v, "removal-budget")["conditions"][0].update(holds=False),
        r"conditions\.0\.holds is False, its inputs give True",
    ),
    (
        "a certificate's kind",
        "digits-newton",
        lambda v: certificate(v, "swap").update(kind="swop"),
        r"swop: kind is no rule of this version",
    ),
    (
        "a certificate's inputs",
        "digits-newton",
        lambda v: certificate(v, "swap")["inputs"].update(more=1),
        r"inputs cannot be read",
    ),
    (
        "a certificate left out, so that the game's own stands in its place",
        "digits-newton",
        lambda v: v["certificates"].pop(1),
        r"certificate removal-budget: beta is .*, certificate removal-residual gives 0\.20188",
    ),
    (
        "a guarantee's standing",
        OVERRUN,
        lambda v: v["guarantees"][0].update(status="supported", epsilon=1, delta=1e-4),
        r"guarantees\[0\] certified-removal: status is \"supported\", its premises give \"not-shown\"",
    ),
    (
        "a guarantee's ε",
        "digits-newton",
        lambda v: v["guarantees"][0].update(epsilon=0.1),
        r"certified-removal: epsilon is 0\.1, its premises give 1",
    ),
    (
        "a guarantee's words",
        "digits-newton",
        lambda v: v["guarantees"][0].update(statement="All is forgotten."),
        r"statement is \"All is forgotten\.\"",
    ),
    (
        "a premise that a check refutes",
        OVERRUN,
        lambda v: premise(v, "removal budget").update(how="computed"),
        r"is computed, what this evidence holds makes it refuted",
    ),
    (
        "a premise that nobody examined",
        "digits-newton",
        lambda v: premise(v, "whole state").update(how="computed"),
        r"is computed, what this evidence holds makes it unknown",
    ),
    (
        "an attested premise",
        "digits-newton",
        lambda v: premise(v, "independent of b").update(how="measured"),
        r"independent of b\.” is measured",
    ),
    (
        "a premise of no theorem",
        "digits-newton",
        lambda v: premise(v, "independent of b").update(fact="All is well."),
        r"“All is well\.” is no premise of any theorem",
    ),
    (
        "a premise left out",
        "digits-newton",
        lambda v: v["guarantees"][0]["derivation"][0]["premises"].pop(6),
        r"derivation\[0\] does not name the premises of its theorem",
    ),
    (
        "another theorem",
        "digits-newton",
        lambda v: v["guarantees"][0]["derivation"][0].update(rule="Folklore"),
        r"names other theorems",
    ),
    (
        "a guarantee left out",
        "digits-newton",
        lambda v: v["guarantees"].pop(),
        r"guarantees: lists certified-removal, deletion-as-control; the theorems speak of",
    ),
    (
        "a guessable seed",
        "digits-newton",
        lambda v: v["procedure"].update(seed_digest=None, seed_salt=None),
        r"seed cannot be guessed\.” is attested, what this evidence holds makes it refuted",
    ),
    (
        "a request's days",
        "digits-newton",
        lambda v: v["requests"][0].update(days=2),
        r"requests\[0\] REQ-2026-0001: days is 2, from 2026-01-07",
    ),
    (
        "a request made late",
        "digits-newton",
        lambda v: v["requests"][0].update(due_on="2026-01-08"),
        r"overdue is False, deleted on 2026-01-17 and due on 2026-01-08 it is True",
    ),
    (
        "a deadline moved",
        "digits-newton",
        lambda v: v["requests"][0].update(due_on="2026-03-07"),
        r"due_on is 2026-03-07, received on 2026-01-07 it is due on 2026-02-07",
    ),
    (
        "an overdue request",
        "digits-newton",
        lambda v: v["requests"][0].update(overdue=True),
        r"deletion_log: overdue does not list",
    ),
    (
        "a request's guarantee",
        OVERRUN,
        lambda v: v["requests"][0].update(guarantees=["certified-removal"]),
        r"guarantees is certified-removal, those that stand for it are none",
    ),
    (
        "a request that was not executed",
        "digits-newton",
        lambda v: v["requests"][0].update(status="open"),
        r"status is open, and deleted_at and days do not go with it",
    ),
    (
        "a request that nobody can be in",
        "digits-newton",
        lambda v: v["requests"][15].update(status="forgotten"),
        r'status is "forgotten", which no request has',
    ),
    (
        "two requests exchanged",
        "digits-newton",
        exchanged,
        r"details\.series\[\d+\] \(REQ-2026-00\d\d\) was executed before the batch that it follows",
    ),
    (
        "a request left out",
        "digits-newton",
        lambda v: v["requests"].pop(0),
        r"deletion_log: requests is 16, the requests listed are 15",
    ),
    (
        "a problem left out",
        "digits-newton",
        lambda v: v["deletion_log"]["problems"].append({"row": 1, "code": "X", "message": "m"}),
        r"log\.consistency: value is 0.*, the problems that deletion_log lists are 1",
    ),
    (
        "a batch more",
        "digits-newton",
        lambda v: v["deletion_log"].update(batches=13),
        r"certificate removal-residual: batches is 14, the log has 13",
    ),
    (
        "other records",
        "digits-newton",
        lambda v: v["case"].update(training_records=299),
        r"certificate removal-residual: rows is 300, the training records are 299",
    ),
    ("the verdict", OVERRUN, lambda v: v.update(verdict="pass"), r"verdict: it is pass, the required statuses give fail"),
    (
        "the exit code",
        OVERRUN,
        lambda v: v["audit"].update(exit_code=0),
        r"audit\.exit_code: it is 0, the required statuses give 1",
    ),
    (
        "the sentence",
        OVERRUN,
        lambda v: v.update(sentence="Pass: all is well."),
        r"sentence: it does not begin with the verdict, fail",
    ),
    ("what was required", "digits-newton", not_required, r"policy\.required: it lacks epsilon\.consistency"),
    (
        "a required check by default",
        OVERRUN,
        lambda v: v["policy"].update(required_by_default=True),
        r"policy\.required: it lacks swap\.quality",
    ),
    ("the seed of the audit", "digits-newton", lambda v: v["audit"].update(seed="7"), r"audit\.id: it is "),
    ("an input's digest", "digits-newton", lambda v: v["case"]["inputs"][0].update(sha256="0" * 64), r"case\.digest: it is "),
    (
        "a claim that was examined",
        "digits-newton",
        lambda v: v["policy"].update(claims_not_examined=["certified_removal"]),
        r"policy\.claims_not_examined",
    ),
    (
        "weak walls around foreign code",
        OWN,
        lambda v: v["environment"].update(isolation="process"),
        r"environment\.capped: it is False, and foreign code ran at level process",
    ),
    (
        "a cap without foreign code",
        "digits-newton",
        lambda v: v["environment"].update(capped=True),
        r"environment\.capped: it is True, and no foreign code",
    ),
    (
        "a quick run that decides",
        "digits-newton",
        lambda v: v["audit"].update(quick=True),
        r"swap\.quality: status is pass; .* give inconclusive",
    ),
    ("a check left out", "digits-newton", lambda v: v["checks"].pop(4), r"checks: missing: swap\.quality"),
    ("a check twice", "digits-newton", lambda v: v["checks"].append(v["checks"][0]), r"checks: more than once: log\.consistency"),
    ("checks in another order", "digits-newton", lambda v: v["checks"].reverse(), r"checks: not in the order of the contract"),
    (
        "details of another form",
        "digits-newton",
        lambda v: check(v, "epsilon.consistency")["details"].update(comparisons=[1]),
        r"epsilon\.consistency: details are not of the form",
    ),
]


@pytest.mark.parametrize(("name", "change", "message"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_change_is_found_and_named(name: str, change: Change, message: str) -> None:
    assert not findings(golden(name)), "honest evidence agrees"
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
@pytest.mark.parametrize("factor", [0.5, 1.001])
def test_no_number_that_decides_can_be_moved(check_id: str, factor: float) -> None:
    for name in NUMBERS_OF[check_id]:

        def move(value: dict[str, Any], name: str = name) -> None:
            found = check(value, check_id)
            moved = [end * factor + 0.001 for end in found[name]] if name == "interval" else found[name] * factor + 1
            found[name] = moved

        assert findings(changed(move)), f"{check_id} {name}"


def test_a_later_minor_version_is_read_without_what_this_one_does_not_know() -> None:
    def later(value: dict[str, Any]) -> None:
        value["schema"] = "auditor.evidence/1.7"
        value["more"] = {"a": 1}
        value["audit"]["tempo"] = 3
        value["checks"][4]["unit"] = "Q"
        value["certificates"][0]["conditions"][0]["since"] = 2027

    content = changed(later)
    assert not findings(content)
    read = read_evidence(content, "evidence.json")
    assert set(read.unknown) == {"more", "audit.tempo", "checks.4.unit", "certificates.0.conditions.0.since"}
    assert read.evidence.check("swap.quality").value == document()["checks"][4]["value"]


def test_a_later_minor_version_must_be_canonical_and_agree_too() -> None:
    def later(value: dict[str, Any]) -> None:
        value["schema"] = "auditor.evidence/1.7"
        check(value, "swap.quality")["value"] = 0.5

    value = document()
    later(value)
    assert any("swap.quality" in each for each in findings(changed(later)))
    assert any("canonical" in each for each in findings(json.dumps(value).encode()))


@pytest.mark.parametrize(
    "version", ["auditor.evidence/2", "auditor.evidence/2.1", "auditor.evidence/1.x", "auditor.letter/1", 1, None]
)
def test_another_major_version_is_refused(version: object) -> None:
    with pytest.raises(InputError, match="schema"):
        read_evidence(changed(lambda value: value.update(schema=version)), "evidence.json")


def test_what_this_version_lacks_of_a_later_one_is_still_an_error() -> None:
    value = document()
    value["schema"] = "auditor.evidence/1.1"
    del value["verdict"]
    with pytest.raises(InputError, match="verdict"):
        read_evidence(rfc8785.dumps(value), "evidence.json")
