"""A reason for every sentence of the catalogue, with parameters such as judges give."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import auditor
from auditor.base.domain import Message
from auditor.pages import words
from auditor.pages.words import catalogue
from auditor.parts.places.judging.found_at import FoundOf, FoundSpot
from auditor.verdict.checks import definitions

ROOT = Path(auditor.__file__).parent
UNMEASURED: Final = Message("premise.noise-measured.untold")
CLAIM: Final = Message("epsilon.consistency.against.requester-claim", {"seen": 1})
_PLACE = Message("places.erased.place", {"name": "crm"})
_FOUND_AT = FoundOf(
    request_id="R-1",
    spots=(
        FoundSpot(file="crm.db", table="orders", row=51, columns=("contact", "note")),
        FoundSpot(file="crm.db", deleted=True),
        FoundSpot(file="notes/app.log", line=7),
    ),
    more=2,
).told()
_CONTENT = [{"place": Message("data.erased.place.state"), "bytes": 12}]
_PREMISES: Final = {"premises": [{"name": "noise-measured", "found": UNMEASURED}]}
_MODELS: Final = {"models": 2}
_NOTICED: Final = {"claim": "data_deletion", "epsilon": 0.002, "noticed": 0.05, "power": 0.8, "near": 2.0}
_ROWS: Final = {"rows": [{"against": CLAIM, "why": Message("epsilon.consistency.why.nothing-certified")}]}
_KEPT: Final = {"kept": [{"name": "Procedure.seen", "kind": "list"}], "more": 2}
_CHECKS: Final = {
    "checks": [
        {"check": "deletion.renyi", "epsilon": 0.05, "threshold": 0.1},
        {"check": "deletion.adaptive", "epsilon": None, "threshold": None},
    ]
}
_LINEAR: Final = {"norm": 1.5, "known_lipschitz": 2.0, "known_smoothness": 1.0}
_MEANT: Final = {"lipschitz": 2.0, "smoothness": 1.0}
_COLUMNS: Final = {"columns": [3, 4], "count": 7}
_STEPS: Final = {"learn": 200, "unlearn": 60}
_REQUESTER: Final = {"seen": 1, "games": 100}

BY_HAND: Final[Mapping[str, Mapping[str, Any]]] = {
    "bounds.no-epsilon.fix": {"failed": ["epsilon_dd = 0.1, at most 0.05 allowed"]},
    "carried.beyond": {"beyond": [Message("carried.perturbation"), Message("carried.budget-spent")]},
    "answers.blind": {"score": "confidence"},
    "games.exact-apart": {"far": 2, "games": 20, "tapes": 256, "epsilon": 0.5, "delta": 1e-6},
    "games.apart": {"apart": 2, "epsilon": 0.5, "delta": 1e-6},
    "games.different": {"cases": 2, "operations": 4, "answers": True},
    "games.hidden": {"cases": 2},
    "games.learner.played": {"games": 7, "records": 119, "compared": ["answers", "parameters", "files"], "watched": False},
    "games.learner.different": {"games": 4, "named": [{"going": "alone", "kinds": ["files", "object"]}]},
    "games.learner.apart": {"games": 1, "epsilon": 0.7, "delta": 0.0},
    "games.learner.seen": {"games": 2},
    "games.learner.unseen": {"games": 2},
    "games.learner.moving": {"numbers": 1},
    "games.learner.elsewhere": {"games": 2},
    "games.learner.not-attested": {"word": "seen-releases"},
    "privacy.continual.games": {"games": 2800, "epsilon": 0.5, "delta": 1e-6},
    "privacy.continual.bound": {"rule": "tree-counter", "horizon": 365, "sigma": 12.5},
    "state.history_independent.same": {"ignores": False},
    "state.history_independent.different": {"cases": 2, "deletes": True, "operations": 4},
    "state.history_independent.answered": {"cases": 2, "deletes": True, "operations": 4},
    "state.history_independent.fresh": {"event": "the first byte", "left": 9, "right": 1, "runs": 10, "epsilon": 0.5},
    "state.history_independent.identical-only": {"cases": 1},
    "state.history_independent.pipeline.tried": {
        "ways": 5,
        "records": 116,
        "deleted": 4,
        "compared": ["parameters", "saved file"],
    },
    "games.hidden-within": {"cases": 3, "epsilon": 1.0, "delta": 1e-6},
    "state.history_independent.identical-within": {"cases": 2},
    "state.history_independent.side-by-side": {"histories": 83, "apart": 0, "tapes": 4, "chance": 2, "files": 1},
    "state.history_independent.within": {"epsilon": 1.0, "delta": 1e-6, "lower": 0.125},
    "state.history_independent.pipeline.different": {"cases": 4, "named": [{"way": "one-by-one", "kinds": ["parameters"]}]},
    "state.stateless.log-same": {"updates": [1, 3]},
    "state.stateless.acts-late": {"updates": [6]},
    "state.stateless.open.log": {"after": [0, 5]},
    "places.erased.scope": {"places": 2},
    "places.erased.graphs": {"places": [_PLACE], "bits": 4096},
    "places.erased.room": {"bits": 300, "file": 64, "all": 256},
    "places.erased.room-in": {"bits": 300, "what": "row-numbers", "file": 64, "all": 256},
    "places.embedding.uneven": {"people": 1},
    "places.erased.before": {"requests": 4, "there": 3, "gone": 2, "day": "2026-10-01"},
    "places.erased.before-still": {"place": _PLACE, "people": 1, "forms": 3},
    "places.erased.before-absent": {"people": 1},
    "places.erased.before-added": {"people": 2},
    "places.erased.before-planted": {"planted": 4, "before": 4, "after": 0},
    "places.erased.before-by-id": {"files": 1},
    "places.erased.before-blind": {"missed": 1, "planted": 4},
    "places.erased.before-shared": {"people": 1},
    "places.erased.before-unread": {"before": 1, "now": 2},
    "places.erased.planted": {"planted": 4, "found": 1},
    "places.erased.unrecorded": {"place": _PLACE, "requests": 2},
    "places.erased.planted-here": {"records": 1},
    "places.erased.found": {"place": _PLACE, "found": 3, "in_rows": 0},
    "places.erased.at": _FOUND_AT,
    "places.erased.found-at": {"place": _PLACE, "items": [_FOUND_AT], "more": 2},
    "places.erased.named-at": {"place": _PLACE, "items": [_FOUND_AT], "more": 0},
    "places.erased.quoted-at": {"place": _PLACE, "items": [_FOUND_AT], "more": 0},
    "places.erased.looked-for": {"records": 3, "ids": 3, "short": 0, "terms": 4, "values": 3},
    "places.erased.left-open": {"place": _PLACE, "whys": [Message("places.erased.not-recognised")], "more": 1},
    "places.erased.account": {"items": [{"place": _PLACE, "bytes": 40}], "more": 2, "word": None},
    "places.erased.own-rows": {"items": [{"place": _PLACE, "bytes": 55}], "more": 1},
    "places.erased.looked-for-ids": {"ids": 2},
    "places.erased.spots": {
        "place": _PLACE,
        "spots": [
            {"file": "a.log", "line": 3, "bytes": 40, "bits": 0, "why": "number"},
            {"file": "b.zip", "line": 0, "bytes": 0, "bits": 300, "why": "packed"},
            {"file": "a.log", "line": 5, "bytes": 40, "bits": 0, "why": "time", "more": 12},
        ],
    },
    "places.erased.some-values": {"records": 2},
    "places.erased.missing": {"names": ["crm"], "more": 1},
    "places.erased.strangers": {"strangers": 2, "changed": 1},
    "places.erased.without-terms": {"records": 2},
    "places.embedding.named": {"records": 2},
    "places.embedding.unread": {"files": 1},
    "places.embedding.coded": {"records": 2},
    "places.embedding.unknown": {"width": 384},
    "places.erased.named": {"records": 2},
    "places.erased.alike": {"records": 2},
    "places.erased.copied": {"rows": 2},
    "places.erased.text-shared": {"records": 2},
    "places.erased.text-untold": {"requests": 2},
    "places.erased.quoted": {"records": 2, "others": 5},
    "places.erased.quoted-untested": {"records": 1, "others": 40},
    "places.erased.unexplained": {"bytes": 40},
    "places.erased.unexplained-in": {"bytes": 40, "file": "crm/notes.jsonl", "in_file": 30, "columns": ("source",)},
    "places.erased.pointing": {"columns": ("ref",), "records": 10},
    "places.erased.short": {"records": 2},
    "data.erased.looked-for-ids": {"ids": 2},
    "data.erased.kept": {"bytes": 4000, "places": 3, "unexplained": 12},
    "data.erased.people": {"strangers": 2, "changed": 1, "declared": 40},
    "data.erased.controller.found": {"found": 2, "where": [{"place": "objects", "named": ["controller.log"], "found": 2}]},
    "data.erased.named": {
        "where": [
            {"place": Message("data.erased.place.store", {"path": "a"}), "column": "customer_no", "links": "customer"},
            {"place": Message("data.erased.place.store", {"path": "b"}), "column": "", "links": "email"},
        ],
        "more": 1,
    },
    "data.erased.derived": {"records": 4, "of": 20, "view": "given"},
    "data.erased.in-holdout": {"records": 2, "retained": 0},
    "holdout.known": {"records": 2, "of": 200, "row": 7, "left": 198},
    "holdout.known-few": {"records": 2, "of": 20, "row": 7, "left": 18},
    "data.erased.parted": {"requests": ["R-1", "R-2"]},
    "data.erased.unexplained": {"items": _CONTENT, "more": 2, "bytes": 12, "words": ["procedure-honest"]},
    "data.erased.spare": {
        "items": [
            {
                "place": Message("data.erased.place.store", {"path": "store.db"}),
                "bits": 90,
                "names": ["row numbers", "user_version"],
            }
        ],
        "more": 2,
        "each": 64,
        "in_all": 256,
    },
    "data.erased.unread": {"items": _CONTENT, "more": 2, "bytes": 12, "constants": 3},
    "data.erased.by-word": {"items": _CONTENT, "more": 0, "bytes": 12, "word": "procedure-honest"},
    "data.erased.beyond": {"items": [{"kind": "state", "name": "state", "bytes": 9}], "more": 1},
    "data.erased.open": {
        "places": [
            Message(
                "data.erased.open.place",
                {"place": Message("data.erased.place.store", {"path": "a"}), "why": Message("data.erased.open.unknown-form")},
            )
        ],
        "more": 3,
    },
    "deletion.adaptive.false-premise": {"names": ["rows-bounded"]},
    "deletion.adaptive.left-out": {"name_them": True},
    "deletion.adaptive.not-attested": {"names": ["requests-fixed"]},
    "deletion.adaptive.measured-seen": _MODELS,
    "deletion.adaptive.measured-unbounded": _MODELS,
    "deletion.adaptive.seen": {"order": 2.0, **_MODELS},
    "deletion.renyi.attested": {"names": ["noise-measured", "loss-constants"]},
    "deletion.renyi.epsilon": {"order": 2.0, "source": "gaussian"},
    "deletion.renyi.false": _PREMISES,
    "deletion.renyi.false-measured": _PREMISES,
    "deletion.renyi.fixes": {"fixes": [Message("premise.rows-bounded.fix"), Message("premise.rows-bounded.fix")]},
    "deletion.renyi.no-epsilon": {"why": Message("descent.neither"), "fix": Message("descent.neither.fix")},
    "deletion.renyi.not-known": _PREMISES,
    "data.erased.preprocessing": {"found": [Message("preprocessing.min-max", _COLUMNS)]},
    "deletion.renyi.not-shown": {"found": [UNMEASURED]},
    "deletion.replacement": {"kind": "another label"},
    "descent.no-constants": {"missing": ["lipschitz", "smoothness"]},
    "descent.no-constants.fix": {"missing": ["lipschitz", "smoothness"]},
    "descent.step-size": {"wanted": 1.5, "rate": 0.5},
    "descent.step-size.fix": {"wanted": 1.5},
    "descent.step-size.fix-attested": {"wanted": None},
    "epsilon.consistency.against.requester-certificate": {"seen": 2},
    "epsilon.consistency.against.requester-claim": {"seen": 0},
    "epsilon.consistency.compared": {"statements": 2},
    "epsilon.consistency.left-open": {
        "against": CLAIM,
        "epsilon": 0.1,
        "by": Message("epsilon.consistency.method.single"),
        "suspected": 0.61,
        "enough": 100,
        "unit": "pairs",
    },
    "epsilon.consistency.method.requester": _REQUESTER,
    "epsilon.consistency.method.requester-advantage": _REQUESTER,
    "epsilon.consistency.not-tested": _NOTICED,
    "epsilon.consistency.nothing-further": _ROWS,
    "epsilon.consistency.nothing-stated": _ROWS,
    "epsilon.consistency.power": _NOTICED,
    "epsilon.consistency.why.larger-removal": {"forgotten": 15, "records": 3, "epsilon": None},
    "epsilon.consistency.why.saw-more": {"seen": 1, "covered": 0},
    "epsilon.consistency.why.smaller-training": {"records": 100, "trained": 50, "epsilon": 3.5},
    "epsilon.consistency.why.too-many-people": {"source": "claim"},
    "fact.pair.apart": {"histories": 3},
    "fact.pair.by-chance": {"histories": 1, "tapes": 4},
    "fact.pair.files": {"files": 2},
    "fact.pair.told-apart": {"cases": 1},
    "fact.criterion-met.budget": {"ratio": 0.25},
    "fact.deletion.bound": _CHECKS,
    "fact.deletion.measured": _CHECKS,
    "fact.dp-per-subject.copies": {"records": 12},
    "fact.dp-per-subject.equal-rows": {"records": 12},
    "fact.dp-per-subject.attested": {"by": "A. N. Other", "records": 2, "epsilon": 1.5, "delta": 1e-5},
    "fact.log-consistent.checked": {"problems": 1},
    "fact.missing.adaptive-requests": {"seen": 2},
    "fact.noise-criterion-met.spent": {"spent": None, "epsilon": 1.0},
    "fact.preprocessing-clean.fitted": {"found": [Message("preprocessing.one-hot", _COLUMNS)]},
    "fact.stateless.carried": {"names": ["Procedure.seen"]},
    "log.consistency.explained": {"rows": [3], "all": 1},
    "log.consistency.by-chance": {"rows": [5], "all": 1},
    "log.consistency.amended": {"rows": [2], "all": 1},
    "log.consistency.replaced": {"said": "request R-2 (row 2): row 9 replaces note"},
    "log.consistency.open": {"rows": [3, 4], "all": 7},
    "log.deadlines.answered-late": {"requests": 1},
    "log.deadlines.by-holiday": {"requests": 1, "days": "2026-05-25"},
    "log.deadlines.confirmed-late": {"requests": 1},
    "log.deadlines.erased-after-due": {"requests": 2},
    "log.deadlines.marked": {"requests": 2},
    "log.deadlines.extended": {"requests": 1},
    "log.deadlines.in-doubt": {"requests": 1},
    "log.deadlines.not-confirmed": {"requests": 2},
    "log.deadlines.not-extended": {"requests": 2},
    "log.deadlines.not-informed": {"requests": 1},
    "log.deadlines.paused": {"requests": 2},
    "log.deadlines.pauses-void": {"requests": 1},
    "log.deadlines.without-reason": {"requests": 1},
    "inference.above": {"attacks": ["rise", "lira-confidence"]},
    "inference.above-own": {"attacks": ["rise"]},
    "inference.own": {"deletions": 4, "attack": "rise", "success": 0.712, "variant": "own-before"},
    "inference.refuted-own": {"deletions": 4, "epsilon": 0.41, "attack": "move", "success": 0.79, "variant": "two"},
    "inference.played": {"games": 1000, "right": 993, "trained": 397, "attack": "rise", "of": 9},
    "inference.on-log": {"first": 6, "records": 12, "decoys": 19, "guessed": 0.6},
    "inference.remedies": {"remedies": ["labels", "waiting"]},
    "inference.reversed": {"attacks": ["move"]},
    "inference.strongest": {"attack": "entropy-confidence", "success": 0.955},
    "inference.ties": {"ties": 0.93, "wins_or_ties": 1.0},
    "reconstruction.above": {"attacks": ["leverage", "constant"]},
    "reconstruction.played": {
        "games": 1000,
        "right": 940,
        "trained": 397,
        "decoys": 9,
        "attack": "leverage",
        "of": 2,
        "chance": 0.1,
    },
    "reconstruction.remedies": {"remedies": ["several-5"]},
    "reconstruction.strongest": {"attack": "records", "success": 0.955},
    "reconstruction.ties": {"ties": 0.93},
    "reconstruction.label.rate": {"rate": 0.97},
    "reconstruction.label.distance": {"distance": 18.8, "nearer": 47.2, "left": 0.398, "without": 0.13},
    "reconstruction.instance.alike": {"route": "region", "alike": 0.93, "probes": 1400},
    "reconstruction.instance.without": {"without": 0.17, "alike": 0.86},
    "reconstruction.instance.named": {"named": 0.75, "without": 0.73},
    "reconstruction.instance.blank": {"blank": 0.11},
    "reconstruction.sentence.rebuilt": {"rate": 0.97, "f1": 0.999},
    "inference.difference.played": {"holdout": True, "candidates": 40, "first": 3, "games": 4, "wins": 4},
    "model.container.comment": {"bytes": 20},
    "model.container.extra": {"bytes": 20},
    "model.container.gap": {"bytes": 1},
    "model.container.members": {"members": 2},
    "model.container.metadata": {"bytes": 20},
    "model.reproduced.container": {"holds": [Message("model.container.date")]},
    "model.reproduced.differing": {"parameters": 1, "free_bits": 17.2},
    "model.reproduced.equal-on-grid": {"grid": 2.0**-20, "neighbours": 1, "near_midpoints": 2},
    "fact.release-reproduced.part": {"part": "trees"},
    "fact.release-reproduced.part-attested": {"part": "trees", "by": "Kim Example", "at": "2026-05-04"},
    "model.reproduced.earlier": {"batch": 0, "batches": 3, "difference": 0.0},
    "model.reproduced.file.besides": {"values": 2, "tree": None, "field": "pandas_categorical"},
    "model.reproduced.file.compared": {"kind": "xgboost-ubj", "bytes": 1000},
    "model.reproduced.file.earlier": {"batch": 1, "batches": 3},
    "model.reproduced.file.near": {"values": 1, "tree": 3, "field": "leaf_value", "largest": 1e-9},
    "model.reproduced.file.other": {"values": 4, "tree": 0, "field": None, "largest": None},
    "model.reproduced.file.part": {"part": "estimator"},
    "model.reproduced.file.spelling": {"kind": "skops"},
    "model.reproduced.file.unreadable": {"kind": "skops"},
    "model.reproduced.grid-too-coarse": {"grid": 4.0, "largest": 0.5},
    "model.reproduced.grid-too-fine": {"grid": 2.0**-40, "least": 1e-9},
    "model.reproduced.loaded-other": {"parameters": 3},
    "model.reproduced.not-loaded": {"lacking": ["save", "load"]},
    "model.reproduced.off-grid": {"grid": 2.0**-20, "not_multiples": 1, "elsewhere": 0, "free_bits": 3.0},
    "model.reproduced.other-tensors": {"how": [Message("model.tensors.missing", {"tensors": 2})]},
    "model.reproduced.predicts-other": {"moved": 0.25},
    "model.reproduced.remedy": {"path": "model.npz", "grid": 2.0**-20},
    "model.reproduced.replayed": {"shipped": 10, "rerun": 10, "between_reruns": 0.0},
    "model.reproduced.reruns-differ": {"between_reruns": 1e-9, "free_bits": 8.0},
    "model.tensors.missing": {"tensors": 2},
    "model.tensors.other-constant": {"tensors": 1, "bytes": 8},
    "model.tensors.other-shape": {"tensors": 1},
    "model.tensors.unknown": {"tensors": 1, "bytes": 8},
    "preprocessing.min-max": _COLUMNS,
    "preprocessing.one-hot": _COLUMNS,
    "preprocessing.standardised": _COLUMNS,
    "preprocessing.target-mean": _COLUMNS,
    "premise.loss-constants.attested": _MEANT,
    "premise.loss-constants.known": {**_MEANT, "loss": "logistic"},
    "premise.loss-constants.linear": {**_MEANT, **_LINEAR},
    "premise.loss-constants.linear.fix": _LINEAR,
    "premise.loss-constants.stated": _MEANT,
    "premise.loss-constants.tested": {**_MEANT, "largest": 1.9},
    "premise.loss-convex.known": {"loss": "softmax", "clip": None},
    "premise.noise-measured": {
        "measured": 0.01,
        "count": 3120,
        "declared": 0.01,
        "detects": 0.2,
        "power": 0.99,
        "refused": [9],
    },
    "premise.release-independent.differs": {"by_file": True, "batch": "A"},
    "premise.release-independent.same": {
        "runs": 3,
        "replacements": [Message("deletion.replacement", {"kind": "other records"})],
    },
    "premise.rows-bounded": {"rows": 500, "norm": 1.0, "scaled": True},
    "premise.seen-releases": {"models": 1, "origin": "claim", "log": 1},
    "premise.steps-counted.declared": {**_STEPS, "updates": 10},
    "premise.steps-counted.other": {**_STEPS, "counted": 59, "number": 0},
    "premise.steps-counted.untold": _STEPS,
    "cost.speedup.unchanged": {"batches": [1]},
    "promise.guesses": {"epsilon": 3.0, "delta": 1e-5, "share": 0.953, "most": 0.9},
    "promise.together": {"records": 30, "epsilon": 62.4, "order": 2.0, "share": 0.95, "most": 0.9},
    "promise.renyi": {"epsilon": 0.5, "order": 2.0, "share": 1.0, "most": 0.9},
    "release.exact.carried": {"files": 1, "bytes": 810, "deleted_bytes": 192},
    "release.exact.compared": {"batches": 2, "of": 3, "kinds": ["predictions", "object"], "objects": 12},
    "release.exact.differing": {
        "batch": 1,
        "items": [{"kind": "predictions", "name": "predictions"}, {"kind": "object", "name": "model.cache"}],
        "more": 2,
        "largest": 0.5,
    },
    "release.exact.let-pass": {"names": ["model.calls"], "more": 1, "bytes": 16},
    "release.exact.no-reaction": {"other_rows": False, "other_labels": True},
    "release.exact.not-compared": {"batches": [2]},
    "release.exact.unchanged": {"batches": [2, 3]},
    "release.exact.prepared": {"first_dropped": 9, "first_held": 18, "last_dropped": 7, "last_held": 17, "never_learned": 2},
    "release.remembers.half-left": {"share": 1.25},
    "release.remembers.in-general": {"value": 0.4, "rule": "ranks"},
    "release.remembers.left-out": {"neighbourhoods": ["moved-0.1", "moved-0.3"]},
    "release.remembers.most": {"attack": "loss", "neighbourhood": "moved-0.1", "contrast": True, "part": "highest-tenth"},
    "release.remembers.no-second": {"models": 199, "level": 0.01, "why": "time", "seconds": 1.3e5, "most": 86_400.0},
    "release.remembers.second": {"models": 199, "p": 0.03, "share": None, "level": 0.01, "found": "open"},
    "release.remembers.pool": {"source": "procedure", "models": 39, "asked": 18, "deleted": 18, "scores": 408},
    "release.remembers.share": {"distinct": 1, "models": 39, "share": 1.25},
    "removal.beyond": {"names": ["step_norm"]},
    "removal.budget.worst": {"perturbation": "laplace", "batches": 2, "retrained": 1},
    "removal.residual.measured": {"shipped": True, "noised": True},
    "removal.residual.scaled": {"records": 1},
    "epsilon.consistency.correction": {"families": 3, "tests": 3, "error": 0.05 / 9},
    "requester.refuted": {"fallen": [{"against": CLAIM, "epsilon": 0.1}], "epsilon": 0.5, "order": 2.0, "confidence": 0.95},
    "state.stateless.not-resumable": {"lacking": ["parameters", "save"]},
    "state.stateless.open.refused": {
        "refused": [{"source": "the parameters", "why": Message("state.stateless.refused.no-save")}],
        "same_from_file": True,
    },
    "state.stateless.outlived": _KEPT,
    "state.stateless.survived": _KEPT,
    "swap.controls.retrained": {"pairs": 20, "identical": False},
    "swap.quality.played": {"pairs": 20, "attack": "rmia", "confidence": 0.95, "do_nothing": [0.1, 0.4]},
    "swap.one-run.guessed": {"right": 30, "guesses": 40, "canaries": 164, "confidence": 0.95, "low": 0.59, "high": 0.87},
    "swap.one-run.power": {"share": 0.72, "power": 0.8},
    "swap.one-run.before": {"right": 30, "guesses": 40, "blind": False},
    "swap.quality.missed": {"models": 40, "share": 0.088},
    "swap.quality.blind-attacks": {"attacks": ["rmia", "loss"], "share": 0.01},
    "swap.quality.trained-on": {"attack": "rmia", "acceptance": 0.1, "interval": [0.05, 0.15]},
    "swap.quality.weaker": {"without": ["rmia", "loss"], "confidence": 0.5},
    "training.privacy.copies": {"records": 12},
    "training.privacy.equal-rows": {"records": 12},
    "training.privacy.bound": {"trainings": [{"records": 100, "steps": 10, "sample_rate": 0.1}]},
    "training.privacy.bound-of-sums": {"steps": 30, "noise": 6.0, "factorisation": "square-root"},
    "training.privacy.otherwise": {"batch": "A", "name": "steps", "told": 9, "expected": 10},
    "utility.accuracy.knows-holdout": {"originals": 1.0, "copies": 0.5, "allowed": 0.1, "confidence": 0.99},
    "swap.quality.not-certain": {"pairs": 20, "needed": 64},
    "swap.strong.doubted": {"needed": None},
    "utility.accuracy.within-chance": {"table": "moved", "drop": 0.12, "low": -0.01, "high": 0.25, "allowed": 0.1, "enough": 420},
    "deleting.not-certain": {"games": 200, "needed": 340},
}
"""Parameters of sentences that a function puts together, or that choose by one; any others follow from the message."""
_BY_ID: Final = {words.as_id(code): code for code in BY_HAND}
_WRITTEN: Final = re.compile(r"\{ (NUM\()?\$(\w+)")


def example(code: str) -> Message:
    """A reason of that id.

    Raises:
        KeyError: If a function makes its sentence, or it chooses by a parameter, and no parameters are written here.
    """
    if words.as_id(code) in _BY_ID:
        return Message(code, BY_HAND[_BY_ID[words.as_id(code)]])
    source = catalogue.sources(catalogue.ENGLISH)[f"reason-{words.as_id(code)}"]
    if "->" in source:
        raise KeyError(code)
    return Message(code, {name: 0.125 if number else f"a {name}" for number, name in _WRITTEN.findall(source)})


@functools.cache
def named_by(file: Path) -> tuple[str, ...]:
    """The message ids of the catalogue that a file names."""
    codes = words.sentences()
    constants = [node.value for node in ast.walk(_parsed(file)) if isinstance(node, ast.Constant)]
    return tuple(value for value in constants if isinstance(value, str) and words.as_id(value) in codes)


@functools.cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@functools.cache
def reasons_of(check_id: str) -> tuple[Message, ...]:
    """A reason for every sentence that the judge of a check names, with the modules of judges that it reads."""
    codes: dict[str, None] = {}
    for file in sorted(_modules(inspect.getmodule(definitions()[check_id].judge).__name__)):
        codes |= dict.fromkeys(named_by(file))
    return tuple(example(code) for code in codes)


def _modules(name: str, found: set[Path] | None = None) -> set[Path]:
    """The file of a module that judges, and those of the modules that it imports from rooms of judges, but for other checks."""
    found = set() if found is None else found
    module = importlib.import_module(name)
    file = Path(str(module.__file__))
    if file in found:
        return found
    found.add(file)
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.ImportFrom) and _JUDGING.match(str(node.module)):
            for each in (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)):
                if each in _KNOWN and not {"CHECK", "CHECKS"} & vars(importlib.import_module(each)).keys():
                    _modules(each, found)
    return found


_JUDGING: Final = re.compile(r"auditor\.(verdict\.checks|parts\.\w+\.judging)\b")
_KNOWN: Final = frozenset(
    ".".join(("auditor", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for file in ROOT.rglob("*.py")
    if _JUDGING.match(".".join(("auditor", *file.relative_to(ROOT).parts)))
)
