"""What the hardest records would have left, under `removal.budget`: its bounds derived again, its place in the log held to it.

The measurements themselves are stated: no data is in the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.certificates import derive
from auditor.domain import Certificate, Check
from auditor.verify.numbers import differs

_DECLARED: Final = ("l2", "lipschitz_printed", "lipschitz", "gradient_bound", "row_norm", "perturbation_norm", "classes", "added")
"""Inputs that a removal shares with every other of the log."""


def hardest(check: Check, steps: Certificate) -> Iterator[str]:
    """`details.hardest` against the chain of the log's own removals; nothing where a version did not write it.

    Raises:
        LookupError: If an entry lacks a key.
        InputError: If its inputs are none of the rule.
    """
    if (listed := check.details.get("hardest")) is None:
        return
    sizes: dict[int, int] = {}
    for number, (size, anew) in enumerate(zip(steps.inputs["forgotten"], steps.inputs["retrained"], strict=True), start=1):
        if not anew:
            sizes.setdefault(size, number)
    strangers = [entry["number"] for entry in listed if entry["number"] not in sizes.values()]
    if strangers or (sizes and not listed):
        yield "details.hardest does not speak of the first Newton removal of each size"
        return
    for index, entry in enumerate(listed):
        yield from _entry(f"details.hardest[{index}]", entry, check.details["series"], steps)


def _entry(where: str, entry: Mapping[str, Any], series: list[Any], steps: Certificate) -> Iterator[str]:
    number = entry["number"]
    own, given = series[number], entry["inputs"]
    yield from differs(f"{where}.batch", entry["batch"], own["batch"], "the series has")
    yield from differs(
        f"{where}.records", entry["records"], steps.inputs["forgotten"][number - 1], f"certificate {steps.kind} has"
    )
    yield from _row(f"{where}.log", entry["log"], {**own["increment"], "measured": own["beta"]["measured"]}, "the series has")
    if given is None:
        yield from differs(f"{where}.hardest", entry["hardest"], None, "without inputs it is")
        return
    classes = steps.inputs.get("classes", 1)
    before = steps.inputs["gradient_norm"][(number - 1) * classes : number * classes]
    expected = {name: steps.inputs[name] for name in _DECLARED if name in steps.inputs}
    expected |= {"rows": [steps.inputs["rows"][number - 1]], "forgotten": [entry["records"]], "gradient_norm": before}
    for name, value in expected.items():
        yield from differs(f"{where}.inputs.{name}", given.get(name), value, f"certificate {steps.kind} has")
    again = derive(steps.kind, given)
    increments = again.outputs["increments"]
    yield from differs(f"{where}.reason", entry["reason"], again.outputs.get("reason"), "its inputs give")
    if increments is None:
        yield from differs(f"{where}.hardest", entry["hardest"], None, "its inputs give")
        return
    derived = {**{name: values[0] for name, values in increments.items()}, "measured": again.outputs["measured"][0]}
    yield from _row(f"{where}.hardest", entry["hardest"] or {}, derived, "its inputs give")


def _row(where: str, found: Mapping[str, Any], expected: Mapping[str, Any], why: str) -> Iterator[str]:
    for name in sorted({*found, *expected}):
        yield from differs(f"{where}.{name}", found.get(name), expected.get(name), why)
