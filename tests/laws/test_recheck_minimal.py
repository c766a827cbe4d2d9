"""The script that rechecks evidence without the package comes to the same numbers, and finds those that were changed."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from decimal import localcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from auditor.base.deletion_log import deadlines
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Certificate, ClaimStatus, Guarantee, Status
from auditor.maths.certificates import derive
from auditor.maths.statistics import clopper_pearson
from auditor.verdict import reliance
from auditor.verdict.decisions import decide_exit_code, decide_verdict
from dated_requests import requests

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "recheck_minimal.py"
KEPT = sorted((ROOT / "tests" / "golden").glob("*/*.json"))
EXAMPLES = settings(max_examples=40)

_specification = importlib.util.spec_from_file_location("recheck_minimal", SCRIPT)
assert _specification is not None
assert _specification.loader is not None
minimal = importlib.util.module_from_spec(_specification)
sys.modules["recheck_minimal"] = minimal
_specification.loader.exec_module(minimal)

Document = dict[str, Any]


def as_json(certificate: Certificate) -> Document:
    """A certificate as evidence holds it."""
    found = {
        "kind": certificate.kind,
        "epsilon": certificate.epsilon,
        "delta": certificate.delta,
        "order": certificate.order,
        "inputs": dict(certificate.inputs),
        "conditions": [{"name": each.name, "holds": each.holds} for each in certificate.conditions],
        "bounds": [{"name": each.name, "value": each.value} for each in certificate.bounds],
        "outputs": dict(certificate.outputs),
    }
    value: Document = json.loads(json.dumps(found))
    return value


def rechecked(*certificates: Document) -> list[str]:
    """What the script says of certificates alone."""
    with localcontext(minimal.DECIMALS):
        return list(minimal.certificates({"certificates": certificates, "checks": []}))


def agrees(kind: str, inputs: dict[str, Any]) -> None:
    """The package's certificate, held against the script's own derivation."""
    assert rechecked(as_json(derive(kind, inputs))) == [f"certificates[0] {kind}: agrees"]


def document(*checks: Document, required: tuple[str, ...] = (), certificates: tuple[Document, ...] = ()) -> Document:
    """An evidence document with what the script reads, its verdict by the package's own rule."""
    statuses = {check["id"]: Status(check["status"]) for check in checks}
    code = decide_exit_code(statuses, required, failed=Status.ERROR in statuses.values())
    return {
        "schema": "auditor.evidence/2",
        "verdict": str(decide_verdict(code)),
        "audit": {"exit_code": code},
        "environment": {"capped": False},
        "procedure": {"entry": None},
        "deletion_log": {"batches": 0},
        "reliance": {"contradicted": []},
        "policy": {"required": list(required), "claims": {}, "attested": []},
        "guarantees": [],
        "checks": list(checks),
        "certificates": list(certificates),
    }


def check(name: str, status: str, value: float | None = None, threshold: float | None = None, **more: Any) -> Document:
    """One check with what the script reads."""
    return {"id": name, "status": status, "value": value, "interval": None, "threshold": threshold, **more}


def run(value: Document, folder: Path) -> int:
    """The exit code of the script for a document."""
    path = folder / "evidence.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    code: int = minimal.main([str(path)])
    return code


# What it is.


def test_it_imports_nothing_of_the_package() -> None:
    names: set[str] = set()
    for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
    roots = {name.partition(".")[0] for name in names}
    assert roots - sys.stdlib_module_names == {"numpy", "scipy"}
    assert "importlib" not in roots


def test_without_scipy_it_says_in_one_line_what_it_needs() -> None:
    # -S: nothing of site-packages is there.
    ran = subprocess.run([sys.executable, "-I", "-S", str(SCRIPT), "evidence.json"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("recheck_minimal.py needs NumPy and SciPy: pip install scipy (No module named 'numpy'")


def test_it_has_at_most_750_lines() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 750


def test_it_runs_by_itself(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.json"
    evidence.write_bytes(KEPT[0].read_bytes())
    command = [sys.executable, "-I", str(SCRIPT), str(evidence)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 3}, done.stdout + done.stderr
    assert not done.stderr
    assert done.stdout.startswith("verdict: agrees")


# The cap and the claims.

FACTS = (
    "release.exact",
    "release.remembers",
    "state.stateless",
    "deletion.renyi",
    "swap.quality",
    "swap.strong",
    "training.privacy",
)
CLAIMS = ("certified_removal", "data_deletion", "dp", "retraining")


@given(
    statuses=st.dictionaries(st.sampled_from(FACTS), st.sampled_from(Status)),
    words=st.sets(st.sampled_from(["code-clean", "procedure-honest", "seed-secret"])),
    claimed=st.sets(st.sampled_from(CLAIMS)),
    standings=st.dictionaries(st.sampled_from(["certified-removal", "data-deletion"]), st.sampled_from(ClaimStatus)),
    foreign=st.booleans(),
    theorem=st.sampled_from(["twins", "5.1", None]),
)
def test_it_holds_back_what_the_package_holds_back(
    statuses: dict[str, Status],
    words: set[str],
    claimed: set[str],
    standings: dict[str, ClaimStatus],
    foreign: bool,
    theorem: str | None,
) -> None:
    value = document(*(check(name, str(status), derived={"theorem": theorem}) for name, status in statuses.items()))
    value["procedure"]["entry"] = "procedure.py:Own" if foreign else None
    value["policy"] |= {"claims": dict.fromkeys(claimed, True), "attested": [{"name": each} for each in words]}
    value["guarantees"] = [{"id": name, "status": str(status)} for name, status in standings.items()]
    cap = reliance.cap(
        foreign=foreign,
        statuses=statuses,
        attested=words,
        claimed=claimed,
        independent="deletion.renyi" in statuses and theorem == "twins",
    )
    promised = [Guarantee(name, status, None, None, ()) for name, status in standings.items()]
    table = dict.fromkeys(claimed, True)
    claims = reliance.claims(table, guarantees=promised, statuses=statuses, attested=words, private=None)
    assert minimal.held_back(value) is (cap.holds or bool(reliance.unmet(claims)))


@pytest.mark.parametrize("passing", ["swap.quality", "release.exact", "removal.output-noise", "deletion.adaptive"])
def test_deleted_records_ask_for_something_that_examined_the_forgetting(passing: str) -> None:
    value = document(check("log.consistency", "pass", 0.0, 0.0), required=("log.consistency",)) | {"deletion_log": {"batches": 1}}
    value["policy"]["attested"] = [{"name": "log-complete"}, {"name": "preprocessing-clean"}]
    assert minimal.held_back(value)
    value["checks"].append(check(passing, "pass"))
    assert not minimal.held_back(value)
    assert minimal.held_back(value | {"reliance": {"contradicted": ["seed-secret"]}})


@pytest.mark.parametrize("extractor", [False, True])
@pytest.mark.parametrize("batches", [0, 1])
@pytest.mark.parametrize("requests", [0, 2])
@pytest.mark.parametrize(
    "words", [(), ("log-complete",), ("log-complete", "preprocessing-clean"), ("log-complete", "extractor-private")]
)
def test_deleted_records_ask_for_the_words_that_the_package_asks_for(
    words: tuple[str, ...], requests: int, batches: int, *, extractor: bool
) -> None:
    value = document(check("swap.quality", "pass"), required=("swap.quality",)) | {"deletion_log": {"batches": batches}}
    value["requests"] = [{}] * requests
    value["policy"]["attested"] = [{"name": each} for each in words]
    value["procedure"] |= {"settings": {"extractor": {"epsilon": 0.2} if extractor else None}}
    assert minimal.held_back(value) is bool(reliance.silent(words, requests=requests, batches=batches, extractor=extractor))


def test_a_pass_of_foreign_code_without_a_way_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = document(check("log.consistency", "pass", 0.0, 0.0), required=("log.consistency",))
    assert run(value, tmp_path) == 0
    value["procedure"]["entry"] = "procedure.py:Own"
    assert run(value, tmp_path) == 1
    assert "verdict DIFFERS: stated pass, derived inconclusive" in capsys.readouterr().out


# Evidence that was kept.


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_kept_evidence_agrees(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = minimal.main([str(path)])
    said = capsys.readouterr().out
    *lines, last = said.splitlines()
    assert code == (3 if any("not rechecked here" in line for line in lines) else 0), said
    assert "DIFFERS" not in said
    assert last.startswith(f"{len(lines)} lines: 0 differ, ")


def test_every_kind_outside_its_rules_is_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    for path in KEPT:
        kinds = [each["kind"] for each in json.loads(path.read_bytes())["certificates"]]
        minimal.main([str(path)])
        said = capsys.readouterr().out.splitlines()
        for index, kind in enumerate(kinds):
            assert (f"certificates[{index}] not rechecked here: {kind}" in said) == (kind not in minimal.RULES)


# What was changed is found.

STEPS = {
    "l2": 0.001,
    "lipschitz_printed": 0.25,
    "lipschitz": 0.0962250448649377,
    "gradient_bound": 1.0,
    "row_norm": 1.0,
    "perturbation_norm": 8.0,
    "spectral_norm": [16.0, 15.0, 14.0],
    "rows": [357, 356, 354],
    "forgotten": [1, 2, 1],
    "retrained": [0, 1, 0],
}
NEWTON = STEPS | {
    "leftover": 1e-8,
    "gradient_norm": [1e-9, 1e-4, 1e-9],
    "step_norm": [0.1, 0.1, 0.2],
    "step_predictions_norm": [0.5, 0.5, 0.6],
    "step_predictions_norm4": [0.05, 0.04, 0.03],
    "local_curvature_norm": [0.002, 0.003, 0.001],
    "solver_error": [1e-12, 1e-12, 1e-11],
    "rounding_floor": [1e-11, 1e-11, 2e-11],
    "batch_leftover": [0.0, 1e-8, 0.0],
    "measured": [1e-4, 1e-9, 2e-4],
}
TEN = STEPS | {
    name: [x for each in value for x in (each, each / 2)] for name, value in NEWTON.items() if name not in STEPS | {"leftover": 0}
}
TEN |= {"classes": 2, "added": 0, "leftovers": [1e-8, 2e-8]}
CONVEX = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500}
BATCHES = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "batch": 100, "batches": 5, "rate": 1.6}
NONCONVEX = {"sigma2": 4.0, "bound_b": 1.5, "lipschitz": 1.0, "l2": 0.5, "smoothness": 1.0, "rate": 1e-6, "d": 10, "r": 1}
STREAM = {"noise_multiplier": 20.0, "horizon": 1000, "records": 3, "delta": 1e-6, "features": 10, "norm": 2.0}
INPUTS: dict[str, dict[str, Any]] = {
    "gaussian": {"epsilon": 1.0, "delta": 1e-4},
    "removal-budget": {"epsilon": 1.0, "delta": 1e-4, "sigma": 2.0, "beta": 0.2, "beta_measured": 0.1, "beta_tightened": 0.3},
    "removal-budget-laplace": {"epsilon": 1.0, "sigma": 0.5, "beta": 0.2, "beta_measured": 0.1},
    "removal-residual": NEWTON,
    "joint-residual": TEN,
    "output-noise": {
        "l2": 0.01,
        "rows": [500, 499],
        "release_noise": 0.05,
        "delta": 1e-4,
        "residual": 0.05,
        "epsilon": 1.0,
        "measured": 0.04,
    },
    "noisy-gd-convex": CONVEX | {"q": 2.0, "steps": 60},
    "noisy-gd-nonconvex": NONCONVEX | {"q": 2.0, "n": 40, "learn_steps": 40_000_000, "unlearn_steps": 30_000_000},
    "noisy-gd-gaussian": CONVEX | {"rate": 1 / 0.6, "steps": 10, "learn_steps": 100, "size": 3},
    "noisy-gd-batches": BATCHES | {"epochs": 5, "learn_epochs": 20, "size": 3},
    "adaptive": {"epsilon_dd": 0.00525343991193, "epsilon_dp": 0.064, "seen": 3},
    "group": {"epsilon": 1.0, "delta": 1e-6, "size": 3},
    "tree-counter": {"epsilon": 1.0, "delta": 1e-6, "horizon": 365},
    "square-root-counter": {"epsilon": 1.0, "delta": 1e-6, "horizon": 365},
    "ftrl-tree": STREAM,
    "ftrl-square-root": STREAM,
}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of every number and truth in what a certificate states."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    elif isinstance(value, bool | int | float):
        yield path


def with_leaf(value: Document, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Document:
    """A copy in which one leaf is changed."""
    made = copy.deepcopy(value)
    at: Any = made
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = change(at[path[-1]])
    return made


def test_every_kind_that_it_knows_is_tried() -> None:
    assert INPUTS.keys() == minimal.RULES.keys()


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("factor", [1 + 1e-5, 1 - 1e-5])
def test_every_number_of_a_certificate_that_was_changed_is_found(kind: str, factor: float) -> None:
    honest = as_json(derive(kind, INPUTS[kind]))
    assert rechecked(honest) == [f"certificates[0] {kind}: agrees"]

    def change(value: Any) -> Any:
        return not value if isinstance(value, bool) else value * factor if value else 1e-3

    stated = {name: value for name, value in honest.items() if name not in {"kind", "inputs"}}
    paths = list(leaves(stated))
    assert paths
    for path in paths:
        lines = rechecked(with_leaf(honest, path, change))
        assert all("DIFFERS: stated" in line for line in lines), path


@pytest.mark.parametrize("kind", INPUTS)
def test_a_number_that_is_left_out_is_found(kind: str) -> None:
    honest = as_json(derive(kind, INPUTS[kind]))
    for path in leaves(honest["outputs"]):
        (line,) = rechecked(with_leaf(honest, ("outputs", *path), lambda _: None))
        assert "DIFFERS: stated nothing, derived" in line


@pytest.mark.parametrize(
    ("kind", "inputs", "path", "safe"),
    [
        ("group", INPUTS["group"], ("delta",), +1),
        ("removal-budget", {"epsilon": 1.0, "delta": 1e-4, "sigma": 1.0}, ("outputs", "budget"), -1),
        ("removal-residual", NEWTON, ("outputs", "beta"), +1),
        ("noisy-gd-gaussian", INPUTS["noisy-gd-gaussian"], ("outputs", "mu"), +1),
        ("noisy-gd-batches", INPUTS["noisy-gd-batches"], ("outputs", "mu"), +1),
        ("ftrl-square-root", STREAM, ("outputs", "mu"), +1),
        ("square-root-counter", INPUTS["square-root-counter"], ("outputs", "noise_sigma"), +1),
        ("gaussian", {"epsilon": 1.0, "delta": 1e-4}, ("outputs", "mu"), -1),
        ("gaussian", {"delta": 1e-5, "mu": 1.0}, ("outputs", "epsilon"), +1),
    ],
)
def test_a_number_may_be_off_on_its_safe_side_alone(kind: str, inputs: dict[str, Any], path: tuple[str, ...], safe: int) -> None:
    honest = as_json(derive(kind, inputs))
    for side, agreed in ((safe, True), (-safe, False)):
        changed = with_leaf(honest, path, lambda value, side=side: value * (1 + side * 5e-8))
        if path[0] != "outputs" and path[0] in changed["outputs"]:
            changed["outputs"][path[0]] = changed[path[0]]
        if kind == "gaussian" and path[-1] == "epsilon":
            changed["epsilon"] = changed["outputs"]["epsilon"]
        assert (rechecked(changed) == [f"certificates[0] {kind}: agrees"]) is agreed


def test_a_premise_that_fails_leaves_no_number(tmp_path: Path) -> None:
    honest = as_json(derive("noisy-gd-convex", INPUTS["noisy-gd-convex"]))
    honest["inputs"]["q"] = 1.0
    lines = rechecked(honest)
    assert "certificates[0] noisy-gd-convex: conditions DIFFERS: stated True, derived False" in lines
    assert any("epsilon_dd DIFFERS" in line and "derived nothing" in line for line in lines)
    assert run(document(certificates=(honest,)), tmp_path) == 1


def test_an_input_of_another_name_is_not_taken_for_granted(tmp_path: Path) -> None:
    honest = as_json(derive("adaptive", INPUTS["adaptive"]))
    honest["inputs"]["discount"] = 0.5
    assert rechecked(honest) == ["certificates[0] not rechecked here: adaptive with input discount"]
    assert run(document(certificates=(honest,)), tmp_path) == 3


@pytest.mark.parametrize("broken", [None, [], {}, {"epsilon_dd": "1", "epsilon_dp": 1.0, "seen": 1}, {"seen": True}])
def test_inputs_that_cannot_be_read_agree_with_nothing(broken: Any, tmp_path: Path) -> None:
    honest = as_json(derive("adaptive", INPUTS["adaptive"])) | {"inputs": broken}
    assert run(document(certificates=(honest,)), tmp_path) == 1


def test_a_budget_has_to_rest_on_the_chain(tmp_path: Path) -> None:
    chain = derive("removal-residual", NEWTON)
    betas = {each.name: each.value for each in chain.bounds}
    names = {"worst-case": "beta_worst_case", "as-printed": "beta_as_printed", "tightened": "beta_tightened", "local": "beta"}
    names |= {"online": "beta_online", "measured": "beta_measured"}
    target = {"epsilon": 1.0, "delta": 1e-4, "sigma": 1.0}
    resting = as_json(derive("removal-budget", target | {name: betas[bound] for bound, name in names.items()}))
    other = as_json(derive("removal-budget", target | {"beta": 0.01}))
    judged = check("removal.budget", "pass", 0.5, 1.0)
    assert run(document(judged, certificates=(as_json(chain), other, resting)), tmp_path) == 0
    assert run(document(judged, certificates=(as_json(chain), other)), tmp_path) == 1
    assert run(document(judged, certificates=(as_json(chain),)), tmp_path) == 1
    assert run(document(certificates=(as_json(chain), other)), tmp_path) == 0


# Intervals from counts.


def difference(wins: int, games: int) -> Document:
    """`inference.difference` as a run states it."""
    interval = clopper_pearson(wins, games, confidence=0.95)
    observed = {"wins": wins, "games": games, "confidence": 0.95}
    derived = {"epsilon_lower": max(0.0, 2 * interval.low - 1)}
    found = check("inference.difference", "skipped", wins / games, observed=observed, derived=derived)
    return found | {"interval": [interval.low, interval.high]}


def test_counts_are_read_wherever_evidence_has_them(tmp_path: Path) -> None:
    new = difference(640, 1000)
    old = {name: value for name, value in new.items() if name not in {"observed", "derived"}}
    old["details"] = new["observed"] | new["derived"]
    for found in (new, old):
        for schema in ("auditor.evidence/1", "auditor.evidence/2", "auditor.evidence/2.1"):
            assert run(document(found) | {"schema": schema}, tmp_path) == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("value",), 0.641),
        (("interval", 0), 0.62),
        (("interval", 1), 0.66),
        (("interval",), None),
        (("observed", "wins"), 641),
        (("observed", "wins"), 1001),
        (("observed", "games"), 999),
        (("observed", "games"), 0),
        (("observed", "confidence"), 0.9),
        (("observed", "confidence"), 1.5),
        (("derived", "epsilon_lower"), 0.2),
    ],
)
def test_counts_and_intervals_that_were_changed_are_found(path: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    honest = document(difference(640, 1000))
    assert run(honest, tmp_path) == 0
    assert run(with_leaf(honest, ("checks", 0, *path), lambda _: value), tmp_path) == 1


def test_an_interval_without_counts_is_left_out(tmp_path: Path) -> None:
    found = check("swap.quality", "pass", 0.97) | {"interval": [0.96, 1.0]}
    assert run(document(found), tmp_path) == 3
    uncounted = document(difference(640, 1000))
    del uncounted["checks"][0]["observed"]["wins"]
    assert run(uncounted, tmp_path) == 3


def test_conclusions_that_it_does_not_derive_are_named_whatever_they_state(tmp_path: Path, capsys: Any) -> None:
    forged = json.loads((ROOT / "tests" / "golden" / "0.2.0" / "digits-retrain.json").read_bytes())
    forged |= {"strength": "A", "default_policy_verdict": "pass"}
    for each in forged["guarantees"]:
        each["status"] = "shown"
    for each in forged["premises"]:
        each["standing"] = "examined"
    assert run(forged, tmp_path) == 3
    said = capsys.readouterr().out
    assert "not rechecked here: grade, stated A" in said
    assert "not rechecked here: verdict under the default policy, stated pass" in said
    for each in forged["guarantees"]:
        assert f"not rechecked here: guarantee {each['id']}, stated shown" in said
    assert said.count("stated examined") == len(forged["premises"])
    assert f"lateness of {len(forged['requests'])} requests" in said


# Due dates.

DATED = json.loads((ROOT / "tests" / "golden" / "0.2.0" / "late-and-extended.json").read_bytes())
HOLIDAYS = st.sets(st.dates(date(2026, 1, 1), date(2026, 12, 31)), max_size=20)
THIS_YEAR = st.dates(date(2025, 11, 1), date(2026, 12, 31))


@settings(max_examples=300)
@given(requests(THIS_YEAR), st.none() | st.integers(0, 120), HOLIDAYS)
def test_due_dates_are_those_of_the_package(asked: RequestOutcome, days: int | None, holidays: set[date]) -> None:
    value = TypeAdapter(RequestOutcome).dump_python(asked, mode="json")
    assert minimal.due(value, days, {each.isoformat() for each in holidays}) == deadlines.due(asked, days, holidays).on


@pytest.mark.parametrize(
    ("name", "change", "derived"),
    [
        ("REQ-on-monday", {"due_on": "2026-03-03"}, "2026-03-02"),
        ("REQ-extended", {"due_on": "2026-05-08"}, "2026-04-08"),
        ("REQ-extended-too-late", {"due_on": "2026-04-13"}, "2026-02-13"),
        ("REQ-paused", {"due_on": "2026-03-02"}, "2026-02-16"),
        ("REQ-in-doubt", {"regime": "ccpa"}, "2026-03-19"),
    ],
)
def test_a_due_date_that_was_changed_is_found(
    name: str, change: Document, derived: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = copy.deepcopy(DATED)
    place = next(place for place, each in enumerate(forged["requests"]) if each["request_id"] == name)
    forged["requests"][place] |= change
    assert run(forged, tmp_path) == 1
    stated = forged["requests"][place]["due_on"]
    assert f"requests[{place}]: due_on DIFFERS: stated {stated}, derived {derived}" in capsys.readouterr().out


def test_holidays_and_the_days_of_the_policy_move_due_dates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for section, change in (("deletion_log", {"holidays": ["2026-03-02"]}), ("policy", {"settings": {"deadline_days": 10}})):
        forged = copy.deepcopy(DATED)
        forged[section] |= change
        assert run(forged, tmp_path) == 1
        assert "due_on DIFFERS" in capsys.readouterr().out


# The verdict.

IDS = ("log.consistency", "data.erased", "swap.quality", "deletion.renyi", "utility.accuracy")
NUMBERS = {"value": 0.0, "threshold": 0.0}


@EXAMPLES
@given(statuses=st.lists(st.sampled_from([str(each) for each in Status]), min_size=5, max_size=5), data=st.data())
def test_the_verdict_is_that_of_the_package(statuses: list[str], data: st.DataObject) -> None:
    required = data.draw(st.lists(st.sampled_from(IDS), unique=True))
    required = sorted({*required, "log.consistency"})
    honest = document(*(check(name, each, **NUMBERS) for name, each in zip(IDS, statuses, strict=True)), required=tuple(required))
    capped = data.draw(st.booleans())
    honest["environment"]["capped"] = capped
    by_id = {name: Status(each) for name, each in zip(IDS, statuses, strict=True)}
    code = decide_exit_code(by_id, required, capped=capped, failed=Status.ERROR in by_id.values())
    honest |= {"verdict": str(decide_verdict(code)), "audit": {"exit_code": code}}
    assert len(list(minimal.verdict(honest))) == 1
    assert "agrees" in next(minimal.verdict(honest))
    for other in {0, 1, 3, 4} - {code}:
        assert any("exit_code DIFFERS" in line for line in minimal.verdict(honest | {"audit": {"exit_code": other}}))
    for word in {"pass", "fail", "inconclusive"} - {honest["verdict"]}:
        assert any("verdict DIFFERS" in line for line in minimal.verdict(honest | {"verdict": word}))


def passing() -> Document:
    """A document that passes."""
    return document(
        check("log.consistency", "pass", 0, 0), check("data.erased", "pass", 0, 0), required=("log.consistency", "data.erased")
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("verdict",), "fail"),
        (("verdict",), None),
        (("audit", "exit_code"), 3),
        (("environment", "capped"), True),
        (("policy", "required"), []),
        (("policy", "required"), ["data.erased"]),
        (("policy", "required"), ["log.consistency", "data.erased", "swap.quality"]),
        (("checks", 1, "status"), "fail"),
        (("checks", 1, "status"), "error"),
        (("checks", 1, "status"), "skipped"),
        (("checks", 1, "value"), 1),
        (("checks", 1, "value"), None),
        (("checks", 1, "threshold"), None),
    ],
)
def test_a_verdict_that_does_not_follow_is_found(path: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    assert run(passing(), tmp_path) == 0
    assert run(with_leaf(passing(), path, lambda _: value), tmp_path) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"schema": "auditor.evidence/3"}',
        b'{"schema": "auditor.evidence/2"}',
        json.dumps(passing()).encode().replace(b'"capped": false', b'"capped": true, "capped": false'),
        json.dumps(passing() | {"checks": passing()["checks"] * 2}).encode(),
        json.dumps(passing() | {"checks": None}).encode(),
        b"[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_2(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(content)
    assert minimal.main([str(path)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("unreadable: ")
    assert not said.out


def test_a_missing_file_and_a_missing_argument_are_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert minimal.main([str(tmp_path / "none.json")]) == 2
    assert minimal.main([]) == 2
    assert "usage: python recheck_minimal.py evidence.json" in capsys.readouterr().err


def test_nothing_in_a_document_reaches_the_terminal_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = {"kind": "swap\x1b[2J\n\u202eagrees", "inputs": {}}
    assert run(document(certificates=(odd,)), tmp_path) == 3
    said = capsys.readouterr().out
    assert all(character.isprintable() and character.isascii() for character in said.replace("\n", ""))
    assert len(said.splitlines()) == 3


# The same numbers by another route.

deltas = st.floats(1e-12, 0.9)


def powers(low: float, high: float) -> st.SearchStrategy[float]:
    """Positive numbers between two powers of ten, evenly by their logarithms."""
    return st.floats(low, high).map(lambda power: float(10.0**power))


@EXAMPLES
@given(epsilon=powers(-4, 2), delta=deltas, mu=powers(-4, 1.5), without=st.sampled_from(["epsilon", "delta", "mu"]))
def test_gaussian(epsilon: float, delta: float, mu: float, without: str) -> None:
    agrees("gaussian", {name: x for name, x in {"epsilon": epsilon, "delta": delta, "mu": mu}.items() if name != without})


@EXAMPLES
@given(epsilon=powers(-4, 2), delta=powers(-12, -0.1), sigma=powers(-3, 3), mu=st.none() | powers(-4, 1.5), share=st.floats(0, 1))
def test_removal_budgets(epsilon: float, delta: float, sigma: float, mu: float | None, share: float) -> None:
    spent = {} if mu is None else {"beta": mu * sigma, "beta_measured": share * mu * sigma, "beta_online": mu}
    agrees("removal-budget", {"epsilon": epsilon, "delta": delta, "sigma": sigma, **spent})
    agrees("removal-budget-laplace", {"epsilon": epsilon, "sigma": sigma, **spent})


@EXAMPLES
@given(
    l2=powers(-4, 1),
    rows=st.lists(st.integers(1, 10**5), min_size=1, max_size=8),
    noise=powers(-3, 2),
    delta=powers(-12, -0.1),
    residual=st.none() | powers(-6, 1),
    epsilon=st.none() | powers(-4, 2),
    share=st.none() | st.floats(0, 1.2),
)
def test_output_noise(
    l2: float, rows: list[int], noise: float, delta: float, residual: float | None, epsilon: float | None, share: float | None
) -> None:
    optional = {"residual": residual, "epsilon": epsilon, "measured": share and residual and share * residual}
    inputs = {"l2": l2, "rows": rows, "release_noise": noise, "delta": delta}
    agrees("output-noise", inputs | {name: value for name, value in optional.items() if value is not None})


@st.composite
def chains(draw: st.DrawFn, classes: int) -> dict[str, Any]:
    """Measurements of a log; most of them could have been made."""
    batches = draw(st.integers(0, 6))
    forgotten = draw(st.lists(st.integers(1, 3), min_size=batches, max_size=batches))
    rows = [draw(st.integers(30, 10_000))]
    for count in forgotten:
        rows.append(rows[-1] - count)
    inputs: dict[str, Any] = {
        "l2": draw(powers(-4, 0)),
        "lipschitz_printed": 0.25,
        "lipschitz": draw(st.sampled_from([0.0962250448649377, 0.0, 0.3])),
        "gradient_bound": draw(powers(-1, 1)),
        "row_norm": draw(st.sampled_from([1.0, 1 + 1e-12, 0.5, 1.2])),
        "perturbation_norm": draw(powers(-1, 2)),
        "rows": rows[:-1],
        "forgotten": forgotten,
        "spectral_norm": [draw(powers(0, 1.5)) for _ in forgotten],
        "retrained": [draw(st.sampled_from([0, 0, 0, 1])) for _ in forgotten],
    }
    each: dict[str, list[float]] = {name: [] for name in minimal.LISTS}
    for batch in range(batches):
        for _ in range(classes):
            step = draw(powers(-4, 0))
            v = inputs["spectral_norm"][batch] * step * draw(st.floats(0, 1))
            fourth = v * v * draw(st.floats((rows[batch] - forgotten[batch]) ** -0.5, 1))
            drawn = (1e-12, step, v, fourth, fourth * draw(st.floats(0, 0.1)), draw(powers(-14, -6)), draw(powers(-13, -9)))
            measured = draw(st.sampled_from([1e-9, 1e-9, 1e-9, 10.0]))
            for name, value in zip(minimal.LISTS, (*drawn, 1e-8 * inputs["retrained"][batch], measured), strict=True):
                each[name].append(value)
    return inputs | each


@EXAMPLES
@given(inputs=chains(1), leftover=powers(-9, -6))
def test_removal_residual(inputs: dict[str, Any], leftover: float) -> None:
    agrees("removal-residual", inputs | {"leftover": leftover})


@EXAMPLES
@given(inputs=chains(3), added=st.integers(0, 1), leftovers=st.lists(powers(-9, -6), min_size=3, max_size=3))
def test_joint_residual(inputs: dict[str, Any], added: int, leftovers: list[float]) -> None:
    agrees("joint-residual", inputs | {"classes": 3, "added": added, "leftovers": leftovers})


@EXAMPLES
@given(
    q=powers(-3, 3).map(lambda above: 1 + above),
    lipschitz=powers(-3, 3),
    l2=powers(-6, 2),
    smoothness=powers(-3, 3),
    sigma2=powers(-5, 3),
    n=st.integers(1, 10**7),
    steps=st.integers(0, 10**6),
)
def test_noisy_gd_convex(**inputs: Any) -> None:
    agrees("noisy-gd-convex", inputs)


@EXAMPLES
@given(
    q=st.floats(1.1, 20),
    sigma2=powers(-1, 2),
    bound_b=st.floats(1.1, 10),
    lipschitz=powers(-1, 1),
    l2=powers(-2, 1),
    smoothness=powers(-1, 1),
    rate=powers(-8, -5),
    d=st.integers(1, 1000),
    n=st.integers(1, 10**5),
    learned=st.floats(0, 20),
    unlearned=st.floats(0, 20),
)
def test_noisy_gd_nonconvex(learned: float, unlearned: float, **inputs: Any) -> None:
    unit = 2 * inputs["bound_b"] / (inputs["l2"] * inputs["rate"])
    agrees("noisy-gd-nonconvex", inputs | {"r": 1, "learn_steps": int(learned * unit), "unlearn_steps": int(unlearned * unit)})


@EXAMPLES
@given(
    lipschitz=powers(-2, 2),
    l2=powers(-6, 1),
    smoothness=powers(-3, 2),
    sigma2=powers(-4, 2),
    n=st.integers(1, 10**6),
    share=st.floats(0.001, 1.05),
    steps=st.integers(0, 10**5),
    learn_steps=st.none() | st.integers(0, 10**7),
    size=st.integers(1, 20),
)
def test_noisy_gd_gaussian(share: float, learn_steps: int | None, **inputs: Any) -> None:
    rate = share * 2 / (inputs["l2"] + inputs["smoothness"])
    agrees("noisy-gd-gaussian", inputs | {"rate": rate} | ({} if learn_steps is None else {"learn_steps": learn_steps}))


@EXAMPLES
@given(
    lipschitz=powers(-2, 2),
    l2=powers(-6, 1),
    smoothness=powers(-3, 2),
    sigma2=powers(-4, 2),
    batch=st.integers(1, 10**6),
    batches=st.integers(1, 10**4),
    share=st.floats(0.001, 1.05),
    epochs=st.integers(0, 10**3),
    learn_epochs=st.none() | st.integers(0, 10**5),
    size=st.integers(1, 20),
)
def test_noisy_gd_batches(share: float, learn_epochs: int | None, **inputs: Any) -> None:
    rate = share * 2 / (inputs["l2"] + inputs["smoothness"])
    agrees("noisy-gd-batches", inputs | {"rate": rate} | ({} if learn_epochs is None else {"learn_epochs": learn_epochs}))


@EXAMPLES
@given(
    factorisation=st.sampled_from(["tree", "square-root"]),
    noise_multiplier=powers(-1, 3),
    horizon=st.integers(1, 3000),
    share=st.floats(0, 1),
    delta=powers(-12, -1),
    learns=st.none() | st.tuples(st.integers(1, 10**6), powers(-3, 3)),
)
def test_learning_from_a_stream(
    factorisation: str, share: float, horizon: int, learns: tuple[int, float] | None, **inputs: Any
) -> None:
    loss = {} if learns is None else {"features": learns[0], "norm": learns[1]}
    records = 1 + int(share * (horizon - 1))
    agrees(f"ftrl-{factorisation}", inputs | loss | {"horizon": horizon, "records": records})


@EXAMPLES
@given(
    factorisation=st.sampled_from(["tree", "square-root"]),
    epsilon=st.just(0.0) | powers(-3, 1.5),
    delta=st.just(0.0) | powers(-12, -1),
    horizon=st.integers(1, 3000),
)
def test_counters(factorisation: str, **inputs: Any) -> None:
    agrees(f"{factorisation}-counter", inputs)


@pytest.mark.parametrize("kind", ["ftrl-tree", "ftrl-square-root"])
@pytest.mark.parametrize("change", [{"horizon": 0}, {"records": 0}, {"records": 1001}, {"delta": 0.0}, {"norm": -1.0}])
def test_a_stream_out_of_range_has_no_number(kind: str, change: dict[str, Any]) -> None:
    honest = as_json(derive(kind, STREAM))
    honest["inputs"] |= change
    assert f"certificates[0] {kind}: conditions DIFFERS: stated True, derived False" in rechecked(honest)


@EXAMPLES
@given(epsilon_dd=powers(-12, 2), epsilon_dp=powers(-12, 2), seen=st.integers(0, 1000))
def test_adaptive(**inputs: Any) -> None:
    agrees("adaptive", inputs)


@EXAMPLES
@given(epsilon=st.just(0.0) | powers(-8, 1.5), delta=st.just(0.0) | powers(-15, -1), size=st.integers(1, 500))
def test_group(**inputs: Any) -> None:
    agrees("group", inputs)


@EXAMPLES
@given(games=st.integers(1, 3000), share=st.floats(0, 1), confidence=st.floats(0.5, 0.999))
def test_clopper_pearson(games: int, share: float, confidence: float) -> None:
    wins = round(share * games)
    interval = clopper_pearson(wins, games, confidence=confidence)
    with localcontext(minimal.DECIMALS):
        low, high = minimal.clopper_pearson(wins, games, confidence)
        assert minimal.same(interval.low, low)
        assert minimal.same(interval.high, high)


# The paper's numbers, by the script's own arithmetic.


@pytest.mark.parametrize(
    ("kind", "inputs", "name", "expected"),
    [
        ("gaussian", {"epsilon": 1.0, "mu": 0.3}, "outputs.delta", 5.48874964461e-5),
        ("gaussian", {"epsilon": 0.0, "mu": 0.5}, "outputs.delta", 0.197412651366),
        ("gaussian", {"delta": 1e-4, "mu": 0.3}, "outputs.epsilon", 0.950072605134),
        ("gaussian", {"delta": 1e-5, "mu": 1.0}, "outputs.epsilon", 4.37717809568),
        ("gaussian", {"epsilon": 1.0, "delta": 1e-4}, "outputs.mu", 0.313902458312),
        ("noisy-gd-convex", INPUTS["noisy-gd-convex"], "outputs.epsilon_dd", 0.00525343991193),
        ("noisy-gd-nonconvex", INPUTS["noisy-gd-nonconvex"], "outputs.epsilon_dd", 0.00864),
        ("noisy-gd-gaussian", CONVEX | {"rate": 1 / 0.6, "steps": 10}, "outputs.mu", 0.0733580329394),
        ("noisy-gd-gaussian", CONVEX | {"rate": 1 / 0.6, "steps": 10, "learn_steps": 100}, "outputs.mu", 0.0733458266054),
        ("group", INPUTS["group"], "delta", 1.11073379274e-5),
    ],
)
def test_published_vectors(kind: str, inputs: dict[str, Any], name: str, expected: float) -> None:
    with localcontext(minimal.DECIMALS):
        derived = minimal.derive(kind, inputs)
    assert math.isclose(float(derived[name].value), expected, rel_tol=2e-12)


def test_the_worst_case_increment_is_the_corrected_one() -> None:
    fixed = {"l2": 10, "lipschitz_printed": 0.25, "lipschitz": 0.1, "gradient_bound": 1, "row_norm": 1, "perturbation_norm": 2000}
    at = dict.fromkeys((*minimal.LISTS, *minimal.SHARED), 0) | {"rows": 100, "forgotten": 1}
    with localcontext(minimal.DECIMALS):
        found = minimal.increments(*({name: minimal.D(value) for name, value in each.items()} for each in (fixed, at)))
    assert math.isclose(float(found["worst-case"]), 0.0122222222222, rel_tol=1e-11)
