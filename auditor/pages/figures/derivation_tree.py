"""The figure of a derivation: a guarantee, its theorem, and every premise with how it is known and what it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor.base.domain import Provenance
from auditor.pages import derivation_tree, wording
from auditor.pages.figures.chart import WIDTH, Chart, Kind, text_width
from auditor.pages.words.texts import text
from auditor.verdict.corollaries import HOLDING

_ROW, _TOP = 17.0, 10.0
_INDENT: Final = 18.0
_KNOWN: Final = 372.0
"""Where the column begins that says how a premise is known, px."""
LONGEST: Final = 56
"""Characters of a premise next to its mark; the table has all of it."""
LONGEST_BY: Final = 40
"""Characters of a check's or a word's name."""
_ROOM: Final = 190.0
"""For the same on the line of its premise, px: what takes more has a line of its own, clear of what marks the weakest."""
_OF_THE_WEAKEST: Final = 45.0
"""That mark's part of the line, px."""
_SHAPES: Final[Mapping[Provenance, tuple[Kind, str]]] = {
    Provenance.COMPUTED: ("disc", "pass"),
    Provenance.MEASURED: ("block", "pass"),
    Provenance.ATTESTED: ("diamond", "open"),
    Provenance.UNKNOWN: ("ring", "muted"),
    Provenance.REFUTED: ("triangle", "fail"),
}


def derivation(tree: derivation_tree.Tree | None) -> Chart | None:
    """Draw the tree of one guarantee; None where there is none.

    Args:
        tree: What `trees.of` gives.
    """
    if tree is None:
        return None
    rows = sum(1 + len(leaf.within) + _takes_two(leaf) for leaf in tree.leaves)
    held = tree.status in HOLDING
    caption = text("tree-caption-held" if held else "tree-caption", others=tree.others)
    chart = Chart(_TOP + _ROW * (2 + rows), "", caption=caption)
    chart.title = text(
        "tree-described",
        title=derivation_tree.titled(tree),
        rule=tree.rule,
        premises="; ".join(map(derivation_tree.premise_line, tree.leaves)),
    )
    chart.note(0, _TOP, derivation_tree.titled(tree), colour="ink", bold=True, name="guarantee")
    y = _TOP + _ROW
    chart.line(((4, _TOP + 7), (4, y), (_INDENT - 6, y)), "rule", name="branch")
    chart.note(_INDENT, y, tree.rule, colour="ink", name="rule")
    trunk, begin = _INDENT + 4, y + 7
    for leaf in tree.leaves:
        y += _ROW
        _draw(chart, leaf, trunk, begin, y)
        y += _ROW * _takes_two(leaf)
        for within in leaf.within:
            y += _ROW
            left = trunk + 2 * _INDENT
            chart.line(((left - 8, y - _ROW + 6), (left - 8, y), (left - 2, y)), "rule", name="branch")
            chart.note(left + 2, y, wording.short(within, LONGEST), name="within")
    return chart


def _takes_two(leaf: derivation_tree.Leaf) -> bool:
    """Whether how a premise is known, and by what, stand on two lines."""
    return text_width(derivation_tree.known(leaf, LONGEST_BY)) > _ROOM + (0 if leaf.weakest else _OF_THE_WEAKEST)


def _draw(chart: Chart, leaf: derivation_tree.Leaf, trunk: float, begin: float, y: float) -> None:
    kind, colour = _SHAPES[leaf.how]
    left = trunk + _INDENT
    chart.line(((trunk, begin), (trunk, y), (left - 8, y)), "rule", name="branch")
    chart.mark(kind, left, y, colour, size=3.0, name=leaf.how.value)
    chart.note(left + 9, y, wording.short(leaf.said, LONGEST), colour="ink", bold=leaf.weakest, name="premise")
    tone = "ink" if leaf.weakest else "muted"
    if _takes_two(leaf):
        chart.note(_KNOWN, y, wording.word(leaf.how), colour=tone, name="known")
        chart.note(_KNOWN, y + _ROW, wording.short(leaf.by, LONGEST_BY), colour=tone, name="by")
    else:
        chart.note(_KNOWN, y, derivation_tree.known(leaf, LONGEST_BY), colour=tone, name="known")
    if leaf.weakest:
        chart.note(WIDTH - 2, y, text("tree-weakest"), "end", bold=True, colour="ink", name="weakest")
