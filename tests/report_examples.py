"""Told evidence documents written by hand, as full as a real audit makes them: one pass, one fail, one that broke off."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from auditor.base.deletion_log.requests import LogFinding, RequestOutcome
from auditor.base.domain import (
    Bound,
    Certificate,
    Check,
    ClaimStatus,
    Condition,
    Derivation,
    Guarantee,
    InputFile,
    Message,
    Premise,
    Provenance,
    Status,
    Strength,
    Verdict,
)
from auditor.base.terms import ControlTerms, NoTerms
from auditor.document.conclusions import Cap, ClaimStanding, Examined, Reliance, Weakening
from auditor.document.context import (
    Attested,
    Audit,
    CaseFacts,
    DeletionLogFacts,
    Environment,
    PolicyFacts,
    ProcedureFacts,
    SizeFacts,
    Wall,
)
from auditor.document.evidence import Evidence
from auditor.pages.words.rendered_evidence import Told, ToldCheck, ToldDerivation, ToldGuarantee, ToldPremise, tell
from auditor.pages.words.verdict import lines_of
from auditor.parts.log.judging import log_consistency, log_deadlines
from auditor.parts.release.judging import model_reproduced
from auditor.parts.removal.judging import budget as removal_budget
from auditor.parts.removal.judging import residual as removal_residual
from auditor.parts.store.judging import data_erased
from auditor.parts.swap.judging import controls as swap_controls
from auditor.parts.swap.judging import epsilon_consistency
from auditor.parts.swap.judging import quality as swap_quality
from auditor.parts.swap.judging import strong as swap_strong
from auditor.parts.usefulness.judging import cost_speedup, utility_accuracy
from auditor.settings.tables import InferenceTable, SwapTable
from auditor.verdict.checks.finding import Values
from auditor.verdict.guarantees import CONTROL
from auditor.verdict.reliance import cap

Promises = tuple[ToldGuarantee, ...] | tuple[Guarantee, ...]
START = datetime(2026, 11, 21, 8, 30, 12, tzinfo=UTC)
EPSILON, DELTA, SIGMA = 1.0, 1e-4, 1.0
BUDGET = 0.313902458312
CLASSICAL = 0.2280
ATTESTED = ("log-complete", "preprocessing-clean")
"""Without these no log of deletions passes."""
NOTHING_RELIED_ON = Reliance(
    cap=Cap(foreign=False, route=None, routes=()),
    claims=(),
    unexamined=False,
    contradicted=(),
    statements=(),
    weakenings=(),
    left_out=(),
)
NOT_RUN = {
    "release.exact": "Does not apply: the last batch was answered by a removal step, not by retraining.",
    "release.remembers": "Not asked: the log deletes nothing.",
    "training.privacy": "Does not apply: no private training is declared.",
    "removal.output-noise": "No noise is added at release (release_noise = 0).",
    "deletion.renyi": "The procedure is not noisy gradient descent.",
    "deletion.adaptive": "The procedure is not noisy gradient descent.",
    "inference.example": "Deletion inference is not part of this version.",
    "inference.instance": "Deletion inference is not part of this version.",
    "inference.difference": "Deletion inference is not part of this version.",
    "reconstruction.label": "Reconstruction is not part of this version.",
    "reconstruction.instance": "Reconstruction is not part of this version.",
    "reconstruction.sentence": "Reconstruction is not part of this version.",
    "state.stateless": "Statelessness is not tested in this version.",
    "state.history_independent": "Does not apply: no whole controller is declared, and no history independence is claimed.",
    "control.game": "Does not apply: the case declares no whole controller.",
    "confidentiality.game": "Does not apply: the case declares no whole controller.",
    "privacy.continual": "Does not apply: the case declares no whole controller.",
}


def sha(name: str) -> str:
    """A digest that looks like one."""
    return hashlib.sha256(name.encode()).hexdigest()


def check(
    identity: str,
    title: str,
    status: Status,
    value: float | None,
    threshold: float | None,
    basis: str,
    derived: Values | None = None,
    observed: Values | None = None,
) -> ToldCheck:
    """A check without an interval."""
    return ToldCheck(identity, title, status, value, None, threshold, basis, observed, derived)


def with_derived(given: ToldCheck, **changes: Any) -> ToldCheck:
    """The check with some of what was derived replaced."""
    assert given.derived is not None
    whole = {**given.derived.model_dump(mode="json"), **changes}
    return dataclasses.replace(given, derived=type(given.derived).model_validate(whole))


def series(count: int, step: float) -> list[dict[str, Any]]:
    """β after each of `count` single removals; `step` is the local increment."""
    rows = []
    for t in range(count + 1):
        wobble = 1 + 0.3 * ((t * 7) % 5 - 2) / 2
        beta = {
            "worst-case": 6.7e-10 + 4.1 * t,
            "as-printed": 6.7e-10 + step * 12 * t * wobble if t else 6.7e-10,
            "online": 6.7e-10 + step * 5.8 * t,
            "tightened": 6.7e-10 + step * 1.64 * t,
            "local": 6.7e-10 + step * t,
            "measured": 6.7e-10 + (step * 0.19 * t * wobble),
        }
        rows.append(
            {
                "batch": "training" if t == 0 else f"REQ-2026-{t:04d}",
                "request_ids": [] if t == 0 else [f"REQ-2026-{t:04d}"],
                "removed": t,
                "rows_left": 357 - t,
                "retrained": False,
                "beta": beta,
                "increment": None if t == 0 else {name: value / t for name, value in beta.items()},
                "solver_error": 1.1e-14,
                "rounding_floor": 3.2e-12,
                "distance_to_optimum": 2.1e-6 * t,
                "distance_bound": 4.5e-5 * t,
            }
        )
    return rows


def requests(count: int, overdue: int = 0, still_open: int = 0) -> tuple[RequestOutcome, ...]:
    """Requests a day or two apart; the last ones late or open."""
    outcomes = []
    for index in range(count):
        received = date(2026, 9, 1) + timedelta(days=index * 2 + index % 3)
        due = received + timedelta(days=30)
        late, unfinished = index >= count - overdue, count - overdue - still_open <= index < count - overdue
        days = 41 if late else 9 + (index * 5) % 17
        outcomes.append(
            RequestOutcome(
                request_id=f"REQ-2026-{index + 1:04d}",
                status="open" if unfinished else "executed",
                received_on=received,
                due_on=due,
                deleted_at=None
                if unfinished
                else datetime(received.year, received.month, received.day, 14, 5, tzinfo=UTC) + timedelta(days=days),
                days=None if unfinished else days,
                overdue=late,
                records=1,
                guarantees=() if unfinished else ("certified-removal",),
            )
        )
    return tuple(outcomes)


def budget_check(status: Status, rows: list[dict[str, Any]]) -> ToldCheck:
    """The check of the removal budget with the details that the auditor writes."""
    worst = max(row["beta"]["local"] for row in rows if row["beta"]["local"] is not None)
    return check(
        "removal.budget",
        "Removal budget along the log",
        status,
        worst / BUDGET,
        1.0,
        "The local bound, added up along the log, against the largest shift that the noise hides.",
        budget_derived(rows, epsilon_spent=0.0931 if status is Status.PASS else 4.31),
        removal_budget.Observed(),
    )


def budget_derived(rows: Sequence[Mapping[str, Any]], **changes: Any) -> removal_budget.HeldGaussian:
    """What the judge of the removal budget derives, with these rows along the log."""
    given: dict[str, Any] = {
        "epsilon": EPSILON,
        "delta": DELTA,
        "sigma": SIGMA,
        "budget": BUDGET,
        "classical_budget": CLASSICAL,
        "classical_proved": True,
        "epsilon_spent": 0.0931,
        "criterion": "local",
        "sources": [
            {"source": "procedure", "epsilon": 1.0, "delta": 1e-4},
            {"source": "claim", "epsilon": 1.0, "delta": 1e-4},
            {"source": "policy", "epsilon": 2.0, "delta": 1e-4},
        ],
        "series": rows,
        "hardest": (),
    }
    return removal_budget.HeldGaussian.model_validate({**given, **changes})


ATTACKS = (
    ("rmia", "Ratio to reference models", "Zarifzadeh, Liu and Shokri 2024", 1.0),
    ("lira", "Likelihood ratio", "Carlini et al. 2022", 0.93),
    ("shadow", "Shadow-model classifier", "Shokri et al. 2017", 0.71),
    ("entropy-modified", "Modified entropy, by class", "Song and Mittal 2021", 0.52),
    ("entropy", "Entropy, by class", "Song and Mittal 2021", 0.33),
    ("confidence", "Confidence, by class", "Song and Mittal 2021", 0.41),
    ("correctness", "Correctness", "Yeom et al. 2018", 0.22),
    ("loss", "Loss against one threshold", "Yeom et al. 2018", 0.37),
    ("distance", "Distance to the class mean", "the auditor's own", -0.15),
)
"""Name, title, source, and the part of the largest advantage that the attack finds in the examples."""


def around(value: float, half: float, key: str) -> dict[str, Any]:
    """A value with an interval of that half-width, inside [-1, 1]."""
    return {key: value, "interval": [max(-1.0, value - half), min(1.0, value + half)]}


def attack_entries(advantage: float, idle: float, half: float) -> list[dict[str, Any]]:
    """The attacks of the SWAP test; the first finds `advantage`, and `idle` on the no-unlearning baseline."""
    return [
        {
            "name": name,
            "title": title,
            "source": source,
            **around(advantage * part, half, "advantage"),
            "auc": 0.5 + advantage * part / 2,
            "do_nothing": around(idle * part, half, "advantage"),
            "retrained": around(0.001 * part, half, "advantage"),
            "excess": around(0.001 * part, half, "acceptance"),
            "blind": False,
        }
        for name, title, source, part in ATTACKS
    ]


def quality_derived(advantage: float, idle: float, half: float, **changes: Any) -> swap_quality.Derived:
    """What the judge of `swap.quality` derives."""
    given = {
        "pairs": 400,
        "models": 1,
        "alpha": 0.1,
        "target_records": 150,
        "retained": 122,
        "forgotten": 14,
        "least_forgotten": 14,
        "confidence": 0.95,
        "correction": written("Bonferroni over 9 attacks"),
        "attack": "rmia",
        "attacks": attack_entries(advantage, idle, half),
        "do_nothing": around(1 - idle, half, "quality"),
        "retrained": {"quality": 1.0},
        "retrained_fresh": {"quality": 0.985, "interval": [0.972, 0.998]},
        "excess": {"attack": "rmia", **around(0.001, half, "acceptance")},
        "plug_in_quality": 0.96 - abs(advantage),
        "mia_score": 0.5 - advantage / 2,
        "ic_why": None,
        "sign_flip_p": 0.41 if abs(advantage) < half else 0.0001,
        "missed_share": 0.0,
        "over_unlearned": advantage < -half,
        "smallest_advantage": half,
        "power": 0.8,
    }
    return swap_quality.Derived.model_validate({**given, **changes})


def quality_observed(**changes: Any) -> swap_quality.Observed:
    """What a run observes for `swap.quality`, as far as pages print it."""
    found = {name: [part * size / 1000 for size in range(-200, 200)] for name, _, _, part in ATTACKS}
    shares = {name: [0.5] * 400 for name in found}
    given = {
        "reference_models": 128,
        "ic_score": 0.97,
        "ic_score_retrained": 0.98,
        "weighted": False,
        "pair_advantages": dict.fromkeys(("procedure", "do_nothing", "retrained", "control"), found),
        "pair_acceptances": dict.fromkeys(("procedure", "retrained"), shares),
        "areas": dict.fromkeys(found, 0.5),
        "undecided": dict.fromkeys(found, 0.0),
        "forgotten": [14] * 400,
    }
    return swap_quality.Observed.model_validate({**given, **changes})


def quality_check(status: Status, advantage: float, idle: float, half: float) -> ToldCheck:
    """The quality of unlearning in the SWAP test: Q = 1 − |advantage|, and 1 − `idle` for doing nothing."""
    value = 1 - abs(advantage)
    ends = (value - half, min(1.0, value + half))
    basis = "400 swap pairs, 9 attacks: the largest mean advantage in size, with simultaneous t-intervals over pairs."
    derived = quality_derived(advantage, idle, half)
    title = "Unlearning quality in the SWAP test"
    return ToldCheck("swap.quality", title, status, value, ends, 0.95, basis, quality_observed(), derived)


def strong_check(share: float) -> ToldCheck:
    """The whole-set adversary, informative."""
    return ToldCheck(
        "swap.strong",
        "Whole-set adversary in the SWAP test",
        Status.SKIPPED,
        share,
        (share - 0.05, min(1.0, share + 0.05)),
        None,
        "Informative: the policy does not require it.",
        swap_strong.Observed(named=round(400 * share), models=400),
        swap_strong.Derived(
            advantage=2 * share - 1,
            confidence=0.95,
            noticed=0.57,
            do_nothing=swap_strong.Share(share=1.0, interval=(0.99, 1.0)),
            retrained=swap_strong.Share(share=0.49, interval=(0.44, 0.54)),
        ),
    )


def lower_end(method: str, title: str, epsilon: float, *, decides: bool = True, **changes: Any) -> dict[str, Any]:
    """A lower end of ε as the auditor writes it."""
    given = {"method": method, "title": written(title), "epsilon": epsilon, "confidence": 0.983, "null": 0.01, "decides": decides}
    return {**given, **changes}


def row(against: str = "x", **changes: Any) -> dict[str, Any]:
    """A stated ε as the auditor writes it, compared with nothing unless `lower` names something."""
    given = {
        "test": None,
        "against": written(against),
        "source": "claim",
        "claim": "certified_removal",
        "rule": None,
        "epsilon": 1.0,
        "delta": 1e-4,
        "order": None,
        "compared": True,
        "why": None,
        "refutable": None,
        "noticed": None,
        "lower": [],
        "gap": None,
    }
    return {**given, **changes}


def consistency_derived(*rows: Mapping[str, Any], **changes: Any) -> epsilon_consistency.Derived:
    """What the judge of `epsilon.consistency` derives, with these statements."""
    given = {
        "confidence": 0.95,
        "correction": written("Bonferroni over 3 lower ends"),
        "comparisons": rows,
        "chains": None,
        "game": None,
    }
    return epsilon_consistency.Derived.model_validate({**given, **changes})


def statements(shown: float) -> tuple[dict[str, Any], ...]:
    """Two statements about ε held against the lower end `shown` of the SWAP test, and one that is held against nothing."""
    lowers = [
        lower_end("swap", "SWAP test, best attack", shown),
        lower_end("whole-set", "Whole-set adversary", 1.4 * shown),
        lower_end("swap-paper", "SWAP test, the paper's ceiling", 0.4 * shown, decides=False),
    ]
    why = written("It speaks of one person's data; the test deletes whole sets.")
    return (
        row("claimed (ε, δ)-certified removal", lower=lowers, gap=1.4 * shown - 1.0),
        row("certified removal by budget", source="certificate", claim=None, rule="removal", lower=lowers, gap=1.4 * shown - 1.0),
        row("claimed (ε, δ)-differential privacy", epsilon=3.0, delta=1e-5, compared=False, why=why),
    )


def consistency_check(status: Status, shown: float, *more: Mapping[str, Any]) -> ToldCheck:
    """`statements`, and more of them."""
    return check(
        "epsilon.consistency",
        "No measured ε above a claimed or certified one",
        status,
        1.4 * shown - 1.0,
        0.0,
        "The largest lower bound that an attack shows, against each stated upper bound.",
        consistency_derived(*statements(shown), *more),
        epsilon_consistency.Observed(swap=None, games=None, simulated=None),
    )


def swap_checks() -> tuple[ToldCheck, ...]:
    """The four checks of the SWAP test in the passing example."""
    controls = check(
        "swap.controls",
        "Controls of the SWAP test",
        Status.PASS,
        1.0,
        1.0,
        "Retraining with the same seeds on both sides of each pair.",
        swap_controls.Derived(deterministic=True, pairs=400),
        swap_controls.Observed(identical=True),
    )
    return (
        quality_check(Status.PASS, 0.002, 0.31, 0.012),
        strong_check(0.5125),
        controls,
        consistency_check(Status.PASS, 0.0),
    )


def guarantees(removal: ClaimStatus) -> tuple[ToldGuarantee, ...]:
    """Certified removal of that standing, and deletion-as-control, not shown."""
    premises = (
        ToldPremise("rows-bounded", "The rows of the data have norm at most 1", Provenance.MEASURED, "largest row norm 0.9998"),
        ToldPremise("objective-strongly-convex", "λ > 0 and no unregularised intercept", Provenance.COMPUTED, "l2 = 0.001"),
        ToldPremise(
            "criterion-met",
            "The residual stays within the budget at every batch",
            Provenance.MEASURED if removal is ClaimStatus.SUPPORTED else Provenance.REFUTED,
            "removal.budget",
        ),
        ToldPremise(
            "residual-independent",
            "The residual and the decision to retrain do not depend on the noise b",
            Provenance.ATTESTED,
            "the controller's word; the proof of Theorem 2 needs it",
        ),
    )
    control = (
        ToldPremise(
            "strongly-history-independent",
            "The whole state is strongly history independent",
            Provenance.UNKNOWN,
            "no test of the state ran, and none could stand in for a proof",
        ),
        ToldPremise(
            "controller-is-implementation",
            "No state is kept outside the audited implementation",
            Provenance.UNKNOWN,
            "neither examined nor attested",
        ),
        ToldPremise("logical-deletion", "Deletion is logical deletion", Provenance.ATTESTED, "the procedure's declaration"),
    )
    removed = ToldGuarantee(
        "certified-removal",
        "(1, 0.0001)-certified removal",
        "Under the attested assumption that the residual and the branch do not depend on the noise, the model after each removal "
        "can hardly be told from one trained without the removed records. It covers one release, not the comparison of two.",
        removal,
        EPSILON if removal is ClaimStatus.SUPPORTED else None,
        DELTA if removal is ClaimStatus.SUPPORTED else None,
        (
            ToldDerivation(
                "loss-perturbation-gaussian",
                "Theorem 3 with the analytic Gaussian mechanism (Guo et al. 2020; Balle and Wang 2018)",
                premises,
            ),
        ),
    )
    controlled = ToldGuarantee(
        "deletion-as-control",
        "Deletion-as-control",
        "Certified removal of the model alone is one output under fixed requests. The state, adaptive requests, both "
        "directions and the data store would have to be covered too.",
        ClaimStatus.NOT_SHOWN,
        None,
        None,
        (
            ToldDerivation(
                "control-from-strong-history-independence", "Theorem 3.7 (Cohen, Smith, Swanberg and Vasudevan 2023)", control
            ),
            ToldDerivation(
                "control-from-private-training",
                "Corollary 5.2 (same)",
                (
                    ToldPremise(
                        "dp-per-subject",
                        "The learner is differentially private for one person's data",
                        Provenance.REFUTED,
                        "the training adds no such noise",
                    ),
                ),
            ),
        ),
    )
    return removed, controlled


def certificate(rows: list[dict[str, Any]]) -> Certificate:
    """The certificate of the removal budget."""
    last = rows[-1]["beta"]
    return Certificate(
        kind="removal-budget",
        epsilon=EPSILON,
        delta=DELTA,
        order=None,
        inputs={
            "epsilon": EPSILON,
            "delta": DELTA,
            "sigma": SIGMA,
            "beta": last["local"],
            "increments": [row["increment"]["local"] for row in rows[1:]],
            "row_norms": [0.9998, 0.8123],
        },
        conditions=(
            Condition("‖x‖₂ ≤ 1 for every row", True, "largest 0.9998", Provenance.MEASURED),
            Condition("λ > 0", True, "0.001", Provenance.COMPUTED),
            Condition("no preprocessing fitted on deleted rows", True, "attested in the case", Provenance.ATTESTED),
        ),
        bounds=tuple(
            Bound(name, last[name]) for name in ("worst-case", "as-printed", "online", "tightened", "local", "measured")
        ),
        outputs={"budget": BUDGET, "classical_budget": CLASSICAL, "epsilon_spent": 0.0931},
    )


def erased_observed(**changes: Any) -> data_erased.Observed:
    """What a run observes for `data.erased` where it finds nothing."""
    bytes_of_row = written("by the bytes of the row")
    given = {
        "deleted": 20,
        "by_identifier_only": 0,
        "found": 0,
        "request_ids": [],
        "searched": [
            {
                "place": written("store.npz"),
                "records_searched": 337,
                "found": 0,
                "how": written("by identifier and by the bytes of the row"),
            },
            {"place": written("model.safetensors"), "records_searched": 20, "found": 0, "how": bytes_of_row},
        ],
        "not_searched": [{"place": written("state()"), "why": written("the procedure offers no state")}],
        "open_in_store": [],
        "open_elsewhere": [],
        "recognised_in_store": True,
    }
    return data_erased.Observed.model_validate({**given, **changes})


def build(**changes: Any) -> Told:
    """The passing example with any of its parts replaced."""
    rows = series(20, 0.0024)
    ran = (
        check(
            "log.consistency",
            "The deletion log holds together",
            Status.PASS,
            0,
            0,
            "20 rows read; every record was found and is deleted once.",
            log_consistency.Derived(problems=()),
        ),
        check(
            "log.deadlines",
            "Requests carried out in time",
            Status.PASS,
            0,
            0,
            "One calendar month from receipt.",
            log_deadlines.Derived(overdue=(), later_than_law=(), turned_down=()),
        ),
        check(
            "data.erased",
            "Deleted records are gone",
            Status.PASS,
            0,
            0,
            "Each deleted row was looked for byte for byte and by its identifier.",
            data_erased.Derived(open_places=0, copies=None),
            erased_observed(),
        ),
        check(
            "model.reproduced",
            "The shipped model is the rerun's",
            Status.PASS,
            0.0,
            1e-9,
            "Shipped parameters against those of the rerun.",
            model_reproduced.Derived(
                deterministic=True,
                bit_identical=True,
                tolerance_from=by_hand("the self-check"),
                equal="bits",
                canonical=True,
                least_grid=0.0,
            ),
            model_reproduced.Observed(
                parameters=64,
                shipped_parameters=64,
                difference=0.0,
                self_check_difference=0.0,
                largest=1.0,
                differing=0,
                free_bits=0.0,
                container=(),
                on_grid=None,
                loaded=None,
            ),
        ),
        *swap_checks(),
        check(
            "removal.residual",
            "Residual of the shipped model",
            Status.PASS,
            0.0091,
            0.048,
            "Gradient of the declared objective on the records that are left, at the shipped weights.",
            removal_residual.Derived(
                subject="shipped",
                measured=0.0091,
                beta=0.048,
                optimum_gradient=4.4e-10,
                distance_to_optimum=4.2e-5,
                distance_bound=9.1e-4,
                series=(),
            ),
            removal_residual.Observed(batches=(), loses_labels=False),
        ),
        budget_check(Status.PASS, rows),
        check(
            "utility.accuracy",
            "Accuracy against the retrained model",
            Status.PASS,
            0.0,
            0.02,
            "On 71 records held out.",
            utility_accuracy.Derived(unlearned=0.9437, retrained=0.9437, records=71, confidence=0.95, tables={}),
            utility_accuracy.Observed(predicted=True, unlearned_right=67, retrained_right=67),
        ),
        check(
            "cost.speedup",
            "Cost of unlearning",
            Status.SKIPPED,
            38.2,
            None,
            "Informative: the policy sets no min_speedup.",
            cost_speedup.Derived(warm_speedup=8.52),
            cost_speedup.Observed(unlearn_seconds=0.0121, retrain_seconds=0.4622, warm_refit_seconds=0.1031, batches=20),
        ),
    )
    skipped = tuple(check(name, name.replace(".", ": "), Status.SKIPPED, None, None, why) for name, why in NOT_RUN.items())
    required = tuple(c.id for c in ran if c.status is not Status.SKIPPED)
    parts: dict[str, Any] = {
        "verdict": Verdict.PASS,
        "sentence": "Pass: all 10 required checks passed for 20 requests; certified removal is supported.",
        "audit": Audit(
            id=sha("audit"),
            started_at=START,
            finished_at=START + timedelta(seconds=9, microseconds=412345),
            auditor_version="0.2.0",
            seed="7",
            quick=False,
            only=None,
            failure=None,
            exit_code=0,
        ),
        "case": CaseFacts(
            name="Handwritten digits, 3 against 8",
            release="2026.11",
            controller="Example Postal Service",
            contact="privacy@example.org",
            authority="Example Data Protection Authority, 1 Example Square, Exampletown",
            digest=sha("case"),
            inputs=tuple(
                InputFile(name, sha(name), size)
                for name, size in (
                    ("audit.toml", 1130),
                    ("deletions.jsonl", 4210),
                    ("model.safetensors", 640),
                    ("store.npz", 176540),
                    ("train.npz", 187020),
                )
            ),
            model="model.safetensors",
            store="store.npz",
            training_records=357,
            records_left=337,
            features=64,
            classes=2,
            holdout_records=71,
            parameters=64,
            task="classification",
        ),
        "procedure": ProcedureFacts(
            use="certified-removal",
            entry=None,
            unlearn="newton",
            settings={
                "loss": "logistic",
                "l2": 0.001,
                "sigma": 1.0,
                "perturbation": "gaussian",
                "epsilon": 1.0,
                "delta": 1e-4,
                "tolerance": 1e-9,
            },
            seed_bits=128,
            seed_digest=sha("seed"),
            seed_salt=sha("salt")[:32],
        ),
        "policy": PolicyFacts(
            required=required,
            listed=None,
            required_by_default=True,
            settings={"max_epsilon": 2.0, "max_delta": 1e-4, "max_accuracy_drop": 0.02},
            claims={"certified_removal": {"epsilon": 1.0, "delta": 1e-4}},
            claims_not_examined=(),
            attested=tuple(Attested(name=each, by="Ada Example", at=date(2026, 9, 30)) for each in ATTESTED),
            digest=sha("policy"),
        ),
        "sizes": SizeFacts(swap=SwapTable(pairs=400), inference=InferenceTable(), requester=None),
        "environment": Environment(
            device="cpu",
            device_name="x86-64, 2 cores",
            isolation="confined",
            walls=(
                Wall(name="tcp", held=True, found="operation not permitted"),
                Wall(name="secret file", held=True, found="permission denied"),
                Wall(name="own namespaces", held=False, found="none"),
            ),
            capped=False,
            python="3.11.7",
            packages={"numpy": "2.3.1", "scipy": "1.16.0", "scikit-learn": "1.7.1"},
        ),
        "deletion_log": DeletionLogFacts(
            requests=20, records=20, batches=20, overdue=(), problems=(), max_seen_releases=1, columns_not_read=("note",)
        ),
        "checks": ran + skipped,
        "certificates": (certificate(rows),),
        "guarantees": guarantees(ClaimStatus.SUPPORTED),
        "requests": requests(20),
    }
    return told(**{**parts, **changes})


def told(
    *,
    sentence: str,
    checks: tuple[ToldCheck, ...],
    guarantees: tuple[ToldGuarantee, ...] | tuple[Guarantee, ...],
    **sections: Any,
) -> Told:
    """Words by hand over an evidence document with the same values; what rules derived has the words of the catalogue."""
    passed, case = sections["verdict"] is Verdict.PASS, sections["case"]
    usual = {
        "default_policy_verdict": sections["verdict"],
        "strength": Strength.C if passed else None,
        "examined": Examined(model=case.model is not None, store=case.store is not None, procedure=True, backups=False),
        "reliance": NOTHING_RELIED_ON,
    }
    evidence = Evidence(checks=tuple(map(judged, checks)), guarantees=tuple(map(derived, guarantees)), **{**usual, **sections})
    return Told(evidence, (sentence,), checks, _promised(guarantees, evidence), evidence.to_bytes())


def changed(base: Told, **changes: Any) -> Told:
    """The same with any of its parts replaced, values and words alike: `sentence`, `checks`, `guarantees`, or a section."""
    sentence = changes.pop("sentence", base.sentence)
    checks, promises = changes.get("checks", base.checks), changes.get("guarantees")
    if "checks" in changes:
        changes["checks"] = tuple(map(judged, checks))
    if changes.get("verdict", Verdict.PASS) is not Verdict.PASS:
        changes.setdefault("strength", None)
    if promises is not None:
        changes["guarantees"] = tuple(map(derived, promises))
    evidence = base.evidence.model_copy(update=changes)
    told_of = base.guarantees if promises is None else _promised(promises, evidence)
    return Told(evidence, (sentence,), checks, told_of, evidence.to_bytes())


def with_check(base: Told, check_id: str, **changes: Any) -> Told:
    """The same with some fields of one check replaced."""
    checks = tuple(dataclasses.replace(each, **changes) if each.id == check_id else each for each in base.checks)
    return changed(base, checks=checks)


def judged(given: ToldCheck) -> Check:
    """The check as evidence holds it: what a hand wrote of it is its only reason."""
    reasons = (by_hand(given.basis),)
    values = (given.value, given.interval, given.threshold)
    observed, derived = (None if each is None else each.model_dump(mode="json") for each in (given.observed, given.derived))
    return Check(given.id, given.status, *values, observed=observed, derived=derived, reasons=reasons)


def derived(given: ToldGuarantee | Guarantee) -> Guarantee:
    """The guarantee as evidence holds it."""
    if isinstance(given, Guarantee):
        return given
    routes = tuple(
        Derivation(one.id, tuple(Premise(each.name, each.how, by_hand(each.evidence)) for each in one.premises))
        for one in given.derivation
    )
    terms = ControlTerms(by_noise=False) if given.id == CONTROL else NoTerms()
    return Guarantee(given.id, given.status, given.epsilon, given.delta, routes, given.order, terms)


def by_hand(text: str) -> Message:
    """A reason whose words are these."""
    return Message("failed", {"message": text})


def written(text: str) -> dict[str, Any]:
    """The same as a document has it."""
    return {"code": "failed", "parameters": {"message": text}}


def _promised(given: Promises, evidence: Evidence) -> tuple[ToldGuarantee, ...]:
    if all(isinstance(each, ToldGuarantee) for each in given):
        return given
    return tell(evidence.model_copy(update={"checks": (), "certificates": (), "requests": (), "guarantees": given})).guarantees


@functools.cache
def passing() -> Told:
    """20 requests, every required check passes."""
    return build()


@functools.cache
def failing() -> Told:
    """Past its budget, told apart by attacks, its claim refuted; two requests late, one open, a problem in the log, no store."""
    base = build()
    rows = series(60, 0.0111)
    rows[0]["beta"]["local"] = None
    checks = []
    for held in base.checks:
        match held.id:
            case "removal.budget":
                checks.append(budget_check(Status.FAIL, rows))
            case "log.deadlines":
                checks.append(
                    check(
                        "log.deadlines",
                        held.title,
                        Status.FAIL,
                        2,
                        0,
                        "Two requests are past one calendar month.",
                        log_deadlines.Derived(overdue=("REQ-2026-0059", "REQ-2026-0060"), later_than_law=(), turned_down=()),
                    )
                )
            case "swap.quality":
                checks.append(quality_check(Status.FAIL, 0.38, 0.41, 0.04))
            case "swap.strong":
                checks.append(strong_check(0.995))
            case "epsilon.consistency":
                checks.append(consistency_check(Status.FAIL, 1.7))
            case "data.erased":
                checks.append(check("data.erased", held.title, Status.SKIPPED, None, None, "No data store was given."))
            case _:
                checks.append(held)
    return build(
        verdict=Verdict.FAIL,
        sentence="Fail: removal.budget used 2.122 times its budget and log.deadlines found 2 overdue requests.",
        audit=base.audit.model_copy(update={"exit_code": 1}),
        case=base.case.model_copy(update={"store": None, "name": "Handwritten digits, past the budget"}),
        deletion_log=DeletionLogFacts(
            requests=60,
            records=60,
            batches=60,
            overdue=("REQ-2026-0059", "REQ-2026-0060"),
            problems=(LogFinding(17, "NOT_LOCATED", "record d-0999 is not in the training data"),),
            max_seen_releases=None,
            columns_not_read=(),
        ),
        checks=tuple(checks),
        policy=base.policy.model_copy(update={"claims_not_examined": ("data_deletion",)}),
        certificates=(certificate(rows),),
        guarantees=guarantees(ClaimStatus.NOT_SHOWN),
        requests=requests(60, overdue=2, still_open=1),
    )


@functools.cache
def weak() -> Told:
    """A pass of grade E for the procedure alone, by a policy that asks for less than the default."""
    base = passing()
    relied = Reliance(
        cap=Cap(foreign=False, route=None, routes=()),
        claims=(),
        unexamined=False,
        contradicted=(),
        statements=("seed-secret",),
        weakenings=(Weakening(key="policy.deadline_days", declared=36_500, default=None),),
        left_out=("swap.quality",),
    )
    given = {
        "default_policy_verdict": Verdict.INCONCLUSIVE,
        "strength": Strength.E,
        "case": base.case.model_copy(update={"model": None}),
        "examined": Examined(model=False, store=True, procedure=True, backups=False),
        "reliance": relied,
    }
    evidence = base.evidence.model_copy(update=given)
    return dataclasses.replace(changed(base, **given), lines=lines_of(evidence))


@functools.cache
def held_back() -> Told:
    """Every required check passes, but the code is the controller's own, and a claim is not shown."""
    base = passing()
    theirs = base.procedure.model_copy(update={"use": None, "entry": "procedure.py:Own"})
    statuses = {each.id: each.status for each in base.checks}
    found = cap(foreign=True, statuses=statuses, attested=(), claimed=("data_deletion",), independent=False)
    relied = Reliance(
        cap=found,
        claims=(ClaimStanding(name="data_deletion", standing=ClaimStatus.NOT_SHOWN),),
        unexamined=False,
        contradicted=(),
        statements=(),
        weakenings=(),
        left_out=(),
    )
    given = {
        "verdict": Verdict.INCONCLUSIVE,
        "default_policy_verdict": Verdict.INCONCLUSIVE,
        "strength": None,
        "audit": base.audit.model_copy(update={"exit_code": 3}),
        "procedure": theirs,
        "reliance": relied,
    }
    evidence = base.evidence.model_copy(update=given)
    return dataclasses.replace(changed(base, **given), lines=lines_of(evidence))


@functools.cache
def broken_off() -> Told:
    """The procedure crashed: errors, nothing shown, a quick run behind weak walls, no model file, no certificate."""
    base = build()
    checks = []
    for held in base.checks:
        if held.id.startswith("log."):
            checks.append(held)
        elif held.id in {"removal.residual", "removal.budget"}:
            checks.append(
                check(
                    held.id,
                    held.title,
                    Status.ERROR,
                    None,
                    held.threshold,
                    "The procedure ended with an error at batch REQ-2026-0003.",
                )
            )
        elif held.id == "swap.quality":
            reason = "The procedure ended with an error at pair 3, model 1."
            checks.append(check(held.id, held.title, Status.ERROR, None, held.threshold, reason))
        elif held.id == "data.erased":
            checks.append(
                check(
                    held.id, held.title, Status.INCONCLUSIVE, None, 0, "The procedure ended before its state could be searched."
                )
            )
        else:
            checks.append(check(held.id, held.title, Status.SKIPPED, None, None, "Not run: the procedure ended with an error."))
    return build(
        verdict=Verdict.INCONCLUSIVE,
        sentence="Inconclusive: the procedure ended with an error at batch REQ-2026-0003, and nothing about removal was decided.",
        audit=base.audit.model_copy(update={"exit_code": 4, "quick": True}),
        case=base.case.model_copy(
            update={
                "model": None,
                "store": None,
                "release": None,
                "controller": None,
                "contact": None,
                "parameters": None,
                "holdout_records": None,
            }
        ),
        procedure=ProcedureFacts(
            use=None,
            entry="procedure.py:Removal",
            unlearn=None,
            settings={"params": {}},
            seed_bits=3,
            seed_digest=None,
            seed_salt=None,
        ),
        policy=base.policy.model_copy(update={"settings": {}, "claims": {}, "required_by_default": False}),
        environment=base.environment.model_copy(update={"isolation": "process", "capped": True}),
        checks=tuple(checks),
        certificates=(),
        guarantees=(),
    )
