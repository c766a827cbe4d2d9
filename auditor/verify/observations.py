"""Holds what is taken as observed against the log, the case and itself: numbers that no run of this case can have seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

from auditor.checks.accounting import OF_RUN, Kept
from auditor.checks.deleting import QUICK_GAMES
from auditor.checks.finding import Values
from auditor.checks.log_attack import LogAttack
from auditor.checks.reconstruction.observed import DECOYS, InstanceObserved, LabelObserved
from auditor.checks.swap.game import canaries
from auditor.evidence import Evidence
from auditor.verify.outcome import Part, part

Seen: TypeAlias = Mapping[str, Any]
"""What was observed, by check id."""
SHOWS: Final = "show_reconstructions"
"""The key of the policy that lets pictures be kept."""
Rule: TypeAlias = Callable[[Evidence, Any, Seen], Iterator[str]]


def recheck_observations(evidence: Evidence, observed: Mapping[str, Values]) -> Part:
    """Hold every observation against what was declared, and against the others that saw the same."""
    return part(
        "observations",
        [
            (f"observed {check_id}", _RULES[check_id](evidence, seen, observed) if check_id in _RULES else ())
            for check_id, seen in observed.items()
        ],
    )


def _batches(evidence: Evidence, batches: int) -> Iterator[str]:
    if batches != evidence.deletion_log.batches:
        yield f"batches are {batches}, the log has {evidence.deletion_log.batches}"


def _removed(evidence: Evidence, removed: int) -> Iterator[str]:
    gone = evidence.case.training_records - evidence.case.records_left
    if removed != gone:
        yield f"{removed} records were removed, by the log {gone}"


def _parameters(evidence: Evidence, parameters: int | None) -> Iterator[str]:
    if None not in {parameters, evidence.case.parameters} and parameters != evidence.case.parameters:
        yield f"the rerun has {parameters} parameters, the model has {evidence.case.parameters}"


def _executed(evidence: Evidence, request_ids: Iterator[str] | tuple[str, ...]) -> Iterator[str]:
    known = {each.request_id for each in evidence.requests if each.status == "executed"}
    foreign = sorted(set(request_ids) - known)
    if foreign:
        yield f"{', '.join(foreign[:3])} is no request that was executed"


def _named(evidence: Evidence, of_one_person: int) -> Iterator[str]:
    named = max((each.records for each in evidence.requests if each.status == "executed"), default=0)
    if of_one_person < named:
        yield f"records of one person are {of_one_person} at most, one executed request alone names {named}"


def _erased(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    gone = evidence.case.training_records - evidence.case.records_left
    if seen.deleted < gone:
        yield f"{seen.deleted} records were looked for, and {gone} were deleted"
    places = [place.found for place in seen.searched]
    if not max(places, default=0) <= seen.found <= min(sum(places), seen.deleted):
        yield f"{seen.found} records were found, of {seen.deleted}, and the places that were searched count {places}"
    if seen.subjects and len(seen.subjects) != len(seen.request_ids):
        yield f"{len(seen.request_ids)} requests were found, of {len(seen.subjects)} people"
    if bool(seen.request_ids) != bool(seen.found) or seen.by_identifier_only > seen.deleted:
        yield f"{seen.found} records were found, of {len(seen.request_ids)} requests"
    foreign = sorted(set(seen.request_ids) - {each.request_id for each in evidence.requests})
    if foreign:
        yield f"{', '.join(foreign[:3])} is no request of the log"
    yield from _kept(evidence, seen.kept)


def _kept(evidence: Evidence, kept: Sequence[Kept]) -> Iterator[str]:
    """Every file that the case lists as kept has its size among what has to be accounted for."""
    listed = {each.path: each.bytes for each in evidence.case.inputs}
    sizes = {each.place.parameters.get("path"): each.bytes for each in kept if each.kind not in OF_RUN}
    store, model = evidence.case.store, evidence.case.model
    wanted = {path for path in listed if path == model or (store is not None and (path == store or path.startswith(f"{store}/")))}
    if missing := sorted(wanted - sizes.keys()):
        yield f"{', '.join(missing[:3])} is kept, and nothing says what of it is accounted for"
    if other := sorted(str(path) for path, size in sizes.items() if listed.get(str(path)) != size):
        yield f"{', '.join(other[:3])} has another size than the case lists"
    if evidence.procedure.entry is not None and not any(each.kind == "code" for each in kept):
        yield "the procedure is code of the case, which is not among what is kept"


def _reproduced(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    yield from _parameters(evidence, seen.parameters)
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
    if on_grid is not None and on_grid.not_multiples + on_grid.elsewhere + on_grid.neighbours > seen.shipped_parameters:
        yield f"more parameters are counted on the grid than the {seen.shipped_parameters} that there are"
    if on_grid is not None and max(on_grid.near_midpoints, seen.differing) > seen.shipped_parameters:
        yield f"more parameters are counted than the {seen.shipped_parameters} that there are"
    if seen.container and evidence.case.model is None:
        yield "a container goes with a model file that was declared"
    foreign = seen.file is not None or (evidence.procedure.entry is not None and evidence.case.model is not None)
    if (seen.loaded is not None) != foreign:
        yield "a file is loaded by itself where the controller's own code is to predict with it, and nowhere else"


def _quality(evidence: Evidence, seen: Any, others: Seen) -> Iterator[str]:
    if (evidence.sizes.swap.mode == "one-run") != (seen.one_run is not None) and seen.unplayable is None:
        yield f"mode is {evidence.sizes.swap.mode}, and something else was played"
    if seen.unplayable is not None:
        return
    if seen.one_run is not None:
        declared = canaries(evidence.case.training_records, evidence.sizes.swap.alpha)
        if seen.one_run.canaries != declared:
            yield f"canaries are {seen.one_run.canaries}, alpha gives {declared}"
        return
    if not evidence.audit.quick and seen.pairs != evidence.sizes.swap.pairs:
        yield f"pairs are {seen.pairs}, {evidence.sizes.swap.pairs} were declared"
    controls, strong = others.get("swap.controls"), others.get("swap.strong")
    if controls is not None and dict(controls.pair_advantages) != dict(seen.pair_advantages.control):
        yield "the controls of swap.controls are others"
    models = 2 * seen.pairs * evidence.sizes.swap.models
    if strong is not None and strong.models != models:
        yield f"swap.strong counts {strong.models} models, the pairs make {models}"


def _private(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    yield from _batches(evidence, len(seen.left))
    sizes = [evidence.case.training_records, *seen.left]
    if any(after > before for before, after in pairwise(sizes)) or sizes[-1] != evidence.case.records_left:
        yield f"the records left after each batch do not go down to {evidence.case.records_left}"
    yield from _named(evidence, seen.records_per_person)


def _residual(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    yield from _batches(evidence, len(seen.batches))
    yield from _removed(evidence, sum(each.records for each in seen.batches))
    yield from _executed(evidence, tuple(name for each in seen.batches for name in each.request_ids))
    dates = {each.request_id: each.deleted_at for each in evidence.requests if each.deleted_at is not None}
    # Two people's rows of one ticket may lie in two batches: the id does not say which.
    for name, rows in Counter(each.request_id for each in evidence.requests).items():
        if rows > 1:
            dates.pop(name, None)
    done = [[dates[name] for name in each.request_ids if name in dates] for each in seen.batches]
    for before, after, batch in zip(done, done[1:], seen.batches[1:], strict=False):
        if before and after and min(after) < max(before):
            yield f"{batch.name} was executed before the batch that it follows"


def _renyi(evidence: Evidence, seen: Any, others: Seen) -> Iterator[str]:
    yield from _batches(evidence, len(seen.deleted))
    yield from _removed(evidence, sum(each.removed for each in seen.deleted))
    yield from _parameters(evidence, seen.parameter_count)
    if seen.descent is not None and len(seen.descent.steps) != len(seen.deleted) + 1:
        yield f"steps were counted of {len(seen.descent.steps)} updates, the log has {len(seen.deleted)} batches"
    losing = [each.labels_lost for each in (others.get("training.privacy"),) if each is not None]
    losing += [each.loses_labels for each in (others.get("removal.residual"),) if each is not None]
    if any(each != seen.labels_lost for each in losing):
        yield "a label that only deleted records had is lost in one check and not in another"


def _adaptive(evidence: Evidence, seen: Any, others: Seen) -> Iterator[str]:
    yield from _batches(evidence, seen.batches)
    yield from _executed(evidence, tuple(each.request_id for each in seen.requests))
    gone, share = evidence.case.training_records - evidence.case.records_left, seen.largest_share
    # Where nothing was deleted a person counts for one record all the same.
    if share.records > max(gone, 1) or share.batches > max(seen.batches, 1):
        yield f"one person has {share.records} records in {share.batches} batches, and {gone} were deleted"
    yield from _named(evidence, share.records)
    stated = max((each.stated for each in seen.requests if each.stated is not None), default=0)
    if stated > (evidence.deletion_log.max_seen_releases or 0):
        yield f"a request had seen {stated} models, the log names {evidence.deletion_log.max_seen_releases} at most"
    consistent = others.get("epsilon.consistency")
    if consistent is not None and consistent.games != seen.games:
        yield "epsilon.consistency observed other games of the requester"


def _difference(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    if len(seen.ranks) > evidence.deletion_log.batches or seen.candidates > evidence.case.training_records:
        yield f"{len(seen.ranks)} games among {seen.candidates} candidates are more than batches and records"


def _inference(evidence: Evidence, seen: Any, others: Seen) -> Iterator[str]:
    """Games are as many as declared, fewer in a quick run alone, and a set leaves out a record at least."""
    if seen.log is not None:
        yield from _attacked(evidence, seen.log)
    if seen.unplayable is not None:
        return
    declared = evidence.sizes.inference.games
    if seen.games != (min(declared, QUICK_GAMES) if evidence.audit.quick else declared):
        yield f"{seen.games} games were played, {declared} are declared"
    if not seen.trained < evidence.case.training_records:
        yield f"sets of {seen.trained} records were learned, of {evidence.case.training_records} in all"
    played = [each for each in (others.get(one) for one in ("inference.example", "inference.instance")) if each is not None]
    if len({(each.games, each.trained, each.private) for each in played if each.games}) > 1:
        yield "both checks attack the same games, and other ones were observed"


def _attacked(evidence: Evidence, log: LogAttack) -> Iterator[str]:
    """The log's own releases: no more than were deleted, and requests that were carried out."""
    gone = evidence.case.training_records - evidence.case.records_left
    if log.records > gone or log.games > evidence.deletion_log.batches:
        yield f"{log.records} deleted records of {log.games} batches were attacked, the log has {gone} and fewer batches"
    yield from _executed(evidence, (*log.picked.request_ids, *log.not_tried.request_ids))
    if set(log.picked.request_ids) & set(log.not_tried.request_ids) and not log.picked.subjects:
        yield "a request was picked out whose records nobody attacked"
    if bool(log.picked.request_ids) != bool(log.first):
        yield f"{log.first} records came first, of {len(log.picked.request_ids)} requests"


def _reconstruction(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    """Games are as many as declared, fewer in a quick run alone, with as many decoys as there are; a picture is one allowed."""
    if seen.unplayable is not None:
        return
    declared = evidence.sizes.inference.games
    if seen.games != (min(declared, QUICK_GAMES) if evidence.audit.quick else declared):
        yield f"{seen.games} games were played, {declared} are declared"
    if not seen.trained < evidence.case.training_records:
        yield f"sets of {seen.trained} records were learned, of {evidence.case.training_records} in all"
    each_class = isinstance(seen, LabelObserved) and evidence.case.task == "classification"
    decoys = evidence.case.classes - 1 if each_class else DECOYS
    if seen.decoys != decoys:
        yield f"guesses were held against {seen.decoys} decoys, there are {decoys}"
    if each_class:
        first = seen.tallies[0]
        if (sum(one.games for one in seen.classes), sum(one.right for one in seen.classes)) != (first.games, first.right):
            yield "the games of all classes are not those of the named attack"
    if isinstance(seen, InstanceObserved) and seen.picture is not None and not evidence.policy.settings.get(SHOWS):
        yield "a deleted picture was kept, and the policy shows none"


def _accuracy(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    right = seen.retrained_right + seen.won
    if right > (evidence.case.holdout_records or 0):
        yield f"{right} records are predicted right, the holdout has {evidence.case.holdout_records}"
    for table, counts, most in (
        ("moved copies of the holdout", seen.moved, evidence.case.holdout_records or 0),
        ("training records that were unseen", seen.unseen, evidence.case.training_records),
    ):
        if counts is not None and counts.records > most:
            yield f"it asked about {counts.records} {table}, and there are {most} at most"


def _speed(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    yield from _batches(evidence, seen.batches)


def _answered(evidence: Evidence, seen: Any, _others: Seen) -> Iterator[str]:
    yield from _removed(evidence, seen.deleted)
    holdout = evidence.case.holdout_records or 0
    # One half of the holdout fits the rule, the other tries it.
    if seen.unseen != holdout - holdout // 2:
        yield f"{seen.unseen} unseen records were compared, half of the holdout has {holdout - holdout // 2}"
    most = evidence.case.records_left + holdout
    if seen.others > most:
        yield f"{seen.others} other records have an answer, there are {most} at most"


_RULES: Final[Mapping[str, Rule]] = {
    "data.erased": _erased,
    "model.reproduced": _reproduced,
    "swap.quality": _quality,
    "training.privacy": _private,
    "removal.residual": _residual,
    "deletion.renyi": _renyi,
    "deletion.adaptive": _adaptive,
    "inference.example": _inference,
    "inference.instance": _inference,
    "inference.difference": _difference,
    "reconstruction.label": _reconstruction,
    "reconstruction.instance": _reconstruction,
    "reconstruction.sentence": _reconstruction,
    "utility.accuracy": _accuracy,
    "cost.speedup": _speed,
    "answers.membership": _answered,
}
