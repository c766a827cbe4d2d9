"""Figures on the model about to be released."""

from __future__ import annotations

from typing import Final

from auditor.maths.statistics import pool
from auditor.pages import wording
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import text
from auditor.parts.release.judging.release_remembers.observed import Observed, Scored
from auditor.parts.release.judging.release_remembers.telling import MARGIN, Table, table_of

# The figure of the release among retrained models: a row a stage, and on it the largest score of each model.
_LEFT, _RIGHT, _TOP, _STEP = 150.0, WIDTH - 12.0, 14.0, 34.0
_LEVELS: Final = 5
"""Heights at which marks lie one above another, so that models with scores alike are seen."""
_APART: Final = 3.2


def release_ranks(check: ToldCheck) -> Chart | None:
    """Draw what the release shows most among what retrained models show most, stage by stage.

    None where nothing was ranked. Each row has a scale of its own: a pool scales its scores by itself.

    Args:
        check: What came of `release.remembers`.
    """
    seen = check.observed_as(Observed)
    if seen is None or seen.untried is not None:
        return None
    stages = [stage for stage in _stages(seen) if stage.rule == "ranks"]
    if not stages:
        return None
    counts = [_above(stage) for stage in stages]
    said = "; ".join(
        text("figure-remembers-stage", above=wording.number(above), models=wording.number(len(stage.retrained)))
        for stage, above in zip(stages, counts, strict=True)
    )
    chart = Chart(
        _TOP + _STEP * len(stages) + 6,
        text("figure-remembers-title", stages=said),
        caption=text("figure-remembers-caption"),
    )
    for number, stage in enumerate(stages):
        _row(chart, stage, _TOP + _STEP * number + _STEP / 2)
    return chart


def _stages(seen: Observed) -> list[Table]:
    scored: list[Scored] = [seen] if seen.second is None else [seen, seen.second]
    return [table_of(each) for each in scored]


def _above(stage: Table) -> int:
    """Retrained models that show as much as the release."""
    own, others = pool.largest(stage.release, stage.retrained, stage.holding, margin=MARGIN, groups=stage.groups)
    return int((others >= own - pool.TIE * max(1.0, abs(own))).sum())


def _row(chart: Chart, stage: Table, y: float) -> None:
    own, others = pool.largest(stage.release, stage.retrained, stage.holding, margin=MARGIN, groups=stage.groups)
    low, high = min(own, float(others.min())), max(own, float(others.max()))
    wide = (high - low) or 1.0

    def at(value: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (value - low) / wide

    chart.note(0, y + 4, text("figure-remembers-row", models=wording.number(len(stage.retrained))), colour="ink", name="stage")
    chart.line([(_LEFT, y), (_RIGHT, y)], "rule", name="axis")
    for number, value in enumerate(sorted(others.tolist())):
        chart.mark("ring", at(value), y + _APART * (number % _LEVELS - _LEVELS // 2), "muted", size=2.0, name="retrained")
    chart.mark("diamond", at(own), y, "fail", size=5.0, name="release")


FIGURES: Final = {"release.remembers": release_ranks}
