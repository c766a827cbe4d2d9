"""Writes docs/checks.md from cards, premises and levels of the checks: `python -m tests.checks_page`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from auditor.base.domain import Effect
from auditor.verdict.checks import definitions
from auditor.verdict.checks.levels import ALLOTTED
from auditor.verdict.premises import PREMISES, Kind, Need, Settles

PAGE = Path(__file__).parents[1] / "docs" / "checks.md"
_HEAD = """# The checks

One heading for each check: what it asks, what a failure means, what to do.
SARIF rules link here. `auditor check` decides by the checks that the policy requires ([the verdict](verdict.md)).
What a pass may [rest on](#what-a-pass-may-rest-on) and [how often chance rejects](#how-often-chance-rejects) follow them.
"""
_PREMISES = """
# What a pass may rest on

[The verdict](verdict.md#what-a-pass-rests-on) says what these statements are for, and
[the reference](reference.md#what-can-be-attested) what each means.
*Always*: every case of that kind rests on it.
*Where used*: if a theorem that holds, the way to a pass or a check takes it on trust.
`log-complete` counts as used wherever a log has a request, also one in which nobody was deleted.

| premise | with a log | data, no log | whole program | answers alone | places alone | settled by |
|---|---|---|---|---|---|---|
"""
_SETTLED: Final = {
    Settles.WORD: "an attestation",
    Settles.FILE: "`model.reproduced`; of steps that are in no file an attestation",
    Settles.DECLARED: '`[[outside]]` with `name = "backups"` and a day under `until`, none before the last erasure; '
    "no check reads any",
    Settles.PERSON: "`[data] person`, where a [rare number](data-erased.md#related-rows) that records share would count "
    "without it",
    Settles.DERIVED: "`[data] derived_from`, where it names retained rows",
}
_NEED: Final = {Need.ALWAYS: "always", Need.WHERE_USED: "where used", Need.NEVER: "–"}
_LEVELS = """
# How often chance rejects

The share of each statistical test, out of 100,000 audits of honest cases.
[The verdict](verdict.md#how-often-an-honest-case-is-accused) says how they add up; *apart* is what is not in the sum.

| test | of | effect | in 100,000 audits |
|---|---|---|---|
"""
_TESTS: Final = {
    "promises": "`epsilon.consistency`, `deletion.adaptive`: all attacks, chains and requesters",
    "promises-open": "`epsilon.consistency`: the same with less confidence, and single records of few pairs",
    "remembers": "`release.remembers`",
    "remembers-first": "the same, where a second stage would take too long",
    "quality": "`swap.quality`: pairs, or the guesses of one run",
    "whole-set": "`swap.strong`",
    "whole-set-open": "`swap.strong`",
    "trained-on": "`swap.quality`: both sets look trained on",
    "histories": "`state.history_independent`: fresh seeds",
    "histories-open": "the same",
    "control": "`control.game`: fresh seeds",
    "control-open": "the same",
    "confidentiality": "`confidentiality.game`: fresh seeds",
    "confidentiality-open": "the same",
    "confidentiality-learner": "`confidentiality.game` of a learner: fresh seeds",
    "continual": "`privacy.continual`: games and noise",
    "continual-open": "the same",
    "resumed": "`state.stateless`: laws of resumed updates",
    "noise": "`deletion.renyi`: noise of the rerun",
    "inference-example": "`inference.example`",
    "inference-instance": "`inference.instance`",
    "inference-difference": "`inference.difference`",
    "reconstruction-instance": "`reconstruction.instance`",
    "reconstruction-label": "`reconstruction.label`",
    "reconstruction-sentence": "`reconstruction.sentence`",
    "log-releases": "`inference.example`: the log's own releases",
    "answers": "`answers.membership`",
    "answers-inference": "`answers.inference`",
    "answers-copied": "`answers.membership`: answers that others have too",
    "accuracy": "`utility.accuracy`",
    "accuracy-elsewhere": "`utility.accuracy`: moved copies of the holdout, and records that were never seen",
    "holdout-known": "`utility.accuracy`: rows of the holdout look known",
    "near-copies": "`data.erased`",
    "related-rows": "`data.erased`: rare values that deleted and retained records share",
    "derived-rows": "`data.erased`: rows that look derived from deleted ones",
}
"""What each test is of; one that is missing here ends the writing of the page."""
_EFFECT: Final = {Effect.ACCUSES: "accuses", Effect.LEAVES_OPEN: "leaves open"}


def page() -> str:
    """The page as cards, premises and levels have it."""
    return "".join((_HEAD, *_checks(), _PREMISES, *_premises(), _LEVELS, *_levels()))


def _checks() -> list[str]:
    cards = [each.card for each in definitions().values()]
    return [
        f"\n## {card.id}\n\n**{card.title}.** {card.question}\n\n"
        f"- Value: {card.unit}.\n- A failure means: {card.failure}\n- What to do: {card.remedy}\n"
        for card in cards
    ]


def _premises() -> list[str]:
    return [
        f"| `{each.name}` | {' | '.join(_NEED[each.needed(kind)] for kind in Kind)} "
        f"| {_SETTLED[each.settles]}{'; without it no pass' if each.binds else ''} |\n"
        for each in PREMISES
    ]


def _levels() -> list[str]:
    return [
        f"| `{each.test}` | {_TESTS[each.test]} | {_EFFECT[each.effect]}{', apart' if each.apart else ''} "
        f"| {1e5 * each.level:,.12g} |\n"
        for each in ALLOTTED
    ]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
