"""Writes docs/glossary.md, the terms of reports and those of the field around them: `python -m tests.glossary_page`."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from auditor.pages import reference

PAGE = Path(__file__).parents[1] / "docs" / "glossary.md"
_HEAD = """# Glossary

The terms of reports, letters and these pages.
A report explains those that it uses in the same words; `auditor explain CHECK` prints those of one check.
"""
FIELD = {
    "approximate unlearning": "Changing a trained model so that it is close to one that never had the records, without "
    "training from scratch. How close, a theorem says or attacks try to find out.",
    "attack": "A program that tries to tell from models what it should not be able to tell, such as whether a record "
    "was in the training data.",
    "canonical form": "The one way of writing a document or a model file down, so that equal contents have equal bytes.",
    "certificate": "A number that follows from inputs by a formula with a source. `auditor calc` works it out by hand.",
    "claim": "What a controller says of its model in `[claims]`. A claim that the audit does not bear out keeps the "
    "verdict from pass.",
    "clean room": "A process that never held a deleted record and trains from scratch what is compared with the release.",
    "controller": "Who decides why and how personal data are processed, and so who has to erase them. In [whole "
    "controllers](controllers.md): the program that keeps the data.",
    "counterfactual run": "A run of the same procedure with other records in the place of the deleted ones.",
    "deletion inference": "Telling from the models before and after a deletion which record was deleted.",
    "deletion log": "The list of erasure requests with what became of each. It is the party's own record, and its "
    "completeness is attested.",
    "DP-SGD": "Stochastic gradient descent that clips the gradient of each record and adds noise, so that training is "
    "differentially private.",
    "evidence": "evidence.json: what was declared, what was observed and what follows. Reports and letters are rendered "
    "from it alone.",
    "exact unlearning": "Unlearning whose result has the same distribution as training without the records: retraining, "
    "or what amounts to it.",
    "grade": "What a pass is worth, from A to E: [the strength](verdict.md#what-a-pass-is-worth).",
    "Gaussian μ": "How many standard deviations of the noise the two worlds lie apart at most: the sensitivity over the "
    "standard deviation. It says the whole [trade-off function](guarantees.md#one-trade-off-function) of Gaussian noise.",
    "guarantee": "A statement about what others can learn, which a theorem derives from premises: [what each "
    "means](guarantees.md).",
    "history independence": "A state that depends on what is there now alone, and not on how it came about.",
    "machine unlearning": "Taking the influence of some training records out of a trained model.",
    "model inversion, reconstruction": "Rebuilding a record, its label or a sentence from what models answer.",
    "noisy gradient descent": "Gradient descent with Gaussian noise in each step; some further steps after a deletion "
    "make it forget.",
    "pan-privacy": "Privacy that holds even if somebody sees the inner state of a program once.",
    "policy": "What the verdict of a case requires: checks and thresholds, in `[policy]`.",
    "premise": "What a theorem needs. It is computed, measured or attested, and the report says which.",
    "procedure": "The code that learns and unlearns: one that the auditor brings, or the controller's own.",
    "requester": "Who asks for erasure. An adaptive one chooses requests after seeing models.",
    "sandbox": "The process without network and with narrow rights in which foreign code runs: [the sandbox](sandbox.md).",
    "subject": "The person whose data are concerned. A letter is written to each.",
    "trade-off function": "For each rate of type I errors the smallest rate of type II errors with which anyone can tell "
    "two worlds apart: [what every promise is read off](guarantees.md#one-trade-off-function).",
    "verdict": "Pass, fail or inconclusive: the outcome of the checks that decide: [the verdict](verdict.md).",
}
"""Terms of the field that the catalogue of reports does not need: one or two sentences each."""


def terms() -> dict[str, str]:
    """Every term with its meaning, in alphabetical order; those of reports in the words of reports."""
    known = dict(map(reference.meaning, reference.TERMS)) | FIELD
    return {term: known[term] for term in sorted(known, key=_place)}


def _place(term: str) -> str:
    """Where a term is looked up: a Greek letter under its name."""
    spelled = {"δ (delta)": "delta", "ε (epsilon)": "epsilon", "ε_dd, ε_dp": "epsilon dd", "σ (sigma)": "sigma"}
    return spelled.get(term, term).lower()


def page() -> str:
    """The page as the catalogue has it, one sentence a line."""
    return _HEAD + "".join(f"\n## {term}\n\n{_by_lines(meaning)}\n" for term, meaning in terms().items())


def _by_lines(meaning: str) -> str:
    """One sentence a line, and no line of more than 120 characters."""
    return "\n".join(textwrap.fill(sentence, 120, break_on_hyphens=False) for sentence in re.split(r"(?<=\.) ", meaning))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
