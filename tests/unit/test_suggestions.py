"""Suggestions that help, and none that mislead."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.base.errors import InputError
from auditor.base.suggestions import nearest
from auditor.case.artifacts import suffix_of
from auditor.case.estimators import problems as estimator_problems
from auditor.case.log_values import STATES, state
from auditor.case.procedures import table
from auditor.maths.certificates import rules
from auditor.parts.networks.settings import PARAMS
from auditor.settings.builtin import audited
from auditor.settings.tables import TABLES, Policy
from auditor.verdict.checks import definitions

POLICY = tuple(Policy.model_fields)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("NOISY_GD", audited(), "noisy-gd"),
        ("scikit-learn", audited(), "sklearn"),
        ("dp-sgd", audited(), "torch"),
        ("finetune", tuple(PARAMS), "fine-tune"),
        ("from scratch", tuple(PARAMS), "retrain"),
        ("lr", ("l2", "rate"), "rate"),
        ("max_epsilom", POLICY, "max_epsilon"),
        ("removal.budegt", tuple(definitions()), "removal.budget"),
        ("dleta", ("delta", "epsilon"), "delta"),
        ("target", ("id", "label"), "label"),
        ("complience", tuple(rules()), "compliance"),
        ("churned", ("age", "churn"), "churn"),
        ("logs-complete", ("log-complete", "requests-fixed"), "log-complete"),
    ],
)
def test_spellings_synonyms_and_slips_are_understood(word: str, known: tuple[str, ...], meant: str) -> None:
    assert nearest(word, known) == meant


@pytest.mark.parametrize(
    ("word", "known"),
    [
        *((word, STATES) for word in ("rejected", "excluded", "expected", "unexecuted", "not executed", "reopened", "expired")),
        ("min_epsilon", POLICY),
        ("max_quality", POLICY),
        ("sigma", ("sigma2", "seed")),
        ("l1", ("l2",)),
        ("resnet18", ("mlp", "resnet20")),
        ("relearn_steps", ("learn_steps", "unlearn_steps")),
        ("us", ("eu", "uk", "ccpa")),
        ("need", ("needed", "needing")),
        ("ageing", ("age", "aged")),
        ("case", ("cast", "cash")),
        ("", ("a", "b")),
        ("__", ("a", "b")),
        ("\x00" * 10_000, tuple(TABLES)),
    ],
)
def test_nothing_is_guessed_across_meanings(word: str, known: tuple[str, ...]) -> None:
    assert nearest(word, known) is None


@pytest.mark.parametrize(("word", "meant"), [("rejected", "denied"), ("refused", "denied"), ("Closed", "executed")])
def test_a_state_in_another_system_s_word_gets_the_log_s_word_of_that_meaning(word: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"{meant} for"):
        state(word)


@pytest.mark.parametrize("name", ["sklearn.pipeline.Pipeline", "Pipeline", "lightgbm.LGBMClassifier", "GridSearchCV"])
def test_what_scikit_learn_does_not_list_is_shown_the_way_out(name: str) -> None:
    (found,) = estimator_problems("audit.toml", name, {})
    assert "did you mean" not in found.expected
    assert 'use = "estimator" and entry = "model.py:build"' in found.expected


def test_an_estimator_that_needs_others_is_shown_the_way_out() -> None:
    (found,) = estimator_problems("audit.toml", "sklearn.ensemble.VotingClassifier", {})
    assert 'use = "estimator"' in found.expected


def test_an_unknown_procedure_is_one_problem_and_not_one_for_each_of_its_keys() -> None:
    written = {"use": "catsboot", "depth": 3, "rounds": 100, "loss": "logloss", "l2": -1}
    (found,) = table("audit.toml", written)  # type: ignore[misc]
    assert (found.where, "did you mean" in found.expected) == ("procedure.use", False)


@pytest.mark.parametrize(
    ("ending", "way"),
    [
        (".joblib", "numpy.savez"),
        (".pkl", "numpy.savez"),
        (".pt", "parameters_to_vector"),
        (".PTH", "parameters_to_vector"),
    ],
)
def test_every_refused_model_names_the_way_out(ending: str, way: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        suffix_of(f"model{ending}")
    (found,) = refused.value.problems
    assert way in found.expected
    assert "leave [model] out" in found.expected


@pytest.mark.parametrize("ending", [".onnx", ".txt", ".JSON", ".ubj", ".skops"])
def test_a_library_s_own_format_is_not_to_be_written_as_one_array(ending: str) -> None:
    with pytest.raises(InputError, match="need no such step"):
        suffix_of(f"model{ending}")
