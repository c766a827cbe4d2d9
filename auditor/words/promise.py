"""Sentences of criteria that promise nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.guesses import at_most
from auditor.words.kinds import Sentences


def _guesses(given: Mapping[str, Any]) -> str:
    return (
        f"It promises nothing: ε = {given['epsilon']:.4g} and δ = {given['delta']:.3g} leave up to {at_most(given['share'])} right "
        f"guesses of 100 between a model that held a record and one that never did; below {100 * given['most']:g} would say something."
    )


def _renyi(given: Mapping[str, Any]) -> str:
    return (
        f"It promises nothing: a Rényi ε of {given['epsilon']:.4g} at order {given['order']:g} leaves up to {at_most(given['share'])} "
        f"right guesses of 100 between a model that held a record and one that never did; below {100 * given['most']:g} would say "
        "something."
    )


def _together(given: Mapping[str, Any]) -> str:
    stated = "" if given["epsilon"] is None else f", with a Rényi ε of {given['epsilon']:.4g} at order {given['order']:g},"
    return (
        f"It promises nothing to a person with {given['records']} records: all of them together{stated} leave up to "
        f"{at_most(given['share'])} right guesses of 100 between a model that held them and one that never did; below "
        f"{100 * given['most']:g} would say something."
    )


SENTENCES: Final[Sentences] = {
    "promise.guesses": _guesses,
    "promise.renyi": _renyi,
    "promise.together": _together,
    "promise.delta": "It promises nothing: δ = {delta:.3g} is not below 1/n for n = {records} records, so that giving a whole record away now and then would meet it.",
    "promise.seed": "It promises nothing: the noise comes from a seed of fewer than {bits} bits, which can be found by trying.",
}
