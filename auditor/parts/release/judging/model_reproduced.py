"""`model.reproduced`: whether the file about to be released is the model that the declared procedure yields, and nothing else.

A difference in the last bits of a parameter is room for a record. A file passes where it has no such room: its container holds
nothing that its array does not determine, and its parameters are those of the rerun, bit for bit or rounded to a declared grid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.maths.certificates.rounding import ceiling
from auditor.parts.release.cards import MODEL_REPRODUCED
from auditor.parts.release.judging import released_format
from auditor.settings.tables import GRID_OVER_LARGEST
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive, skipped
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

CARD: Final = MODEL_REPRODUCED

Equal: TypeAlias = Literal["bits", "grid"] | None

LARGEST_RELATIVE_TOLERANCE: Final = 1e-6
"""No tolerance may exceed this times the largest absolute parameter: neither chance nor a coarse optimiser excuses a model."""
GRID_OVER_DIFFERENCE: Final = 16
"""A grid is at least this times what two reruns differ by: at most one parameter in eight then lies next to a midpoint."""
MOST_FREE_BITS: Final = 64
"""Parameters that may lie next to a midpoint of the grid, where the file has a choice: more could hold a record.

A file passes with so many. That it is the rerun is then the controller's word, and measured where there is none."""
GRID_OVER_FILE: Final = 1024
"""The grid that is proposed is this times what file and rerun differ by: hardly a parameter is then rounded otherwise."""
MOST_MOVED_PREDICTION: Final = 1e-3
"""How far rounding to a grid may move a prediction, relative to the largest one."""

OTHER_MODEL: Final = frozenset(f"model.tensors.{each}" for each in ("missing", "not-tied", "other-constant", "other-shape"))
"""What tensors by name may be that no model of the declared module has."""


class OnGrid(Values):
    """Where the shipped parameters lie on the declared grid; counts of parameters."""

    not_multiples: Count
    """No multiples of the grid, or zeros with a sign."""
    elsewhere: Count
    """Multiples, but neither the rounded rerun nor its neighbour where the rerun lies next to a midpoint."""
    neighbours: Count
    """That neighbour."""
    near_midpoints: Count
    """Of which the rerun lies within the rerun difference of a midpoint."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.neighbours > self.near_midpoints:
            raise ValueError("only next to a midpoint is there a neighbour to take")
        return self


class EarlierModel(Values):
    """The model of the replay, before its last batch, that the shipped one is nearest to."""

    batch: Count
    """After which the procedure gave it, 0 for learning."""
    difference: Amount
    """Largest absolute difference, shipped against it."""


class Observed(Values):
    """The shipped file alongside the rerun."""

    parameters: Count | None
    """How many the rerun has; None where the procedure offers no parameters."""
    shipped_parameters: Count | None
    """How many the model file holds; None without one."""
    difference: Amount | None
    """Largest absolute difference, shipped against rerun; None where the numbers of parameters differ."""
    self_check_difference: Amount | None
    """The same between two reruns, after learning and the first batch."""
    largest: Amount
    """The largest absolute parameter of the rerun."""
    differing: Count | None
    """How many parameters differ in a bit, signs of zeros included; None where their numbers differ."""
    free_bits: Amount | None
    """What a parameter can hold on average in a file that differs by no more than this one, or than two reruns; None as above."""
    container: tuple[Message, ...]
    """What the file holds that its array does not determine."""
    on_grid: OnGrid | None
    """None where no grid is declared, or the numbers of parameters differ."""
    loaded: released_format.Loaded | None
    """None for code of the auditor's own, whose predictions follow from its parameters, and without a model file."""
    file: released_format.FileSeen | None = Field(default=None, exclude_if=lambda value: value is None)
    """The file in a library's own format, which holds no array; None where there is none."""
    earlier: EarlierModel | None = Field(default=None, exclude_if=lambda value: value is None)
    """None where no model of the replay is nearer than its last."""

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        compared = self.difference is not None
        if compared and self.parameters != self.shipped_parameters:
            raise ValueError("parameters of other number have no difference")
        if (self.differing is not None) != compared or (self.free_bits is not None) != compared:
            raise ValueError("difference, differing bits and free bits go together")
        if self.differing is not None and self.parameters is not None and self.differing > self.parameters:
            raise ValueError("no more parameters differ than there are")
        if self.file is not None and self.shipped_parameters is not None:
            raise ValueError("a file holds one array of parameters or is in a library's own format")
        if self.difference and not self.differing:
            raise ValueError("parameters that differ have other bits")
        if self.earlier is not None and (self.difference is None or self.earlier.difference >= self.difference):
            raise ValueError("an earlier model is named where the file is nearer to it than to the last one")
        return self


class Derived(Values):
    """What the differences say."""

    deterministic: bool
    """Whether two reruns agree within the tolerance."""
    bit_identical: bool
    tolerance_from: Message
    """The argument that gives the tolerance."""
    equal: Equal
    """How the parameters are those of the rerun; None where they are not."""
    canonical: bool
    """Whether the container holds nothing that its array does not determine."""
    least_grid: float
    """The finest grid that the rerun allows."""


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold container and parameters of the file against the rerun."""
    if observed.file is not None:
        return released_format.judge(context, observed.file, observed.loaded)
    return _of_parameters(context, observed)


def _of_parameters(context: Context, observed: Observed) -> Finding:
    if observed.shipped_parameters is None:
        return skipped(Message("model.reproduced.no-model"))
    if observed.parameters is None:
        return inconclusive(Message("model.reproduced.no-parameters"))
    tolerance, origin = _tolerance(context, observed)
    between = observed.self_check_difference
    deterministic = between is not None and between <= tolerance
    threshold, origin = _with_grid(context, tolerance, origin, between)
    status = decide_at_most(observed.difference, threshold)
    counts = {"shipped": observed.shipped_parameters, "rerun": observed.parameters, "between_reruns": between}
    reasons = [Message("model.reproduced.replayed", counts)]
    equal = _equal(context, observed) if deterministic else None
    if observed.difference is None:
        status = Status.FAIL
        reasons.append(Message("model.reproduced.other-shape"))
    elif not deterministic:
        status = Status.INCONCLUSIVE
        reasons.append(Message("model.reproduced.not-deterministic"))
    if equal is not None:
        reasons.append(_how_equal(context, observed, equal))
    reasons.extend(_earlier_model(context, observed, threshold) if status is Status.FAIL else ())
    others = [each for each in observed.container if each.code in OTHER_MODEL]
    if others:
        status = Status.FAIL
        reasons.append(Message("model.reproduced.other-tensors", {"how": others}))
    if holds := [each for each in observed.container if each.code not in OTHER_MODEL]:
        reasons.append(Message("model.reproduced.container", {"holds": holds}))
    if status is not Status.FAIL:
        doubts = tuple(_doubts(context, observed, equal))
        reasons.extend(doubts if deterministic else ())
        if doubts or observed.container or equal is None:
            status = Status.INCONCLUSIVE
    return Finding(
        status=status,
        value=observed.difference,
        threshold=threshold,
        reasons=tuple(reasons),
        derived=Derived(
            deterministic=deterministic,
            bit_identical=between == 0.0,
            tolerance_from=Message(origin),
            equal=equal,
            canonical=not observed.container,
            least_grid=_least_grid(observed),
        ),
        facts=_facts(status, observed, equal),
    )


def _earlier_model(context: Context, observed: Observed, threshold: float) -> Iterator[Message]:
    """Say which model of the replay the file is, where it is not the last: by what would let it count as the last."""
    earlier, batches = observed.earlier, context.log.batches
    if earlier is not None and earlier.batch < batches and decide_at_most(earlier.difference, threshold) is Status.PASS:
        given = {"batch": earlier.batch, "batches": batches, "difference": earlier.difference}
        yield Message("model.reproduced.earlier", given)


def _tolerance(context: Context, observed: Observed) -> tuple[float, str]:
    """What two honest runs may differ by: what two did differ by, or what the procedure admits of itself."""
    largest = LARGEST_RELATIVE_TOLERANCE * observed.largest
    between = float("inf") if observed.self_check_difference is None else observed.self_check_difference
    admitted = context.procedure.tolerance_of_rerun(context.case.records_left)
    if admitted is None or between >= admitted.largest:
        return min(between, largest), "model.reproduced.tolerance.reruns"
    return min(admitted.largest, largest), admitted.origin


def _with_grid(context: Context, tolerance: float, origin: str, between: float | None) -> tuple[float, str]:
    """The tolerance, or what rounding to the declared grid explains alongside the difference of two reruns; rounded up."""
    grid = context.case.grid
    if grid is None or between is None:
        return tolerance, origin
    explained = ceiling(Fraction(grid) / 2 + Fraction(between))
    return (explained, "model.reproduced.tolerance.grid") if explained > tolerance else (tolerance, origin)


def _least_grid(observed: Observed) -> float:
    between = observed.self_check_difference or 0.0
    return max(GRID_OVER_DIFFERENCE * between, GRID_OVER_LARGEST * observed.largest)


def _equal(context: Context, observed: Observed) -> Equal:
    """How the parameters are those of the rerun: in every bit, where two reruns agree in every bit too, or on the grid."""
    if observed.differing == 0 and observed.self_check_difference == 0.0:
        return "bits"
    grid, seen = context.case.grid, observed.on_grid
    if grid is None or seen is None or seen.not_multiples or seen.elsewhere:
        return None
    if not _least_grid(observed) <= grid <= observed.largest:
        return None
    return "grid" if seen.near_midpoints <= MOST_FREE_BITS else None


def _how_equal(context: Context, observed: Observed, equal: Literal["bits", "grid"]) -> Message:
    seen = observed.on_grid
    if equal == "bits" or seen is None:
        return Message("model.reproduced.equal-bits")
    counts = {"neighbours": seen.neighbours, "near_midpoints": seen.near_midpoints}
    return Message("model.reproduced.equal-on-grid", {"grid": context.case.grid, **counts})


def _doubts(context: Context, observed: Observed, equal: Equal) -> Iterator[Message]:
    """What else keeps a file within the tolerance from passing, with what to do about it."""
    if equal is None:
        yield from _bits_left(context, observed)
    if observed.container or equal is None:
        proposed = None if equal is not None else _proposed(context, observed)
        yield Message("model.reproduced.remedy", {"path": context.case.model, "grid": proposed})
    if context.procedure.foreign:
        yield from _not_tied(observed, equal)


def _bits_left(context: Context, observed: Observed) -> Iterator[Message]:
    """Why the parameters count as neither equal nor rounded, and how many bits that leaves to a parameter."""
    grid, seen = context.case.grid, observed.on_grid
    if grid is None or seen is None:
        if observed.differing:
            yield Message("model.reproduced.differing", {"parameters": observed.differing, "free_bits": observed.free_bits})
        else:
            between, free = observed.self_check_difference, observed.free_bits
            yield Message("model.reproduced.reruns-differ", {"between_reruns": between, "free_bits": free})
        return
    if grid < _least_grid(observed):
        yield Message("model.reproduced.grid-too-fine", {"grid": grid, "least": _least_grid(observed)})
    elif grid > observed.largest:
        yield Message("model.reproduced.grid-too-coarse", {"grid": grid, "largest": observed.largest})
    if seen.not_multiples or seen.elsewhere:
        counts = {"not_multiples": seen.not_multiples, "elsewhere": seen.elsewhere}
        yield Message("model.reproduced.off-grid", {"grid": grid, **counts, "free_bits": observed.free_bits})
    if seen.near_midpoints > MOST_FREE_BITS:
        yield Message("model.reproduced.many-midpoints", {"near_midpoints": seen.near_midpoints, "most": MOST_FREE_BITS})


def _proposed(context: Context, observed: Observed) -> float | None:
    """A grid on which file and rerun agree, as a power of two; None where the declared one will do."""
    grid, least = context.case.grid, _least_grid(observed)
    seen = observed.on_grid
    if grid is not None and least <= grid <= observed.largest and (seen is None or seen.near_midpoints <= MOST_FREE_BITS):
        return grid
    wanted = max(least, GRID_OVER_FILE * (observed.difference or 0.0), GRID_OVER_FILE * (observed.self_check_difference or 0.0))
    return None if wanted == 0 else _power_above(wanted)


def _power_above(amount: float) -> float:
    """The least power of two that an amount above 0 does not exceed."""
    fraction, exponent = math.frexp(amount)
    return math.ldexp(1.0, exponent - 1 if fraction == 0.5 else exponent)


def _not_tied(observed: Observed, equal: Equal) -> Iterator[Message]:
    """Why the file of a class of the controller's own may not be what predicts."""
    loaded = observed.loaded
    if loaded is None:
        yield Message("model.reproduced.not-loaded", {"lacking": ["save", "load"]})
        return
    if loaded.lacking:
        yield Message("model.reproduced.not-loaded", {"lacking": list(loaded.lacking)})
    if loaded.saved == "other":
        yield Message("model.reproduced.saved-other")
    if loaded.saved == "unreadable":
        yield Message("model.reproduced.saved-unreadable")
    if loaded.ended is not None:
        refused = loaded.ended == "refused"
        yield Message("model.reproduced.load-refused" if refused else "model.reproduced.load-failed")
    if "load" in loaded.lacking or loaded.ended is not None:
        return
    if loaded.differing != 0:
        yield Message("model.reproduced.loaded-other", {"parameters": loaded.differing})
    # Rounding to a grid moves predictions a little; without it the very numbers come back.
    allowed = MOST_MOVED_PREDICTION * (loaded.largest or 0.0) if equal == "grid" and observed.differing else 0.0
    if loaded.moved is None or loaded.moved > allowed:
        yield Message("model.reproduced.predicts-other", {"moved": loaded.moved})


def _facts(status: Status, observed: Observed, equal: Equal) -> tuple[Fact, ...]:
    match status:
        case Status.PASS:
            free = 0 if equal == "bits" or observed.on_grid is None else observed.on_grid.near_midpoints
            if free:
                # Few enough to pass, and still its author's choice: what was chosen is no mechanism's output.
                chosen = Message("fact.release-reproduced.chosen", {"near_midpoints": free})
                return (fact("release-reproduced", Provenance.ATTESTED, chosen),)
            how = "fact.release-reproduced.bits" if equal == "bits" else "fact.release-reproduced.grid"
            reason = Message(how, {"difference": observed.difference})
            return (fact("release-reproduced", Provenance.MEASURED, reason),)
        case Status.FAIL:
            return (fact("release-reproduced", Provenance.REFUTED, Message("fact.release-reproduced.other")),)
        case _:
            return ()


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.parameters(evidence, seen.parameters)
    if (seen.shipped_parameters is None and seen.file is None) != (evidence.case.model is None):
        yield "the parameters of a model file go with a model file that was declared"
    size = next((each.bytes for each in evidence.case.inputs if each.path == evidence.case.model), None)
    if seen.file is not None and seen.file.bytes != size:
        yield f"the model file has {seen.file.bytes} bytes, {size} are listed among the inputs"
    if evidence.case.model_part is not None and seen.file is None:
        yield "a part of a pipeline goes with a model file in a library's own format"
    compared = seen.difference is not None
    if (seen.on_grid is not None) != (compared and evidence.case.grid is not None):
        yield "counts on a grid go with a grid that was declared"
    on_grid = seen.on_grid
    shipped = seen.shipped_parameters or 0
    if on_grid is not None and on_grid.not_multiples + on_grid.elsewhere + on_grid.neighbours > shipped:
        yield f"more parameters are counted on the grid than the {shipped} that there are"
    if on_grid is not None and max(on_grid.near_midpoints, seen.differing or 0) > shipped:
        yield f"more parameters are counted than the {shipped} that there are"
    if seen.container and evidence.case.model is None:
        yield "a container goes with a model file that was declared"
    foreign = seen.file is not None or (evidence.procedure.entry is not None and evidence.case.model is not None)
    if (seen.loaded is not None) != foreign:
        yield "a file is loaded by itself where the controller's own code is to predict with it, and nowhere else"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    first=always_first,
    wanted=lambda context: context.case.model is not None,
    contradictions=contradictions,
    derived=(Derived, released_format.FileDerived),
)
