"""Sentences of `swap.quality`, `swap.strong` and `swap.controls`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _played(given: Mapping[str, Any]) -> str:
    low, high = given["do_nothing"]
    return (
        f"{given['pairs']} swap pairs; the attack that found most was {given['attack']}. "
        f"Intervals of {100 * given['confidence']:g} % over pairs, Bonferroni over attacks. "
        f"Without unlearning, by a baseline that unlearned other records instead, Q is between {low:.3f} and {high:.3f}."
    )


def _missed(given: Mapping[str, Any]) -> str:
    return (
        f"Even if up to {100 * given['share']:.1f} % of models were not unlearned at all, none of the {given['models']} models might be "
        "among them: the interval allows for that."
    )


def _blind_attacks(given: Mapping[str, Any]) -> str:
    names = given["attacks"]
    subject = f"The attack {names[0]} is" if len(names) == 1 else f"The attacks {', '.join(names)} are"
    return (
        f"{subject} blind here: within each class nearly all records, or nearly none, are accepted after unlearning. "
        "Anything found this way still lowers Q, but does not count for the baseline."
    )


def _weaker(given: Mapping[str, Any]) -> str:
    said = [f"without {', '.join(given['without'])}"] if given["without"] else []
    if given["confidence"] is not None:
        said.append(f"with a confidence of {100 * given['confidence']:g} %")
    return f"The case chose a weaker test than the default: {' and '.join(said)}."


def _trained_on(given: Mapping[str, Any]) -> str:
    low, mean, high = (100 * value for value in (given["interval"][0], given["acceptance"], given["interval"][1]))
    return (
        f"After unlearning, {given['attack']} takes forgotten and unseen records for trained-on ones more often than after "
        f"retraining, by {mean:.1f} points [{low:.1f}, {high:.1f}]. The two may look alike because the models know both."
    )


def _retrained(given: Mapping[str, Any]) -> str:
    outputs = "equal bit for bit" if given["identical"] else "not equal"
    return f"Each of {given['pairs']} pairs was retrained on R twice with equal seeds. The outputs were {outputs}."


SENTENCES: Final[Sentences] = {
    "swap.regression": "The SWAP test is for classifiers, and this case has no classes.",
    "swap.release-exact": "Does not apply: the release is exact (release.exact), so no game is needed to tell how it was made.",
    "swap.quick": "A quick run draws too few pairs to decide anything: run without --quick.",
    "swap.unplayable.few-to-forget": "with {records} records and alpha = {alpha:g} a split has {forgotten} records to forget; at "
    "least {least} are needed",
    "swap.unplayable.no-split": "in {draws} draws no split was found whose training sets hold every class (and whose weights are not "
    "all 0): a class, or the weight, has too few records",
    "swap.not-shown": "Not shown: {why}.",
    "swap.not-played": "Not played: {why}.",
    "swap.no-bounds": "No attack gave a lower bound on ε: {why}.",
    "swap.quality.played": _played,
    "swap.quality.weaker": _weaker,
    "swap.quality.missed": _missed,
    "swap.quality.blind-attacks": _blind_attacks,
    "swap.quality.all-blind": "Every attack accepts nearly all records of each class after unlearning, or nearly none: such attacks "
    "would find nothing whatever the models remember.",
    "swap.quality.signs": "With {pairs} pairs the signs of the advantages alone would have to refute perfect unlearning too, and "
    "they do not: {least} pairs or more need no such support.",
    "swap.quality.few-pairs": "{pairs} pairs are too few for a pass of the controller's own code: at least {least} are needed.",
    "swap.strong.few-models": "For the controller's own code {models} models of {pairs} pairs are too few: at least {least} models of "
    "at least {least_pairs} pairs are needed.",
    "swap.strong.too-wide": "For the controller's own code the upper confidence limit ({high:.3f}) must be at most {most:g}, and the "
    "lower limit of the no-unlearning baseline ({low:.3f}) above it.",
    "swap.quality.blind": "That is not wholly below the threshold: on this model the test cannot tell good from bad.",
    "swap.quality.both-sides": "The procedure's own interval lies on both sides of the threshold: more pairs would narrow it.",
    "swap.quality.trained-on": _trained_on,
    "swap.quality.independent": "This compares with retraining, which data deletion does not ask for: every released model was the "
    "same here, whatever was in the place of the deleted records (deletion.renyi), so that what an attack takes them for was not "
    "learned from them then. What the procedure's code and settings bring along is the same in every run: these runs say "
    "nothing about that.",
    "swap.quality.correction": "Bonferroni over {attacks} attacks",
    "swap.quality.no-confusion": "no two classes have enough records",
    "swap.strong.named": "An adversary that sees both sets named the forgotten one for {right} of {models} models. The exact "
    "interval covers the splits that were drawn.",
    "swap.strong.informative": "Informative: the policy does not require it.",
    "swap.strong.blind": "So few models would not even show for certain that nothing was unlearned: the test cannot tell good from bad.",
    "swap.controls.retrained": _retrained,
    "swap.controls.not-deterministic": "The learner is not deterministic given its seed, so this control cannot validate "
    "the test.",
}
