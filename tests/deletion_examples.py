"""Evidence of an audit of noisy gradient descent, written by hand, its numbers from the rules that an audit takes them from."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import report_examples as examples
from auditor.base.domain import Certificate, ClaimStatus, Guarantee, Provenance, Status, Verdict
from auditor.document.context import ProcedureFacts
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi import best_membership, linear
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.parts.data_deletion.judging import adaptive, state_stateless
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.data_deletion.judging.observed import Observed
from auditor.parts.data_deletion.theorems import Deletion, Source, theorem
from auditor.verdict.guarantees import ATTESTED_AT_BEST, derive_guarantees, fact

ORDER, ROWS, LEARN, UNLEARN = 2.0, 500, 400, 60
LOSS = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01}
RATE = 1 / (2 * (LOSS["l2"] + LOSS["smoothness"]))
GRID = (1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0, 512.0)
CLAIM = 0.01
OBSERVED = Observed(
    deleted=(),
    labels_lost=False,
    parameter_count=30,
    seconds_unlearning=0.066,
    seconds_retraining=0.42,
    descent=None,
    counterfactual=None,
)
ASKED = adaptive.Observed(batches=3, requests=(), largest_share=adaptive.Share(records=2, batches=3), games=None)


def certified(order: float = ORDER, steps: int = UNLEARN, rows: int = ROWS) -> Certificate:
    """Theorem 5.1 at these steps."""
    return derive("noisy-gd-convex", {**LOSS, "q": order, "n": rows, "steps": steps})


def gaussian(steps: int, rows: int = ROWS) -> float:
    """qμ²/2 at the declared order."""
    given = {**LOSS, "n": rows, "rate": RATE, "steps": steps, "learn_steps": LEARN}
    return ORDER * derive("noisy-gd-gaussian", given).outputs["mu"] ** 2 / 2


def grid(steps: int) -> list[dict[str, Any]]:
    """Both bounds and the advantage over the grid of orders."""
    rows = []
    for order in GRID:
        found = certified(order, steps)
        points = derive("advantage", {"q": order, "epsilon": found.epsilon}).outputs["bound"]
        rows.append({"order": order, "epsilon_dd": found.epsilon, "epsilon_dp": found.outputs["epsilon_dp"], "advantage": points})
    return rows


def conversions(steps: int) -> list[dict[str, Any]]:
    """The (ε, δ) forms, each at the order with the smallest ε."""
    rows = []
    for delta in (1e-5, 1e-6):
        found = [
            (derive("conversion", {"q": order, "epsilon": certified(order, steps).epsilon, "delta": delta}).outputs, order)
            for order in GRID
        ]
        best, order = min(found, key=lambda each: each[0]["tight"])
        rows.append({"delta": delta, "order": order, "mironov": best["mironov"], "tight": best["tight"]})
    return rows


def premise(
    name: str, found: str, how: str = "computed", *, holds: bool | None = True, mend: str | None = None
) -> dict[str, Any]:
    """One premise as the auditor writes it."""
    fix = None if mend is None else examples.written(mend)
    return {"name": name, "holds": holds, "found": examples.written(found), "how": how, "mend": fix}


PREMISES = (
    premise("loss-convex", "logistic loss"),
    premise("loss-constants", "L = 1, β = 0.25, of the logistic loss for rows of norm 1 at most"),
    premise("rows-bounded", "the largest of 503 rows has norm 0.9998"),
    premise("step-size", "1.66666667, 1/(2(l2 + smoothness)) = 1.66666667"),
    premise("full-batch-descent", "noise in every step; built-in procedure noisy-gd"),
    premise("start-gaussian", "N(0, sigma2/(l2(1 - rate l2/2)) I); built-in procedure noisy-gd"),
    premise("steps-counted", "declared 400 for learning and 60 for each batch; counted as declared in 4 updates", "measured"),
    premise("noise-measured", "mean square 0.010007 of 48000 numbers, declared 0.01", "measured"),
    premise("stateless", "built-in procedure noisy-gd: the parameters are all that an update reads"),
)


def renyi_derived(unlearn: int = UNLEARN, **changes: Any) -> Derived:
    """What the judge of `deletion.renyi` derives under Theorem 5.1 after `unlearn` unlearning steps."""
    found, rows = certified(steps=unlearn), grid(unlearn)
    best = min(rows, key=lambda row: row["advantage"])
    mu = (2 * gaussian(unlearn) / ORDER) ** 0.5
    batches = [(f"B{k + 1}", (1, 2, 1)[k], ROWS + 3 - (0, 1, 3)[k]) for k in range(3)]
    given = {
        "theorem": "5.1",
        "order": ORDER,
        "epsilon_dd": found.epsilon,
        "epsilon_dp": found.outputs["epsilon_dp"],
        "reason": None,
        "mend": None,
        "settings": {
            "loss": "logistic",
            "clip": None,
            "loss_cap": None,
            **LOSS,
            "rate": RATE,
            "learn_steps": LEARN,
            "unlearn_steps": unlearn,
            "rows": ROWS,
            "parameters": 30,
            "largest_batch": 2,
            "steps_with_record": LEARN + unlearn,
        },
        "premises": list(PREMISES),
        "orders": rows,
        "membership": {"order": best["order"], "bound": best["advantage"]},
        "conversions": conversions(unlearn),
        "gaussian": {
            "mu": mu,
            "epsilon": gaussian(unlearn),
            "advantage": math.erf(mu / 8**0.5),
        },
        "curve": [
            {"steps": k, "epsilon_dd": certified(steps=k).epsilon, "gaussian": gaussian(k)}
            for k in sorted({*range(0, 2 * unlearn + 2, max(1, unlearn // 20)), unlearn})
        ],
        "noise": {
            "declared": 0.01,
            "measured": 0.010007,
            "count": 48_000,
            "low": 0.0097,
            "high": 0.0103,
            "detects": 0.047,
            "significance": 0.01,
            "power": 0.99,
            "updates": [],
        },
        "steps": {"declared": [LEARN, unlearn], "counted": [LEARN, unlearn, unlearn, unlearn]},
        "batches": [
            {
                "batch": name,
                "removed": removed,
                "rows": left,
                "epsilon_dd": certified(steps=unlearn, rows=left).epsilon,
                "epsilon_together": removed**2 * certified(steps=unlearn, rows=left).epsilon,
            }
            for name, removed, left in batches
        ],
        "cost": {
            "gradients_learning": LEARN * ROWS,
            "gradients_unlearning": unlearn * ROWS,
            "saved_share": 1 - unlearn / LEARN,
            "seconds_retraining": 0.42,
            "seconds_unlearning": 0.066,
        },
        "utility": None,
        "sources": [{"source": "claim", "epsilon": CLAIM, "order": ORDER}],
    }
    return Derived.model_validate({**given, **changes})


def renyi_check(status: Status = Status.PASS, unlearn: int = UNLEARN, **changes: Any) -> ToldCheck:
    """`deletion.renyi`, its value the ε_dd of its details."""
    derived = renyi_derived(unlearn, **changes)
    basis = "Theorem 5.1 at order 2 over the batches of the log, the worst of them."
    return examples.check("deletion.renyi", "Data deletion", status, derived.epsilon_dd, CLAIM, basis, derived, OBSERVED)


def apart(order: float, epsilon: float | None, *, fixed: bool) -> float | None:
    """How much better than guessing anybody tells two worlds apart at best: near one law, or, fixed, the one near the other."""
    return None if epsilon is None else best_membership(linear(order, epsilon, most=order), of_reference=fixed).bound


def adaptive_check(status: Status = Status.PASS, seen: int = 0, **changes: Any) -> ToldCheck:
    """`deletion.adaptive` where the worst request saw that many models."""
    found = certified()
    dp, dd = found.outputs["epsilon_dp"], found.epsilon
    whole = derive("adaptive", {"epsilon_dd": dd, "epsilon_dp": dp, "seen": seen}).outputs["epsilon"]
    given = {
        "seen": seen,
        "source_of_seen": "log",
        "epsilon_dd": dd,
        "epsilon_dp": dp,
        "epsilon": whole,
        "order": ORDER,
        "per_request": [
            {
                "request_id": f"REQ-2026-{k + 1:04d}",
                "batch": k + 1,
                "stated": None,
                "seen": min(k, seen),
                "epsilon": dd + min(k, seen) * dp,
            }
            for k in range(4)
        ],
        "records_per_person": 1,
        "epsilon_person": whole,
        "of": "request",
        "steps_seen": None,
        "game": None,
        "premises": [premise("requests-fixed", "no request depends on a released model; the controller’s word", "attested")],
        **changes,
    }
    for name, of in (("advantage", "epsilon"), ("advantage_person", "epsilon_person")):
        given.setdefault(name, apart(given["order"], given[of], fixed=not seen))
    limit = max(CLAIM, whole) if status is Status.PASS else CLAIM
    basis = "Theorem 4.3: ε_dd + p ε_dp, the worst over the executed requests."
    derived = adaptive.Derived.model_validate(given)
    return examples.check("deletion.adaptive", "Data deletion, adaptive requests", status, whole, limit, basis, derived, ASKED)


def stateless_check(status: Status = Status.PASS, **changes: Any) -> ToldCheck:
    """`state.stateless` of a built-in procedure."""
    given = {"by_construction": True, "carried": [], "cases": [], "updates": 0, "deterministic": True, **changes}
    derived = state_stateless.Derived.model_validate(given)
    found = float(len(derived.cases))
    title = "Nothing but the model is kept"
    return examples.check("state.stateless", title, status, found, 0.0, "By construction.", derived, state_stateless.Observed())


def build(*judged: ToldCheck, **changes: Any) -> Told:
    """The passing example with checks on data deletion, as an audit of noisy gradient descent writes them."""
    base = examples.passing()
    ours = {check.id: check for check in (judged or (renyi_check(), adaptive_check(), stateless_check()))}
    checks = tuple(ours.get(check.id, _skipped(check)) for check in base.checks)
    required = tuple(
        [name for name in base.policy.required if not name.startswith("removal.")]
        + [name for name, check in ours.items() if check.status is not Status.SKIPPED]
    )
    failed = [check.id for check in ours.values() if check.status is Status.FAIL]
    open_ = [check.id for check in ours.values() if check.status is Status.INCONCLUSIVE]
    verdict = Verdict.FAIL if failed else Verdict.INCONCLUSIVE if open_ else Verdict.PASS
    parts: dict[str, Any] = {
        "verdict": verdict,
        "sentence": {
            Verdict.PASS: "Pass: all required checks passed for 20 requests; data deletion is supported.",
            Verdict.FAIL: f"Fail: {', '.join(failed)}.",
            Verdict.INCONCLUSIVE: f"Inconclusive: {', '.join(open_)}.",
        }[verdict],
        "audit": base.audit.model_copy(update={"exit_code": 1 if failed else 2 if open_ else 0}),
        "case": base.case.model_copy(update={"name": "Breast cancer, by noisy gradient descent"}),
        "procedure": ProcedureFacts(
            use="noisy-gd",
            entry=None,
            unlearn="noisy gradient descent",
            settings={
                "loss": "logistic",
                "l2": 0.05,
                "sigma2": 0.01,
                "learn_steps": LEARN,
                "unlearn_steps": UNLEARN,
                "order": ORDER,
            },
            seed_bits=128,
            seed_digest=examples.sha("seed"),
            seed_salt=examples.sha("salt")[:32],
        ),
        "policy": base.policy.model_copy(
            update={"required": required, "claims": {"data_deletion": {"q": ORDER, "epsilon": CLAIM, "adaptive": 0}}}
        ),
        "checks": checks,
        "certificates": (certified(),),
    }
    given = guarantees() if verdict is Verdict.PASS else guarantees(deletion_bound_met=Provenance.REFUTED)
    return promised(examples.changed(base, **{**parts, **changes}), given)


def guarantees(
    epsilon: float | None = None, *, seen: int = 0, source: Source = "5.1", order: float = ORDER, **changes: Provenance
) -> tuple[Guarantee, ...]:
    """The guarantees of an audit whose premises were all measured, but for those that nobody can; `changes` by name of a fact."""
    epsilon = certified().epsilon if epsilon is None else epsilon
    bound = None if source == "twins" else apart(order, epsilon, fixed=not seen and source != "5.2")
    deletion = Deletion(order, epsilon, source, seen, known_loss=source != "twins", advantage=bound)
    known = {name: Provenance.ATTESTED if name in ATTESTED_AT_BEST else Provenance.MEASURED for name in theorem(deletion).needs}
    known |= {name.replace("_", "-"): how for name, how in changes.items()}
    facts = [fact(name, how, examples.by_hand("a check")) for name, how in known.items()]
    return derive_guarantees(facts, epsilon=None, delta=None, deletion=deletion)


def promised(evidence: Told, given: tuple[Guarantee, ...]) -> Told:
    """The evidence with these guarantees, each request covered by those that stand; no pass where the claim does not."""
    standing = tuple(each.id for each in given if each.status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED})
    covered = tuple(dataclasses.replace(each, guarantees=standing) for each in evidence.requests)
    held = {"verdict": Verdict.INCONCLUSIVE, "default_policy_verdict": Verdict.INCONCLUSIVE, "strength": None}
    open_claim = held if "data-deletion" not in standing and evidence.verdict is Verdict.PASS else {}
    return examples.changed(evidence, guarantees=given, requests=covered, **open_claim)


def _skipped(check: ToldCheck) -> ToldCheck:
    if not check.id.startswith("removal."):
        return check
    basis = "Does not apply: the procedure is not certified removal."
    nothing = dict.fromkeys(("value", "interval", "threshold", "observed", "derived"))
    return dataclasses.replace(check, status=Status.SKIPPED, basis=basis, **nothing)


def deleting() -> Told:
    """Everything passes at p = 0."""
    return build()


def falling_short() -> Told:
    """Too few steps, rows longer than 1, state carried: three checks fail."""
    premises = [
        premise(
            "rows-bounded",
            "the largest of 503 rows has norm 3.21",
            "refuted",
            holds=False,
            mend='scale the rows to norm 1, or set row_norms = "scale"',
        ),
        *PREMISES[3:],
    ]
    carried = [
        {"name": "procedure.Counter.deleted", "kind": "attribute"},
        {"name": "procedure._CACHE", "kind": "module global"},
        {"name": "scratch/counter.json", "kind": "file"},
    ]
    how = "loaded from the file that the procedure saved, in a fresh process"
    cases = [{"after": 2, "difference": 0.31, "how": examples.written(how)}]
    basis = "One update came out otherwise once everything but the model was wiped."
    return build(
        renyi_check(Status.FAIL, unlearn=20, premises=premises),
        adaptive_check(Status.FAIL, seen=3),
        dataclasses.replace(
            stateless_check(Status.FAIL, by_construction=False, carried=carried, cases=cases, updates=3), basis=basis
        ),
    )


def not_covered() -> Told:
    """No theorem covers the case: no number anywhere."""
    nothing = {"epsilon_dd": None, "epsilon_dp": None, "theorem": None, "membership": None, "gaussian": None, "noise": None}
    open_premise = premise(
        "loss-convex",
        "softmax gradients are clipped to 1",
        "computed",
        holds=None,
        mend="train without clip, or cap the loss",
    )
    renyi = renyi_check(
        Status.INCONCLUSIVE,
        **nothing,
        reason=examples.written("neither theorem covers a clipped softmax"),
        mend=examples.written("train without clip, or cap the loss"),
        premises=[open_premise],
        orders=[],
        conversions=[],
        curve=[],
        batches=[],
        cost={
            "gradients_learning": None,
            "gradients_unlearning": None,
            "saved_share": None,
            "seconds_retraining": 0.42,
            "seconds_unlearning": None,
        },
        steps=None,
        sources=[],
    )
    beside = dataclasses.replace(adaptive_check(Status.INCONCLUSIVE, epsilon=None, epsilon_dd=None, per_request=[]), value=None)
    return build(dataclasses.replace(renyi, value=None), beside, stateless_check())
