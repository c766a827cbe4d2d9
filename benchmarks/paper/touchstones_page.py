"""The page docs/paper-deletion-as-control.md: Figure 1 of Cohen et al. 2023 next to what audits found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, UNLEARNING
from auditor.verdict.theorems import theorems

NAME: Final = "paper-deletion-as-control"
CHECKS: Final = ("state.history_independent", "data.erased", "privacy.continual", "control.game", "confidentiality.game")
_PAPER: Final[Mapping[str, tuple[str, str, str, str]]] = {
    CONFIDENTIALITY: ("satisfied", "impossible", "satisfied", "impossible"),
    UNLEARNING: ("does not apply", "does not apply", "satisfied", "does not apply"),
    "simulatable-deletion": ("satisfied", "vacuous", "vacuous", "vacuous"),
    CONTROL: ("Corollary 3.10", "Corollary 3.10", "Corollary 5.2", "Corollary 6.5"),
}
"""The cells of the figure: impossible is its T, vacuous its ⊥."""
_TITLES: Final = {
    CONFIDENTIALITY: "Deletion-as-confidentiality",
    UNLEARNING: "Machine unlearning",
    "simulatable-deletion": "Simulatable deletion",
    CONTROL: "Deletion-as-control",
}
_TOP: Final = """# Four touchstones, and what an audit says of each

Cohen, Smith, Swanberg and Vasudevan (*Control, confidentiality, and the right to be forgotten*) hold four programs against four
definitions of deletion (Figure 1).
Here is that figure once more, each cell out of an audit: *shown*, *supported*, *refuted* or *not shown*, as the reports say it.
What the paper says stands below it in parentheses.

`python -m benchmarks.paper.touchstones` audits the programs and writes this page with
[the numbers](paper-deletion-as-control/results.json).
"""
_BELOW: Final = """
*Supported* rests on words of the controller: that nothing is kept outside the program, or that noise is drawn in secret.
*Refuted* is a game that others win: someone reads the post, or looks up the listing, of a person who is deleted later.
That is what a board and a directory are for, so no program of that kind could do better.

- **Private cloud storage** answers nobody about anybody else, and its state is one form of its contents.
  That gives confidentiality by the proof of Theorem 4.4, for people who send nothing to others.
- **Batch machine learning** is one model, trained with noise from data that are then destroyed, and never updated.
  Machine unlearning is asked of the learner `trigram-model`, which counts again over what remains (Proposition 3.12).
- **Machine unlearning** does not apply to programs that do not learn.
- **Simulatable deletion** (Godin and Lamontagne 2021) is not made: of the private cloud storage it asks less than
  confidentiality, which that has, and of the three others nothing, so that one that deletes nothing passes.

## What the checks found

"""


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    audits = {name: each for name, each in found["audits"].items() if name != "learner"}
    lines = [_TOP, "| | " + " | ".join(audits) + " |", "| --- |" + " --- |" * len(audits)]
    for title, row in cells(found).items():
        lines.append(f"| **{title}** | " + " | ".join(f"{said}<br>({told})" for said, told in row.values()) + " |")
    lines += [_BELOW, "| | " + " | ".join(audits) + " |", "| --- |" + " --- |" * len(audits)]
    for check in CHECKS:
        lines.append(f"| `{check}` | " + " | ".join(_checked(each, check) for each in audits.values()) + " |")
    lines += ["", "## Theorems", ""]
    for name, each in audits.items():
        lines += [f"- {name}: {theorems()[rule].citation}." for of in (CONTROL, CONFIDENTIALITY) for rule in each[of]["by"]]
    lines += [f"- `trigram-model`: {theorems()[rule].citation}." for rule in found["audits"]["learner"][UNLEARNING]["by"]]
    return "\n".join(lines) + "\n"


def cells(found: Mapping[str, Any]) -> dict[str, dict[str, tuple[str, str]]]:
    """Every cell of the figure, by definition and program: what audits say, and what the paper says."""
    audits = {name: each for name, each in found["audits"].items() if name != "learner"}
    return {
        _TITLES[definition]: {
            name: (_said(definition, place, each, found["audits"]["learner"]), told)
            for place, ((name, each), told) in enumerate(zip(audits.items(), paper, strict=True))
        }
        for definition, paper in _PAPER.items()
    }


def _said(definition: str, place: int, audit: Mapping[str, Any], learner: Mapping[str, Any]) -> str:
    if definition == "simulatable-deletion":
        return "not made"
    if definition == UNLEARNING:
        return f"{_standing(learner[UNLEARNING])}, of `trigram-model`" if place == 2 else "does not apply"
    return _standing(audit[definition])


def _standing(guarantee: Mapping[str, Any]) -> str:
    status = guarantee["status"].replace("-", " ")
    if guarantee["epsilon"] is None:
        return f"**{status}**"
    delta = f"{guarantee['delta']:g}"
    return f"**{status}**, ε = {guarantee['epsilon']:.4g}, δ = {delta}"


def _checked(audit: Mapping[str, Any], check: str) -> str:
    return {"skipped": "does not apply"}.get(audit["checks"][check], audit["checks"][check])


def figures(_found: Mapping[str, Any]) -> Mapping[str, str]:
    """None: the figure is a table."""
    return {}
