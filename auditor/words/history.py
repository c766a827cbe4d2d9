"""Sentences of `state.history_independent`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences
from auditor.words.numbers import printed


def _same(given: Mapping[str, Any]) -> str:
    end = "" if given["ignores"] else " Under other seeds the states differ; that is no fault."
    return "Histories that mean the same left the same state, byte for byte." + end


def _different(given: Mapping[str, Any]) -> str:
    cases, operations = given["cases"], given["operations"]
    found = "One pair of histories that mean" if cases == 1 else f"{cases} pairs of histories that mean"
    what = "what was deleted before" if given["deletes"] else "the order in which things were asked"
    return f"{found} the same left different states: the state shows {what}. The shortest takes {operations} operations."


def _fresh(given: Mapping[str, Any]) -> str:
    return (
        f"With a fresh seed each time the histories are still told apart, by {given['event']}: {given['left']} of {given['runs']} "
        f"runs of one against {given['right']} of {given['runs']} of the other. So ε is at least {printed(given['epsilon'])}."
    )


def _identical_only(given: Mapping[str, Any]) -> str:
    cases = "One pair" if given["cases"] == 1 else f"{given['cases']} pairs"
    return (
        f"{cases} of histories left different states under the same seed, and fresh seeds hid every difference that was looked "
        "for. Adaptive history independence asks for one of the two, so this is no finding."
    )


SENTENCES: Final[Sentences] = {
    "state.history_independent.no-controller": "Does not apply: the case declares no whole controller.",
    "state.history_independent.not-shown": "Not shown: {why}.",
    "state.history_independent.played": "{histories} histories were played, {operations} operations in all.",
    "state.history_independent.same": _same,
    "state.history_independent.different": _different,
    "state.history_independent.fresh": _fresh,
    "state.history_independent.identical-only": _identical_only,
    "state.history_independent.few-fresh": "Fresh seeds were tried too seldom to tell whether they hide the difference.",
    "state.history_independent.chance": "The controller is not deterministic: the same history under the same seed gave another "
    "state or another output, so states were compared by how often they occur.",
    "state.history_independent.chance-open": "No difference was found that way, but a small one could be missed.",
    "state.history_independent.quick": "A quick run finds differences and decides nothing where it finds none.",
    "state.history_independent.not-searched": "Histories were not searched for: hypothesis is not installed "
    "(pip install 'auditor[controllers]').",
    "fact.history.told-apart": "Histories that mean the same left states that can be told apart.",
}
