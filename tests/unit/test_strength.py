"""The grades of a pass: each row of the table, and its two thresholds."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import report_examples as examples
from auditor.domain import Guarantee, Standing, Status, Strength
from auditor.evidence import Examined
from auditor.strength import graded, guesses
from auditor.words import verdict as verdicts

SHOWN, SUPPORTED = Standing.SHOWN, Standing.SUPPORTED


def promise(status: Standing, share: float) -> Guarantee:
    """Certified removal at δ = 0 that leaves so many right guesses."""
    return Guarantee("certified-removal", status, math.log(share / (1 - share)), 0.0, ())


def grade(
    *promises: Guarantee,
    passed: tuple[str, ...] = ("removal.budget",),
    model: bool = True,
    required: tuple[str, ...] | None = None,
) -> Strength:
    examined = Examined(model=model, store=True, procedure=True, backups=False)
    statuses = dict.fromkeys(passed, Status.PASS)
    return graded(required=passed if required is None else required, statuses=statuses, guarantees=promises, examined=examined)


BOTH = ("removal.budget", "swap.quality")


@pytest.mark.parametrize(
    ("given", "changes", "strength"),
    [
        ([promise(SHOWN, 0.5499)], {"passed": BOTH}, Strength.A),
        ([promise(SHOWN, 0.5499)], {"passed": ("removal.budget", "release.exact")}, Strength.A),
        ([promise(SHOWN, 0.5501)], {"passed": BOTH}, Strength.C),
        ([promise(SHOWN, 0.5499)], {}, Strength.B),
        ([promise(SHOWN, 0.5499)], {"passed": BOTH, "model": False}, Strength.B),
        ([promise(SUPPORTED, 0.5499)], {"passed": BOTH}, Strength.B),
        ([promise(SUPPORTED, 0.5501)], {"passed": BOTH}, Strength.C),
        ([], {"passed": ("release.exact",)}, Strength.B),
        ([], {"passed": ("release.exact",), "model": False}, Strength.D),
        ([promise(SUPPORTED, 0.8999)], {}, Strength.C),
        ([promise(SUPPORTED, 0.9)], {}, Strength.E),
        ([promise(SUPPORTED, 0.95), promise(SUPPORTED, 0.6)], {}, Strength.C),
        ([promise(Standing.NOT_SHOWN, 0.51), promise(Standing.REFUTED, 0.51)], {"passed": BOTH}, Strength.D),
        ([], {"passed": ("swap.quality",)}, Strength.D),
        ([promise(SHOWN, 0.51)], {"required": ("log.consistency",), "passed": BOTH}, Strength.E),
        ([], {"passed": ("log.consistency",)}, Strength.E),
    ],
)
def test_the_grade_is_the_table_s(given: list[Guarantee], changes: dict[str, Any], strength: Strength) -> None:
    assert grade(*given, **changes) is strength


def test_a_promise_at_an_order_is_counted_in_the_same_unit() -> None:
    found = guesses(Guarantee("data-deletion", SUPPORTED, 0.005, None, (), order=2.0))
    assert found == pytest.approx(0.55)
    assert guesses(Guarantee("deletion-as-confidentiality", SHOWN, None, None, ())) is None


@pytest.mark.parametrize("strength", list(Strength))
def test_every_grade_has_words_and_none_of_them_is_a_finding_of_law(strength: Strength) -> None:
    said = verdicts.worth(examples.passing().evidence.model_copy(update={"strength": strength}))
    assert said
    assert not {"compliant", "anonymous", "proves", "guaranteed"} & set(said.replace(",", "").split())


def test_the_words_of_b_count_the_statements() -> None:
    base = examples.passing().evidence
    graded_b = base.model_copy(update={"strength": Strength.B})
    assert "if 1 statement of the controller is true" in verdicts.worth(graded_b)
    relied = base.reliance.model_copy(update={"statements": ("code-clean", "procedure-honest")})
    assert "if 3 statements of the controller are true" in verdicts.worth(graded_b.model_copy(update={"reliance": relied}))


def test_a_statement_is_named_once_though_the_promise_and_the_pass_both_rest_on_it() -> None:
    base = examples.passing().evidence
    behind = verdicts.unchecked(base)
    relied = base.reliance.model_copy(update={"statements": (*behind, "code-clean")})
    assert verdicts.unchecked(base.model_copy(update={"reliance": relied})) == (*behind, "code-clean")


def test_the_words_of_d_say_whether_attacks_or_a_clean_room_stand_behind_it() -> None:
    base = examples.passing()
    graded_d = base.evidence.model_copy(update={"strength": Strength.D})
    assert verdicts.worth(graded_d).endswith("found nothing")
    (first, *rest) = graded_d.checks
    exact = dataclasses.replace(first, id="release.exact", status=Status.PASS)
    assert "the deleted records held made no difference" in verdicts.worth(graded_d.model_copy(update={"checks": (exact, *rest)}))


def test_no_pass_has_no_grade() -> None:
    assert verdicts.worth(examples.failing().evidence) == ""
