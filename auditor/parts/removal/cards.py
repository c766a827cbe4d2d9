"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

REMOVAL_BUDGET: Final = Card(
    id="removal.budget",
    place=110,
    since="0.2.0",
    roles=frozenset({Role.PROVES}),
    judges_unlearning=True,
    title="Residual bound against the removal budget",
    question="Did the removals stay within the declared budget?",
    unit="largest share of the removal budget used, β/(σμ)",
    own_terms=("budget", "newton-removal", "residual-beta"),
    finds=("criterion-met",),
    failure="The removals of the log may leave more in the model than the random term of its loss hides at the stated ε and δ.",
    remedy="Retrain without the deleted records: the removals have used more than the budget allows.",
    needs=("removal.residual",),
    glossary=("differential-privacy", "budget"),
    letter=LetterWords(
        question="Did the erasures stay within the declared limit?",
        found="The erasures may leave a larger trace in the model than the limit that we set allows.",
        open_question="how large a trace an erasure leaves in the model",
        answered_by=("deletion.renyi", "deletion.adaptive"),
    ),
)

REMOVAL_OUTPUT_NOISE: Final = Card(
    id="removal.output-noise",
    place=120,
    since="0.2.0",
    judges_unlearning=True,
    title="Noise at release against the residual budget",
    question="Does the noise added at release hide what the removals left over?",
    unit="ε at the stated δ",
    own_terms=("budget", "newton-removal", "residual-beta"),
    finds=(
        "noise-criterion-met",
        "release-noise",
        "residual-enforced",
    ),
    failure="The noise of the release does not hide what a removal may leave, at the stated ε and δ.",
    remedy="Declare more release_noise or a smaller residual_budget, release the model again, then audit again.",
    needs=("removal.residual",),
    glossary=("differential-privacy", "budget"),
    letter=LetterWords(
        question="Does the noise that was added to the model hide what is left?",
        found="The noise that was added to the model does not hide what may be left.",
        open_question="how large a trace an erasure leaves in the model",
        answered_by=("deletion.renyi", "deletion.adaptive"),
    ),
)

REMOVAL_RESIDUAL: Final = Card(
    id="removal.residual",
    place=100,
    since="0.2.0",
    roles=frozenset({Role.PROVES, Role.CONTRADICTS, Role.EXAMINES_FILE}),
    judges_unlearning=True,
    title="Gradient residual of the released weights",
    question="Is the trace left in the model as small as its bound says?",
    unit="norm of the gradient left over, ‖∇L‖₂",
    own_terms=("budget", "newton-removal", "residual-beta"),
    finds=(
        "every-extractor",
        "extractor-private",
        "objective-strongly-convex",
        "perturbation-gaussian",
        "perturbation-laplace",
        "retrained",
        "seed-unguessable",
    ),
    failure="The released weights are further from a trained model than the removals of the log explain.",
    remedy="Do not release this model file: unlearn again as declared, or retrain without the deleted records.",
    letter=LetterWords(
        question="Is the trace left in the model as small as it was calculated to be?",
        found="The trace left in the model is larger than it was calculated to be.",
        open_question="how large a trace an erasure leaves in the model",
        answered_by=("deletion.renyi", "deletion.adaptive"),
    ),
    own_threshold=True,
)


CARDS: Final = (
    Late(REMOVAL_BUDGET, "auditor.parts.removal.judging.budget", promises=True),
    Late(REMOVAL_OUTPUT_NOISE, "auditor.parts.removal.judging.output_noise", promises=True),
    Late(REMOVAL_RESIDUAL, "auditor.parts.removal.judging.residual", promises=True),
)
