"""What to do about the release: a model file that is another, clean rooms that differ, attacks that recognise it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from auditor.pages import plain, wording
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, Urgency, executed, retrain
from auditor.pages.remedies.lasting import models_that_decide, time_of
from auditor.pages.words.texts import text
from auditor.parts.release.judging import model_reproduced, release_exact
from auditor.parts.release.judging.release_remembers import LEAST_HELD_OUT, LEAST_MODELS, LEVEL, SECOND_MODELS, Derived
from auditor.parts.release.judging.release_remembers.observed import Observed
from auditor.parts.release.judging.release_remembers.telling import MARGIN
from auditor.parts.release.telling.sentences import power

_KNOWN: Final = {
    "remedy-exact-times": re.compile(r"\.(cv_results_|refit_time_)(?![A-Za-z0-9_])"),
    "remedy-exact-files": re.compile(r"^(file home/|library builtins\.dict: ReferenceType)"),
}
"""By the advice on them, how items are named in which searches of scikit-learn's note times, and files that code left behind."""


def exact(about: Subject) -> Iterator[Advice]:
    """Retrain from the first batch whose model differs; where nobody can tell, make training repeatable."""
    requests = executed(about.told)
    unchanged = parameters.members(about.given.get("release.exact.unchanged", {}).get("batches"))
    differing = about.given.get("release.exact.differing")
    if unchanged:
        yield Advice(
            found=text("remedy-exact-unchanged-found", batches=wording.listed(unchanged)),
            action=text("remedy-exact-retrain"),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL if about.fails else Tell.OPEN,
        )
    elif {"release.exact.open.by-chance", "release.exact.open.no-controls"} & set(about.given):
        action = text("remedy-exact-by-chance")
        yield Advice(text("remedy-by-chance-found"), action, Owner.MODEL, requests=requests, tell=Tell.OPEN)
    elif {"release.exact.no-reaction", "release.exact.reaction-untried"} & set(about.given):
        yield Advice(text("remedy-exact-still-found"), text("remedy-exact-still"), Owner.MODEL, requests=requests, tell=Tell.OPEN)
    elif differing is not None and (known := _known(about)) is not None:
        found = text(f"{known}-found", batch=wording.number(parameters.count(differing.get("batch"))))
        yield Advice(found, text(known), Owner.MODEL, requests=requests, tell=Tell.OPEN)
    elif differing is not None:
        items = [wording.shown(parameters.words(each.get("name"))) for each in parameters.entries(differing.get("items"))]
        given = {"batch": wording.number(parameters.count(differing.get("batch"))), "items": wording.listed(items)}
        yield Advice(
            found=text("remedy-exact-differs-found", **given),
            action=text("remedy-exact-retrain" if about.fails else "remedy-exact-declare", **given),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL if about.fails else Tell.OPEN,
        )


def _known(about: Subject) -> str | None:
    """Choose words that say how to pass, where nothing differs but what libraries are known to leave: times, or files of a cache.

    That is no excuse: an array of times, or a file, has room for records. None where parameters or predictions differ, or
    something else is kept.
    """
    derived = about.check.derived_as(release_exact.Derived)
    if derived is None or any(each.kind in {"parameters", "predictions"} for each in derived.differing):
        return None
    objects = [each.name for each in derived.differing if each.kind == "object"]
    for known, pattern in _KNOWN.items():
        if objects and all(pattern.search(each) is not None for each in objects):
            return known
    return None


def remembers(about: Subject) -> Iterator[Advice]:
    """Retrain where the attack finds the release out; where it does not, what would let the attack decide."""
    requests = executed(about.told)
    if about.fails:
        yield retrain(about, text("remedy-remembers-found", models=wording.number(_models(about))))
        return
    found, action = _undecided(about)
    yield Advice(found, action, Owner.MODEL, requests=requests, tell=Tell.OPEN)


def _undecided(about: Subject) -> tuple[str, str]:
    """What leaves the attack on the release open, and what would close it."""
    return (
        _of_sizes(about)
        or _of_power(about)
        or (wording.shown(about.check.basis), text("remedy-as-the-reason-says", check=about.check.id))
    )


def _of_sizes(about: Subject) -> tuple[str, str] | None:
    """Of a run that was too small."""
    if "release.remembers.quick" in about.given:
        return text("remedy-quick-found"), text("remedy-quick")
    if "release.remembers.few-models" in about.given:
        had = wording.number(_models(about))
        few = text("remedy-remembers-few", models=str(LEAST_MODELS), time=_time(about, LEAST_MODELS))
        return text("remedy-remembers-few-found", models=had), few
    if "release.remembers.no-second" in about.given:
        further = text("remedy-remembers-second", models=str(SECOND_MODELS), time=time_of(about, SECOND_MODELS))
        return text("remedy-remembers-second-found"), further
    if "release.remembers.no-unseen" in about.given:
        return text("remedy-remembers-unseen-found"), text("remedy-holdout")
    return None


def _of_power(about: Subject) -> tuple[str, str] | None:
    """Of attacks that could not have told, or that tell too little or too much."""
    if "release.remembers.in-general" in about.given:
        return text("remedy-remembers-general-found"), text("remedy-remembers-general")
    derived = about.check.derived_as(Derived)
    if derived is not None and "release.remembers.no-power" in about.given:
        of = max(LEAST_HELD_OUT, len(derived.tried))
        counts = {"told": wording.number(derived.told), "of": wording.number(of)}
        return text("remedy-remembers-blind-found", **counts), text("remedy-remembers-blind")
    if derived is not None and derived.p is not None and derived.p <= LEVEL:
        given = {"p": wording.number(derived.p), "models": wording.number(derived.models)}
        return text("remedy-remembers-between-found", **given), text("remedy-remembers-between")
    if "release.remembers.half-left" in about.given:
        share = parameters.finite(about.given["release.remembers.half-left"].get("share"))
        left = "–" if share is None else wording.number(round(100 * share))
        return text("remedy-remembers-half-found", share=left), _of_half(about)
    if "release.remembers.share" in about.given and about.check.value is not None:
        given = {"share": wording.number(round(100 * about.check.value)), "most": wording.number(round(100 * MARGIN))}
        return text("remedy-remembers-share-found", **given), text("remedy-remembers-share", **given)
    return None


def _of_half(about: Subject) -> str:
    """What decides where much is left and no attack tells: more models only where p is close to its level."""
    p, models = about.check.value, _models(about)
    ranked = p is not None and models and "release.remembers.ranked" in about.given
    wanted = models_that_decide(p, models, level=LEVEL) if ranked and p is not None and models else None
    if wanted is None:
        return text("remedy-remembers-half-no")
    given = {"p": wording.number(p), "models": str(wanted), "had": wording.number(models), "time": _time(about, wanted)}
    return text("remedy-remembers-half", **given)


def _time(about: Subject, models: int) -> str:
    """The time of so many retrained models, and of those that hold the records."""
    seen = about.check.observed_as(Observed)
    return time_of(about, models + (0 if seen is None else len(seen.holding) + len(seen.held_out)))


def _models(about: Subject) -> int | None:
    """Retrained models that the release was compared with."""
    derived = about.check.derived_as(Derived)
    return None if derived is None else derived.models


def reproduced(about: Subject) -> Iterator[Advice]:
    """Release the file that the procedure gives, or write it so that nothing else fits into it."""
    path = about.told.case.model
    if path is None:
        message = plain.no_model("remedy-no-model", about.told)
        yield Advice(found=text(f"{message}-found"), action=text(message), owner=Owner.MODEL, urgency=Urgency.DECIDE)
        return
    file = wording.shown(path)
    requests = executed(about.told)
    seen = about.check.observed_as(model_reproduced.Observed)
    own = None if seen is None else seen.file
    named = (about.given.get(each) for each in ("model.reproduced.file.earlier", "model.reproduced.earlier"))
    if about.fails and (earlier := next((each for each in named if each is not None), None)) is not None:
        batch, batches = (parameters.count(earlier.get(key)) or 0 for key in ("batch", "batches"))
        yield Advice(
            found=text("remedy-earlier-file-found", file=file, batch=batch, later=batches - batch, batches=batches),
            action=text("remedy-earlier-file"),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
        return
    if about.fails:
        differing = None if seen is None else seen.differing
        yield Advice(
            found=text(
                "remedy-other-model-found",
                file=file,
                differing=wording.number(differing),
                parameters=wording.number(None if seen is None else seen.parameters),
                largest=wording.number(about.check.value),
            )
            if differing is not None
            else text("remedy-other-shape-found" if own is None else "remedy-other-file-found", file=file),
            action=text("remedy-other-rounding" if _rounded(about.check.value, seen) else "remedy-other-model", file=file),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
        return
    if "model.reproduced.not-deterministic" in about.given:
        yield Advice(found=text("remedy-by-chance-found"), action=text("remedy-by-chance"), owner=Owner.MODEL, requests=requests)
        return
    remedy = about.given.get("model.reproduced.remedy")
    if remedy is not None or "model.reproduced.container" in about.given:
        grid = None if remedy is None else parameters.positive(remedy.get("grid"))
        room = f" --grid {power(grid)}" if grid is not None else ""
        yield Advice(
            found=text("remedy-room-found", file=file),
            action=text("remedy-room-grid", file=file, grid=power(grid)) if grid is not None else text("remedy-room", file=file),
            owner=Owner.MODEL,
            command=f"auditor canonical {file} -o OUT{room}",
            requests=requests,
            tell=Tell.OPEN,
        )
        return
    if own is not None:
        yield Advice(
            found=wording.shown(about.check.basis),
            action=text("remedy-own-file-part" if "model.reproduced.file.unreadable" in about.given else "remedy-own-file"),
            owner=Owner.MODEL,
            command=f"auditor canonical {file} -o OUT"
            if "model.reproduced.file.spelling" in about.given and file.endswith(".skops")
            else "",
            requests=requests,
            tell=Tell.OPEN,
        )
        return
    lacking = about.given.get("model.reproduced.not-loaded", {}).get("lacking")
    yield Advice(
        found=wording.shown(about.check.basis),
        action=text("remedy-file-methods", names=wording.listed(f"{each}()" for each in parameters.ids(lacking)))
        if lacking
        else text("remedy-file-tied"),
        owner=Owner.MODEL,
        requests=requests,
        tell=Tell.OPEN,
    )


def _rounded(difference: float | None, seen: model_reproduced.Observed | None) -> bool:
    """Whether another order of the same sums may have made a difference; it is no excuse, and says where to look first."""
    return (
        difference is not None and seen is not None and seen.differing is not None and difference <= _OF_ROUNDING * seen.largest
    )


_OF_ROUNDING: Final = 1e-5
"""Of the largest weight: what a training in float32 may have added up by another order of sums."""

REMEDIES: Final[Remedies] = {
    "model.reproduced": reproduced,
    "release.exact": exact,
    "release.remembers": remembers,
}
