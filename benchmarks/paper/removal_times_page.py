"""The page docs/certified-removal-times.md, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final

from benchmarks.paper.publishing import RESULTS

NAME: Final = "certified-removal-times"
PUBLISHED: Final[Mapping[str, tuple[float, float]]] = {
    "MNIST": (0.04, 15.6),
    "LSUN": (0.48, 124.0),
    "SST": (0.07, 61.5),
    "SVHN": (0.27, 5400.0),
}
"""Seconds of a removal and of training in the paper's Table 1."""
_TOP: Final = """# What a removal saves, on matrices of the certified removal paper's sizes

Guo, Goldstein, Hannun and van der Maaten (*Certified data removal from machine learning models*) give in Table 1 the
seconds of a removal and of training.
LSUN, SST and SVHN are not bundled, so the matrices here are **drawn**: rows of norm 1, covariance falling as 1/j, labels
from a linear model; λ = {l2:g}, σ = {sigma:g}.
What is measured is a ratio: training one binary classifier again without the record, over one removal from it, in seconds of
the processor, one after the other in one process on one core.

`python -m benchmarks.paper.removal_times` measures it ({minutes} minutes on busy cores) and writes this page and [the
numbers]({name}/{results}).

## Table 1: training again over one removal

Medians of {repeats} records removed one after another, with least and largest.

| data | n × d of a classifier | drawn n | training/removal | training/removal with H | removal, s | training, s | the paper |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
_BELOW: Final = """
- **{verdict}**
- **Removal**: a Newton step with its bound on the residual, H and XᵀX formed beforehand and down-dated, in O(d² + d³); it
  never passes over the data.
  Forming both first took {preparing} s, once for all removals.
- **Removal with H** forms H again at each removal, in O(nd²).
- **Training** is L-BFGS from zero to a gradient of norm {tolerance:g}, which is charged to the budget {budget:.4f} (ε =
  {epsilon:g}, δ = {delta:g}).
  It forms no H; the damped Newton steps by which audits train form one in each, so that the ratios would be larger by them.
- Every residual stayed within its bound, and {within}.
- The paper prints no d, and n of LSUN alone: 784 columns are MNIST's pixels, 2,048 and 1,024 those of ResNeXt-101 and a
  large RoBERTa, 2,304 those of two unpadded convolutions with 64 filters on 32 × 32 pixels.
  n is that of the training set; of LSUN and SVHN it is one class and as many others, as the paper draws them.
  The paper's SVHN ratio is of training the network again as well; here it is the classifier's alone.
{smaller}"""


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    scope = found["scope"]
    measured = found["measured"]
    lines = [_row(name, scope["shapes"][name], each["seconds"]) for name, each in measured.items()]
    preparing = [each["preparing"] for each in measured.values()]
    given = {
        **{key: scope[key] for key in ("l2", "sigma", "repeats", "tolerance", "epsilon", "delta")},
        "name": NAME,
        "results": RESULTS,
        "minutes": max(1, round(found["seconds"] / 60)),
        "budget": found["budget"],
        "preparing": _span(preparing, "{:.2g}"),
        "within": _within(found),
        "verdict": _verdict(measured),
        "smaller": "".join(
            _smaller(name, shape, measured[name]["seconds"])
            for name, shape in scope["shapes"].items()
            if shape["drawn"] < shape["rows"]
        ),
    }
    quick = "" if scope["full"] else "**Too small a run to show anything.**\n\n"
    return _TOP.format(**given).replace("## Table 1", f"{quick}## Table 1") + "\n".join(lines) + "\n" + _BELOW.format(**given)


def figures(_: Mapping[str, Any]) -> Mapping[str, str]:
    """None."""
    return {}


def ratios(slower: Sequence[float], faster: Sequence[float]) -> list[float]:
    """Repeat by repeat."""
    return [one / other for one, other in zip(slower, faster, strict=True)]


def _row(name: str, shape: Mapping[str, int], seconds: Mapping[str, Sequence[float]]) -> str:
    removal, training = PUBLISHED[name]
    cells = [
        name,
        f"{shape['rows']:,} × {shape['columns']:,}",
        f"{shape['drawn']:,}",
        _spread(ratios(seconds["retraining"], seconds["removal"])),
        _spread(ratios(seconds["retraining"], seconds["formed"])),
        f"{median(seconds['removal']):.2g}",
        f"{median(seconds['retraining']):.2g}",
        f"{training / removal:,.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _spread(values: Sequence[float]) -> str:
    """The median, with least and largest."""
    low, middle, high = (f"{each:,.0f}" if each >= 10 else f"{each:.2g}" for each in (min(values), median(values), max(values)))
    return f"{middle} ({low} to {high})"


def _span(values: Sequence[float], form: str) -> str:
    least, most = form.format(min(values)), form.format(max(values))
    return least if least == most else f"{least} to {most}"


def _verdict(measured: Mapping[str, Any]) -> str:
    """What a removal saves at least and at most, and where it saves nothing."""
    middles = {
        way: [median(ratios(each["seconds"]["retraining"], each["seconds"][way])) for each in measured.values()]
        for way in ("removal", "formed")
    }
    nothing = sum(each <= 1 for each in middles["formed"])
    return (
        f"A removal is {min(middles['removal']):.2g} to {max(middles['removal']):.2g} times as fast as training again; where it "
        f"forms H again,\n  it saves nothing at {nothing} of {len(measured)} sizes."
    )


def _within(found: Mapping[str, Any]) -> str:
    """Whether the bounds stayed within the budget too."""
    over = [name for name, each in found["measured"].items() if each["residuals"][-1][1] > found["budget"]]
    return f"the bound of {', '.join(over)} left the budget" if over else "every bound within the budget"


def _smaller(name: str, shape: Mapping[str, int], seconds: Mapping[str, Sequence[float]]) -> str:
    size = shape["rows"] * shape["columns"] * 8 / 1e9
    times = shape["rows"] / shape["drawn"]
    full = times * median(ratios(seconds["retraining"], seconds["removal"]))
    return (
        f"- {name} in full is {size:.1f} GB a classifier, and as much again while one record is taken out, and forming H takes\n"
        f"  {times:.1f} times as long as measured: so {shape['drawn']:,} records are drawn.\n"
        "  A removal does not depend on n, and a pass of training takes time in proportion to it: as many passes over all\n"
        f"  records would make the ratio about {full:.0f}.\n"
        "  That is an extrapolation, not a measurement: training on more records may take more passes, or fewer.\n"
    )
