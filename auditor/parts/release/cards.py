"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.late import Late

MODEL_REPRODUCED: Final = Card(
    id="model.reproduced",
    place=40,
    since="0.2.0",
    roles=frozenset({Role.COMPARES_FILE}),
    required_when_run=True,
    title="Shipped model against the rerun",
    question="Is the file about to be released the model that the declared procedure yields, and nothing else?",
    unit="largest absolute difference of parameters",
    finds=("release-reproduced",),
    failure="The model file is not the model that the declared procedure yields on this log.",
    remedy="Do not release this model file: release what the procedure yields, or declare what was really run.",
    letter=LetterWords(
        question="Is the model about to be released the one that the declared erasure gives?",
        found="The model file is not the model that our updates produce.",
        open_question="whether the model in use is the one that the declared erasure gives",
    ),
    own_threshold=True,
    unsteady="differences within the tolerance are the machine's",
)

RELEASE_EXACT: Final = Card(
    id="release.exact",
    place=45,
    since="0.2.0",
    roles=frozenset({Role.EXACT, Role.CLEARS}),
    judges_unlearning=True,
    required_when_run=True,
    title="The release against a clean room that never held the deleted records",
    question="Is the release what training gives where the deleted records were never there?",
    unit="items that differ from the clean room",
    finds=("retrained",),
    failure="Retraining is declared, and the release is not what training gives without the deleted records.",
    remedy="Retrain from scratch on the records that remain, with the batch's seed, and release exactly that.",
    needs=("state.stateless",),
    open_question="whether the released model is what training without the deleted records gives",
    letter=LetterWords(
        question="Is the released model the one that training without the erased records gives?",
        found="The model that was tested is not what training without the erased records gives.",
        open_question="whether the released model is the one that training without the erased records gives",
    ),
    unsteady="which items differ follows the procedure's own counters",
)

RELEASE_REMEMBERS: Final = Card(
    id="release.remembers",
    place=46,
    since="0.2.0",
    roles=frozenset({Role.ATTACKS_RELEASE, Role.RECOGNISES, Role.CLEARS, Role.EXAMINES_FILE}),
    judges_unlearning=True,
    required_when_run=True,
    title="The release under attack among retrained models",
    question="Can attacks tell the release from models that were retrained without the deleted records?",
    unit="p of the largest score among retrained models of the last stage; for learners without a seed the share that is left",
    failure="On the deleted records the release looks like a model that still holds them, not like one retrained without them: a"
    " second stage of 199 further models says so, which accuses one honest release in a hundred at most.",
    remedy="Find the batch or the part of the model that was not unlearned, and retrain it without the deleted records.",
    direction="either way",
    needs=("release.exact",),
    open_question="whether attacks on the release find what it learned from deleted records",
    letter=LetterWords(
        question="Does the released model answer on the erased records like one that never learned from them?",
        found="On the erased records, the model that was tested answers like one that still holds them.",
        open_question="whether the released model still shows what it learned from the erased records",
    ),
    unsteady="retrained models are drawn",
    glossary=("membership-inference", "shadow-model"),
)


CARDS: Final = (
    Late(MODEL_REPRODUCED, "auditor.parts.release.judging.model_reproduced"),
    Late(RELEASE_EXACT, "auditor.parts.release.judging.release_exact", promises=True),
    Late(RELEASE_REMEMBERS, "auditor.parts.release.judging.release_remembers"),
)
