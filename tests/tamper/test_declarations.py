"""Declarations that contradict themselves are named, with what was found and what was expected, though all that follows agrees.

Each change is made as a forger would: what the document derives is derived again from what it then declares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
import rfc8785

from auditor.base.deletion_log.deletions import DELETED_TWICE, DUPLICATE_REQUEST, EXECUTED_BEFORE_RECEIVED, EXECUTED_IN_FUTURE
from auditor.recheck import declarations
from auditor.recheck.derivations import derive_again, recheck_evidence
from auditor.recheck.files import read_evidence
from auditor.sandbox import Level
from auditor.sandbox.examination import promised
from rechecks import LATEST, Change, changed, check, document, findings

NEWTON, TREE, LATE, OWN, PROGRAM = "digits-newton", "diabetes-tree", "late-and-extended", "digits-retrain", "xor-controller"
DEFINITE: Final = "64 hexadecimal digits"


def forged(change: Change, name: str) -> bytes:
    """A document changed in what it declares, and derived again from that where any judge can."""
    content = changed(change, name)
    try:
        return derive_again(read_evidence(content, name).evidence).to_bytes()
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return content


def request(index: int, **given: Any) -> Change:
    return lambda value: value["requests"][index].update(given)


def section(name: str, **given: Any) -> Change:
    return lambda value: value[name].update(given)


def walls(value: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = value["environment"]["walls"]
    return found


def wall(value: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in walls(value) if each["name"] == name)


def budget(**given: Any) -> Change:
    """A budget that is said to have made the SWAP game smaller."""

    def change(value: dict[str, Any]) -> None:
        resized = [{"key": "swap.pairs", "declared": 800, "used": 400}]
        value["audit"]["budget"] = {"seconds": 60.0, "resized": resized, "left_out": [], **given}

    return change


def none_learned(value: dict[str, Any]) -> None:
    value["case"].update(training_records=5, records_left=5)


def said_twice(value: dict[str, Any]) -> None:
    value["policy"]["attested"].append(value["policy"]["attested"][0])


def listed(code: str, row: int = 1) -> Change:
    return lambda value: value["deletion_log"]["problems"].append({"row": row, "code": code, "message": "of row 1"})


def known_rows(**given: Any) -> Change:
    """Rows of the holdout that are said to equal training records."""
    return lambda value: value["case"].update(known_rows={"count": 2, "of": 59, "rows": [4, 9], **given})


def fitted(**given: Any) -> Change:
    found = {"kind": "one-hot", "columns": [1, 2], "count": 2, **given}
    return lambda value: value["case"].update(preprocessing=[found])


ALTERATIONS: Final[list[tuple[str, str, Change, str, str]]] = [
    # Requests.
    (
        "no record in an executed request",
        NEWTON,
        request(0, records=0),
        "requests[0] REQ-2026-0001",
        "records: found 0, expected",
    ),
    ("fewer than no records", NEWTON, request(15, records=-1), "requests[15] REQ-2026-0016", "records: found -1, expected 0 to"),
    (
        "more records than training has",
        NEWTON,
        request(0, records=301),
        "requests[0] REQ-2026-0001",
        "found 301, expected 0 to 300",
    ),
    ("an open request of no record", LATE, request(13, records=0), "requests[13]", "records: found 0, expected at least 1"),
    (
        "records of a request that was not located",
        NEWTON,
        request(15, status="not-located", records=2),
        "requests[15] REQ-2026-0016",
        "records: found 2, expected 0",
    ),
    (
        "executed before it was received",
        NEWTON,
        request(0, deleted_at="2026-01-05T12:00:00+01:00"),
        "requests[0] REQ-2026-0001",
        'deleted_at: found "2026-01-05", expected no day before received_on, 2026-01-07',
    ),
    (
        "executed after the audit",
        NEWTON,
        request(0, deleted_at="2027-01-05T12:00:00+01:00"),
        "requests[0] REQ-2026-0001",
        "expected no day after the audit, 2026-11-26",
    ),
    (
        "received after the audit",
        NEWTON,
        request(15, received_on="2027-03-17"),
        "requests[15] REQ-2026-0016",
        'received_on: found "2027-03-17", expected no day after the audit',
    ),
    (
        "answered before it was received",
        LATE,
        request(14, answered_at="2026-01-01T10:00:00+01:00"),
        "requests[14]",
        'answered_at: found "2026-01-01", expected no day before received_on',
    ),
    (
        "data erased before the receipt",
        NEWTON,
        request(0, data_erased_at="2025-01-17T12:12:00+01:00"),
        "requests[0] REQ-2026-0001",
        'data_erased_at: found "2025-01-17", expected',
    ),
    (
        "a model erased after the audit",
        NEWTON,
        request(0, model_erased_at="2030-01-17T12:12:00+01:00"),
        "requests[0] REQ-2026-0001",
        'model_erased_at: found "2030-01-17T12:12:00+01:00", expected no day after',
    ),
    (
        "due before it was received",
        NEWTON,
        request(0, due_in_log="2026-01-01"),
        "requests[0] REQ-2026-0001",
        'due_in_log: found "2026-01-01", expected no day before received_on',
    ),
    (
        "a pause that ends before it begins",
        LATE,
        lambda v: next(each for each in v["requests"] if each.get("clock_pauses"))["clock_pauses"][0].update(
            resumed_at="2020-01-01T00:00:00+01:00"
        ),
        "requests[",
        'resumed_at: found "2020-01-01T00:00:00+01:00", expected no time before paused_at',
    ),
    (
        "holidays enough for any answer to be in time",
        LATE,
        section("deletion_log", holidays=[f"2026-03-{day:02d}" for day in range(2, 21)]),
        "deletion_log",
        'holidays: found "23 days in a row without a working day, from 2026-02-28"',
    ),
    (
        "holidays out of order",
        LATE,
        section("deletion_log", holidays=["2026-12-25", "2026-01-01"]),
        "deletion_log",
        'holidays: found "days out of order"',
    ),
    (
        "something erased of a request that was refused",
        LATE,
        lambda v: next(each for each in v["requests"] if each["status"] == "denied").update(
            data_erased_at="2026-02-03T10:00:00+01:00"
        ),
        "requests[",
        'status: found "denied", expected executed',
    ),
    (
        "a model updated for a request that is open, and no data erased",
        LATE,
        lambda v: next(each for each in v["requests"] if each["status"] == "open").update(
            model_erased_at="2026-02-03T10:00:00+01:00"
        ),
        "requests[",
        'status: found "open", expected executed',
    ),
    ("one request on two rows", NEWTON, request(1, request_id="REQ-2026-0001", subject=None), "deletion_log", "requests: found"),
    (
        "a request that is neither open nor done",
        NEWTON,
        request(0, deleted_at=None, days=None),
        "requests[0]",
        "status is executed, which contradicts deleted_at or days",
    ),
    # The log.
    (
        "no record in the log",
        NEWTON,
        section("deletion_log", records=0),
        "deletion_log",
        "records: found 0, expected at least 18",
    ),
    ("fewer records than were removed", NEWTON, section("deletion_log", records=17), "deletion_log", "expected at least 18"),
    (
        "more records than requests name",
        TREE,
        lambda v: (v["requests"].pop(), v["deletion_log"].update(records=40)),
        "deletion_log",
        "records: found 40, expected at most 12",
    ),
    ("no batches", TREE, section("deletion_log", batches=0), "deletion_log", "batches: found 0, expected at least 1"),
    (
        "more batches than requests",
        TREE,
        section("deletion_log", batches=11),
        "deletion_log",
        "batches: found 11, expected at most 10",
    ),
    (
        "fewer batches than times",
        TREE,
        section("deletion_log", batches=3),
        "deletion_log",
        "batches: found 3, expected at least 9",
    ),
    (
        "more records left",
        TREE,
        section("case", records_left=335),
        "deletion_log",
        "found 7 records removed, expected as many as",
    ),
    (
        "fewer records left",
        TREE,
        section("case", records_left=300),
        "deletion_log",
        "found 42 records removed, expected as many as",
    ),
    (
        "a record deleted twice, and none fewer",
        TREE,
        listed(DELETED_TWICE),
        "deletion_log",
        "found 12 records removed, expected fewer than",
    ),
    (
        "nobody knows what was seen",
        TREE,
        section("deletion_log", max_seen_releases=None),
        "deletion_log",
        "max_seen_releases: found nothing, expected a number",
    ),
    (
        "fewer than no releases seen",
        TREE,
        section("deletion_log", max_seen_releases=-1),
        "deletion_log",
        "max_seen_releases: found -1, expected at least 0",
    ),
    (
        "a whole chain that is torn",
        TREE,
        lambda v: (v["deletion_log"].update(chain_head="a" * 64), listed("CHAIN_TORN")(v)),
        "deletion_log",
        "chain_head: found",
    ),
    ("a head that is no hash", TREE, section("deletion_log", chain_head="whole"), "deletion_log", DEFINITE),
    ("a problem of no row", TREE, listed("NOT_LOCATED", 0), "deletion_log", "row: found 0, expected at least 1"),
    (
        "a log of a program that learns nothing",
        PROGRAM,
        lambda v: v.update(requests=document(TREE)["requests"]),
        "deletion_log",
        "0, as nothing learns",
    ),
    # Barriers, device, what was loaded.
    (
        "no walls",
        NEWTON,
        section("environment", walls=[]),
        "environment",
        "escape attempts: found limits, tcp, mptcp, udp, dns and 14 more (not tried), expected each held off",
    ),
    (
        "walls of a weaker level",
        NEWTON,
        section("environment", isolation="namespaced"),
        "environment",
        'escape attempts: found own namespaces (gave way), expected each held off, as isolation is "namespaced"',
    ),
    (
        "a wall that gave way",
        NEWTON,
        lambda v: wall(v, "tcp").update(held=False),
        "environment",
        "escape attempts: found tcp (gave way)",
    ),
    ("a wall that was not tried", NEWTON, lambda v: walls(v).remove(wall(v, "dns")), "environment", "found dns (not tried)"),
    (
        "a wall twice",
        NEWTON,
        lambda v: walls(v).append(wall(v, "dns")),
        "environment",
        'escape attempts: found ["dns"], expected each once',
    ),
    (
        "a level that nobody knows",
        NEWTON,
        section("environment", isolation="fortress"),
        "environment",
        'isolation: found "fortress", expected one of',
    ),
    ("a device without its name", NEWTON, section("environment", device="none"), "environment", "device_name: found"),
    (
        "observed on no device",
        NEWTON,
        section("environment", device="none", device_name="no device was asserted"),
        "environment",
        'device: found "none", expected a device, as data.erased was observed',
    ),
    (
        "a device that was not asserted",
        NEWTON,
        section("environment", device_name="no device was asserted"),
        "environment",
        "expected the name of a device",
    ),
    ("a device of another kind", NEWTON, section("environment", device="quantum"), "environment", "expected cpu, cuda or none"),
    (
        "a GPU for what computes on none",
        NEWTON,
        section("environment", device="cuda", device_name="a GPU"),
        "environment",
        'device: found "cuda", expected cpu',
    ),
    ("a Python that runs no auditor", NEWTON, section("environment", python="2.7.18"), "environment", "python: found"),
    (
        "nothing loaded by what ran",
        NEWTON,
        section("environment", imported=None, imported_elsewhere=None),
        "environment",
        "imported: found nothing, expected what was loaded",
    ),
    (
        "half of what was loaded",
        NEWTON,
        section("environment", imported_elsewhere=None),
        "environment",
        "imported_elsewhere: found nothing",
    ),
    (
        "loaded, and seen nowhere",
        NEWTON,
        lambda v: v["environment"]["imported"][0].update(seen_in=[]),
        "environment",
        "seen_in: found [], expected where it was seen",
    ),
    ("a failure beside results", NEWTON, section("audit", failure="it broke"), "environment", "imported: found"),
    # The run.
    (
        "an end before the beginning",
        NEWTON,
        section("audit", finished_at="2026-11-26T07:04:51Z"),
        "audit",
        'finished_at: found "2026-11-26T07:04:51+00:00", expected no time before started_at',
    ),
    ("a seed that is no number", NEWTON, section("audit", seed="seven"), "audit", 'seed: found "seven", expected a whole number'),
    ("a check to run twice", NEWTON, section("audit", only=["log.consistency"] * 2), "audit", "only: found"),
    ("a budget of no time", NEWTON, budget(seconds=0.0), "audit", "budget.seconds: found 0, expected more than 0"),
    (
        "a game made larger to save time",
        NEWTON,
        budget(resized=[{"key": "swap.pairs", "declared": 100, "used": 400}]),
        "audit",
        "budget.resized swap.pairs: found 400, expected at least 0 and less than declared, 100",
    ),
    (
        "a size that was not played",
        NEWTON,
        budget(resized=[{"key": "swap.pairs", "declared": 800, "used": 20}]),
        "audit",
        "budget.resized swap.pairs: found 20, expected 400, which sizes state",
    ),
    (
        "left out, and run",
        NEWTON,
        budget(left_out=["cost.speedup"]),
        "audit",
        'budget.left_out: found ["cost.speedup"], expected none',
    ),
    (
        "unknown checks left out",
        NEWTON,
        budget(left_out=["all.others"]),
        "audit",
        'budget.left_out: found ["all.others"], expected checks',
    ),
    # The case.
    ("nothing to learn from", TREE, section("case", training_records=0, records_left=0), "case", "training_records: found 0"),
    ("more left than there were", TREE, section("case", records_left=343), "case", "records_left: found 343, expected at most"),
    ("fewer than no features", TREE, section("case", features=-1), "case", "features: found -1, expected at least 0"),
    ("an unseen holdout below none", TREE, section("case", holdout_records=-1), "case", "holdout_records: found -1"),
    ("records of a program", PROGRAM, none_learned, "case", "training_records: found 5, expected 0, as nothing learns"),
    (
        "classes of a regression",
        TREE,
        section("case", classes=2),
        "case",
        "classes: found 2, expected 0, as the task is regression",
    ),
    ("a classification without classes", OWN, section("case", classes=0), "case", "classes: found 0, expected 1 to 900"),
    ("more classes than records", OWN, section("case", classes=901), "case", "classes: found 901, expected 1 to 900"),
    ("parameters of no model file", TREE, section("case", parameters=7), "case", "parameters: found 7, expected nothing"),
    ("a grid of no model file", TREE, section("case", grid=2.0**-20), "case", "grid: found"),
    ("a grid between powers of two", NEWTON, section("case", grid=3e-7), "case", "grid: found 3e-07, expected a power of two"),
    (
        "a model that was not read",
        NEWTON,
        section("case", model="other.npz"),
        "case",
        'model: found "other.npz", expected one of',
    ),
    ("a store that was not read", NEWTON, section("case", store="other"), "case", 'store: found "other", expected one of'),
    (
        "a file twice",
        NEWTON,
        lambda v: v["case"]["inputs"].append(v["case"]["inputs"][0]),
        "case",
        'inputs: found ["audit.toml"]',
    ),
    ("a digest of no file", NEWTON, lambda v: v["case"]["inputs"][0].update(sha256="abc"), "case", DEFINITE),
    (
        "fewer than no bytes",
        NEWTON,
        lambda v: v["case"]["inputs"][0].update(bytes=-1),
        "case",
        "bytes: found -1, expected at least 0",
    ),
    (
        "code that was not read",
        OWN,
        lambda v: v["case"].update(inputs=[each for each in v["case"]["inputs"] if not each["path"].endswith(".py")]),
        "case",
        "expected the code of procedure.py:RetrainedNetwork",
    ),
    ("known rows beyond the file", NEWTON, known_rows(of=50), "case", "known_rows.of: found 50, expected 59"),
    (
        "known rows that are not there",
        NEWTON,
        known_rows(rows=[4, 90]),
        "case",
        "known_rows.rows: found [4, 90], expected the first 2",
    ),
    (
        "fitted columns that are not there",
        NEWTON,
        fitted(columns=[1, 65]),
        "case",
        "preprocessing one-hot columns: found [1, 65]",
    ),
    (
        "more fitted columns than features",
        NEWTON,
        fitted(count=65),
        "case",
        "preprocessing one-hot count: found 65, expected 1 to 64",
    ),
    # Procedure, policy, controller.
    ("a long seed without its digest", NEWTON, section("procedure", seed_digest=None), "procedure", "seed_digest: found nothing"),
    ("a digest of no seed", NEWTON, section("procedure", seed_digest="secret"), "procedure", DEFINITE),
    ("a seed of fewer than no bits", TREE, section("procedure", seed_bits=-1), "procedure", "seed_bits: found -1"),
    (
        "code where nothing learns",
        PROGRAM,
        section("procedure", entry="a.py:A"),
        "procedure",
        'entry: found "a.py:A", expected nothing',
    ),
    (
        "nothing listed as required",
        NEWTON,
        section("policy", listed=[]),
        "policy",
        "listed: found [], expected at least one check",
    ),
    ("required twice", NEWTON, lambda v: v["policy"]["listed"].append("log.consistency"), "policy", "listed: found"),
    ("attested twice", NEWTON, said_twice, "policy", 'attested: found ["log-complete"], expected each once'),
    (
        "attested after the audit",
        NEWTON,
        lambda v: [each.update(at="2027-05-04") for each in v["policy"]["attested"]],
        "policy",
        'attested at: found "2027-05-04", expected no day after the audit',
    ),
    ("a controller of two kinds", PROGRAM, section("controller", entry="a.py:A"), "controller", "use and entry: found"),
    ("a controller that nobody has", PROGRAM, section("controller", use="oblivion"), "controller", 'use: found "oblivion"'),
    ("no games", PROGRAM, section("controller", games=0), "controller", "games: found 0, expected at least 1"),
    ("operations that commute and are none", PROGRAM, section("controller", commuting=["sing"]), "controller", 'found ["sing"]'),
    ("an environment that deletes", PROGRAM, section("controller", environment=["delete"]), "controller", "expected no delete"),
    ("a digest of no program", PROGRAM, section("controller", digest="0"), "controller", DEFINITE),
]


@pytest.mark.attempt("declarations that rule each other out")
@pytest.mark.parametrize(
    ("name", "change", "place", "told"), [row[1:] for row in ALTERATIONS], ids=[row[0] for row in ALTERATIONS]
)
def test_a_contradiction_among_declarations_is_named(name: str, change: Change, place: str, told: str) -> None:
    found = findings(forged(change, name))
    (line,) = (each for each in found if each.startswith(place) and told in each)
    assert "\n" not in line


def observed(check_id: str, **given: Any) -> Change:
    return lambda value: check(value, check_id)["observed"].update(given)


def nobody_asked(value: dict[str, Any]) -> None:
    groups = check(value, "release.remembers")["observed"]["groups"]
    next(each for each in groups if each["part"] == "requests")["requests"][:] = ["REQ-0"]


AGAINST_DECLARATIONS: Final[list[tuple[str, str, Change, str]]] = [
    (
        "fewer records asked of than were removed",
        NEWTON,
        observed("release.remembers", deleted=19),
        "19 records were removed, by the log 18",
    ),
    (
        "a file of no model",
        "secret-counter",
        observed("release.remembers", source="file"),
        "source is file, and the case has no model file",
    ),
    ("more unseen records than the holdout has", NEWTON, observed("release.remembers", unseen_records=58), "are 58, it has 57"),
    ("unseen records beside the holdout", NEWTON, observed("release.remembers", unseen="retained"), "the holdout has 57"),
    ("an attack on a request that nobody made", NEWTON, nobody_asked, "REQ-0 is no request that was executed"),
    ("a batch that the log lacks", OWN, observed("release.exact", unchanged=[99]), "batch 99 was compared, the log has 14"),
]


@pytest.mark.attempt("declarations that rule each other out")
@pytest.mark.parametrize(
    ("name", "change", "told"), [row[1:] for row in AGAINST_DECLARATIONS], ids=[row[0] for row in AGAINST_DECLARATIONS]
)
def test_an_observation_that_declarations_rule_out_is_named(name: str, change: Change, told: str) -> None:
    found = findings(forged(change, name))
    assert any(each.startswith("observed release.") and told in each for each in found), found


def test_there_are_at_least_thirty_alterations_each_of_its_own() -> None:
    assert len({row[0] for row in ALTERATIONS}) == len(ALTERATIONS) >= 30


def test_the_walls_of_a_level_are_those_that_the_sandbox_promises() -> None:
    levels = list(declarations.PROMISED)
    assert levels == [level.value for level in Level]
    for level in Level:
        weaker = levels[: levels.index(level.value) + 1]
        assert [name for each in weaker for name in declarations.PROMISED[each]] == list(promised(level))


def contradictions(change: Change, name: str) -> list[str]:
    """What the declarations alone are found to contradict."""
    evidence = read_evidence(changed(change, name), name).evidence
    return [str(each) for each in declarations.recheck_context(evidence).findings]


def of_another_time(value: dict[str, Any]) -> None:
    value["audit"].update(started_at="2020-01-01T00:00:00Z", finished_at="2020-01-01T00:00:00Z")


def weakened(value: dict[str, Any]) -> None:
    value["environment"].update(isolation="process", walls=[wall(value, "limits")])


def withdrawn(value: dict[str, Any]) -> None:
    value["requests"][15].update(status="revoked", records=1, answered_at="2026-03-20T10:00:00+01:00")


def without_match_though_known(value: dict[str, Any]) -> None:
    """Records of the request had been deleted before it came in."""
    value["requests"][15].update(records=1)


def twice_deleted(value: dict[str, Any]) -> None:
    value["requests"][0]["records"] += 1
    listed(DELETED_TWICE)(value)


def of_two_people(value: dict[str, Any]) -> None:
    value["requests"][1].update(request_id=value["requests"][0]["request_id"])


def failed(value: dict[str, Any]) -> None:
    value["audit"]["failure"] = "the procedure failed"
    value["environment"].update(device="none", device_name="no device was asserted", imported=None, imported_elsewhere=None)
    for each in value["checks"]:
        each["observed"] = None


def in_a_folder(value: dict[str, Any]) -> None:
    value["case"]["store"] = "./kept"
    value["case"]["inputs"].append({"path": "kept/a.csv", "sha256": "0" * 64, "bytes": 0})


def released_since(value: dict[str, Any]) -> None:
    """A later version, which tries one more barrier."""
    value["audit"]["auditor_version"] = "0.9.0"
    walls(value).append({"name": "quantum tunnel", "held": True, "found": "operation not permitted"})


HONEST: Final[list[tuple[str, str, Change]]] = [
    ("a withdrawn request", NEWTON, withdrawn),
    ("a request without a match, of records that were gone", NEWTON, without_match_though_known),
    ("a record that two requests delete, which the log lists", TREE, twice_deleted),
    ("one ticket of two people", NEWTON, of_two_people),
    (
        "a ticket twice, which the log lists",
        NEWTON,
        lambda v: (request(1, request_id="REQ-2026-0001", subject=None)(v), listed(DUPLICATE_REQUEST)(v)),
    ),
    (
        "executed before the receipt, which the log lists",
        NEWTON,
        lambda v: (request(0, deleted_at="2026-01-05T12:00:00+01:00")(v), listed(EXECUTED_BEFORE_RECEIVED)(v)),
    ),
    (
        "executed in the future, which the log lists",
        NEWTON,
        lambda v: (request(0, deleted_at="2027-01-05T12:00:00+01:00")(v), listed(EXECUTED_IN_FUTURE)(v)),
    ),
    ("a clock that was set for reproducible bytes", NEWTON, of_another_time),
    ("a weak level, whose own promises held", NEWTON, weakened),
    ("a failed run", NEWTON, failed),
    ("a store in a folder", NEWTON, in_a_folder),
    ("rows of the holdout that are known", NEWTON, known_rows()),
    ("fitted columns", NEWTON, fitted()),
    ("many fitted columns, the first of them named", NEWTON, fitted(columns=list(range(1, 21)), count=40)),
    ("a budget", NEWTON, budget(left_out=["cost.speedup"])),
    ("a later version that tries one more wall", NEWTON, released_since),
    ("a log that says nothing of what was seen, and was not executed", PROGRAM, lambda _: None),
]


@pytest.mark.parametrize(("name", "change"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_what_an_honest_document_may_declare_is_not_refused(name: str, change: Change) -> None:
    def budgeted(value: dict[str, Any]) -> None:
        change(value)
        left_out = (value["audit"].get("budget") or {}).get("left_out")
        if left_out:
            value["audit"]["only"] = [each["id"] for each in value["checks"] if each["id"] not in left_out]

    assert contradictions(budgeted, name) == []


def test_a_clock_that_was_set_is_told_where_times_are_not_compared_with_it() -> None:
    told = "that no time lies after the day of the audit: its clock was set or stood still, so no time was compared with it"
    for change, expected in ((of_another_time, True), (lambda _: None, False)):
        read = read_evidence(changed(change, NEWTON), "evidence.json")
        assert (told in recheck_evidence(read, "evidence.json").stated) is expected


@pytest.mark.parametrize("path", sorted(LATEST.glob("*.json")), ids=lambda path: path.stem)
def test_no_golden_document_contradicts_itself(path: Path) -> None:
    evidence = read_evidence(path.read_bytes(), path.name).evidence
    assert declarations.recheck_context(evidence).findings == ()


def test_a_document_is_refused_where_times_have_no_zone() -> None:
    value = document(LATE)
    value["requests"][0]["deleted_at"] = "2026-01-17T12:12:00"
    assert findings(rfc8785.dumps(json.loads(json.dumps(value))))
