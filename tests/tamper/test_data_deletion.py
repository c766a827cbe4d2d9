"""Evidence of data deletion with single numbers changed: a recheck derives each of them again, and finds it."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import rfc8785

import rechecks
from auditor import case as cases
from auditor.audit.auditing import Options, audit
from deletion_cases import CLAIM, LOGISTIC, write

IDS = ("deletion.renyi", "deletion.adaptive", "state.stateless")
ONLY = ("log.consistency", *IDS)
SHORT = LOGISTIC.replace("learn_steps = 200", "learn_steps = 80")
SEEN = {
    "procedure": SHORT,
    "deleted": [["rec-0010"], ["rec-0011", "rec-0012"], ["rec-0013"], ["rec-0014"]],
    "said": (0, None, 1, 0),
    "rest": CLAIM.replace("0.1}", "1.0, adaptive = 4}") + "[policy]\nmax_epsilon = 0.9\nmax_delta = 1e-4\n",
}
"""A log of four batches whose requesters had seen models."""
Path_: TypeAlias = tuple[str | int, ...]

MEASURED = re.compile(r"observed/.*(seconds_\w+|measured|loss|norm|curvature|largest_share/\w+)$")
"""What nothing else in the document gives: times, and the measured noise up to the parts that it is rounded to."""


def _audited(folder: Path, **case: Any) -> bytes:
    write(folder, **case)
    found = audit(cases.read(folder), Options(only=ONLY))
    assert found.failure is None
    return found.evidence.to_bytes()


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return _audited(tmp_path_factory.mktemp("case"), **SEEN)


def numbers(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, float]]:
    """Every number of a JSON value with where it stands."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from numbers(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from numbers(each, (*path, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def at(value: Any, path: Path_) -> Any:
    return functools.reduce(lambda inner, step: inner[step], path, value)


def with_change(value: dict[str, Any], path: Path_, new: Any) -> bytes:
    changed = copy.deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return rfc8785.dumps(changed)


def test_as_it_was_written_it_agrees(content: bytes) -> None:
    assert rechecks.findings(content) == []


SOME = pytest.mark.parametrize("every", [pytest.param(11, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)])


@SOME
def test_every_number_that_is_changed_alone_is_found(content: bytes, every: int) -> None:
    value = json.loads(content)
    spots = [
        (("checks", index, *path), number)
        for index, check in enumerate(value["checks"])
        if check["id"] in IDS
        for path, number in numbers(check)
    ]
    spots += [
        (("certificates", index, *path), number)
        for index, each in enumerate(value["certificates"])
        for path, number in numbers(each)
    ]
    spots += [
        (("guarantees", index, *path), number) for index, each in enumerate(value["guarantees"]) for path, number in numbers(each)
    ]
    assert len(spots) > 300
    unfound = []
    for path, number in spots[::every]:
        # Below the millionth part nothing decides, and rounding of other processors is allowed for.
        new = number + 1 if isinstance(number, int) else number + max(abs(number) * 0.001, 1e-6)
        if not rechecks.findings(with_change(value, path, new)):
            unfound.append("/".join(map(str, path)))
    assert [path for path in unfound if not MEASURED.search(path)] == []


@SOME
def test_every_word_that_decides_and_is_changed_alone_is_found(content: bytes, every: int) -> None:
    value = json.loads(content)
    by_id = {check["id"]: index for index, check in enumerate(value["checks"])}
    renyi, adaptive, stateless = (("checks", by_id[each]) for each in IDS)
    guarantee = next(index for index, each in enumerate(value["guarantees"]) if each["id"] == "data-deletion")
    changes: list[tuple[Path_, Any]] = [
        ((*each, "status"), status)
        for each in (renyi, adaptive, stateless)
        for status in ("pass", "fail", "inconclusive", "skipped", "error")
    ]
    changes += [((*each, "value"), new) for each in (renyi, adaptive, stateless) for new in (None, 5.0)]
    changes += [((*each, "threshold"), new) for each in (renyi, adaptive, stateless) for new in (None, 5.0)]
    for each in (renyi, adaptive):
        for number, premise in enumerate(at(value, (*each, "derived", "premises"))):
            where = (*each, "derived", "premises", number)
            changes += [((*where, "holds"), new) for new in (True, False, None)]
            changes += [((*where, "how"), new) for new in ("computed", "measured", "attested", "refuted", "unknown")]
            changes.append(((*where, "name"), "unrefuted"))
            changes.append(((*where, "found", "code"), f"{premise['found']['code']}.another"))
            changes.append(((*where, "found", "parameters"), {"more": 1}))
    of_renyi = {
        "theorem": ("5.2", "gaussian", "twins", None),
        "order": (3, None),
        "epsilon_dd": (None, 0.001),
        "epsilon_dp": (None, 0.001),
        "reason": ({"code": "too-little-noise", "parameters": {}},),
        "orders": ([],),
        "membership": (None,),
        "conversions": ([],),
        "gaussian": (None,),
        "curve": ([],),
        "noise": (None,),
        "batches": ([],),
        "utility": (None,),
        "sources": ([],),
    }
    changes += [((*renyi, "derived", key), new) for key, many in of_renyi.items() for new in many]
    changes += [
        ((*adaptive, "derived", key), new)
        for key, many in {
            "seen": (0, 3, None),
            "source_of_seen": ("log", "claim"),
            "epsilon": (None, 0.001),
            "epsilon_dd": (None, 0.001),
            "epsilon_person": (None, 0.001),
            "per_request": ([],),
            "steps_seen": (80,),
            "premises": ([],),
        }.items()
        for new in many
    ]
    changes += [
        ((*stateless, "derived", "cases"), [{"after": 1, "difference": 0.5, "how": {"code": "x", "parameters": {}}}]),
        ((*stateless, "derived", "by_construction"), False),
    ]
    changes += [
        (("guarantees", guarantee, key), new)
        for key, many in {
            "status": ("shown", "not-shown", "refuted", "supported"),
            "epsilon": (None, 0.001),
            "order": (3.0, None),
            "delta": (1e-5,),
            "terms": ({"nobody": "can tell"}, {}, {**value["guarantees"][guarantee]["terms"], "seen": 7}),
        }.items()
        for new in many
    ]
    premises = at(value, ("guarantees", guarantee, "derivation", 0, "premises"))
    for number, premise in enumerate(premises):
        where = ("guarantees", guarantee, "derivation", 0, "premises", number)
        strength = ("unknown", "attested", "measured", "computed")
        stronger = strength[strength.index(premise["how"]) + 1 :]
        changes += [((*where, "how"), new) for new in (*stronger, "refuted")]
    changes += [
        (("policy", "claims", "data_deletion", "epsilon"), 0.5),
        (("policy", "claims", "data_deletion", "adaptive"), 1),
        (("policy", "claims", "data_deletion", "q"), 3),
        (("procedure", "settings", "sigma2"), 0.02),
        (("procedure", "settings", "l2"), 0.06),
        (("procedure", "settings", "learn_steps"), 90),
        (("procedure", "settings", "unlearn_steps"), 61),
        (("procedure", "settings", "loss"), "softmax"),
        (("procedure", "settings", "clip"), 0.5),
        (("procedure", "settings", "rate"), 0.5),
        (("procedure", "use"), "torch"),
        (("procedure", "seed_bits"), 3),
        (("case", "training_records"), 501),
        (("case", "records_left"), 495),
        (("deletion_log", "batches"), 2),
        (("deletion_log", "max_seen_releases"), 0),
        (("policy", "claims_not_examined"), ["data_deletion"]),
        (("policy", "required"), ["log.consistency"]),
    ]
    if any(each["kind"] == "noisy-gd-nonconvex" for each in value["certificates"]):
        # Of convex losses, and of networks, nothing in the document follows from the number of features.
        changes.append((("case", "features"), 5))
    unfound = []
    for path, new in changes[::every]:
        if at(value, path[:-1])[path[-1]] == new and type(at(value, path)) is type(new):
            continue
        try:
            found = rechecks.findings(with_change(value, path, new))
        except Exception as error:  # noqa: BLE001  (a document that cannot be read at all is refused too)
            found = [type(error).__name__]
        if not found:
            unfound.append(f"{'/'.join(map(str, path))} = {new}")
    assert unfound == []
