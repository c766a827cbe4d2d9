"""What every attack must do, whichever file it was found in."""

from __future__ import annotations

import inspect
import pkgutil
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

import auditor.attacks
from attack_examples import one_game, permuted, with_probabilities
from auditor.attacks import WHOLE_SET, Attack, References, Shadow, attacks, unknown

NAMES = {
    "correctness",
    "confidence",
    "entropy",
    "modified-entropy",
    "shadow-classifier",
    "loss",
    "lira-online",
    "lira-offline",
    "rmia",
}


def every_attack() -> list[Attack[Any]]:
    return list(attacks().values())


def as_bytes(state: Any) -> bytes:
    """The bytes of a state, which has to be a frozen dataclass of arrays, numbers and such dataclasses."""
    if isinstance(state, np.ndarray):
        return state.tobytes()
    if isinstance(state, bool | int | float):
        return repr(state).encode()
    assert is_dataclass(state)
    assert state.__dataclass_params__.frozen
    return b"|".join(as_bytes(getattr(state, field.name)) for field in fields(state))


def sealed(game: Any) -> Any:
    """The same game with every array read-only."""
    for value in game:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        elif is_dataclass(value):
            sealed([getattr(value, field.name) for field in fields(value)])
    return game


def test_the_folder_is_listed() -> None:
    assert set(attacks()) >= NAMES
    modules = {module.name for module in pkgutil.iter_modules(auditor.attacks.__path__)}
    assert {"threat_model", "attack", "whole_set", "rmia"} <= modules
    assert all(name == attack.name for name, attack in attacks().items())
    assert WHOLE_SET.name not in attacks()


def test_the_listing_is_a_copy() -> None:
    dict.clear(attacks())
    assert attacks()


def test_names_that_no_attack_bears_are_found() -> None:
    assert unknown(["loss", "telepathy", "rmia", "Loss"]) == ("telepathy", "Loss")
    assert unknown(attacks()) == ()


def test_nothing_heavy_is_imported() -> None:
    script = (
        "import sys, auditor.attacks as a; a.attacks(); a.unknown(['x']); "
        "print(sorted({'torch', 'sklearn', 'pandas', 'pydantic', 'joblib', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("attack", every_attack(), ids=lambda attack: attack.name)
class TestEveryAttack:
    def test_it_is_described(self, attack: Attack[Any]) -> None:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", attack.name)
        assert attack.title.strip()
        assert re.fullmatch(r"\w+ (and \w+|et al\.) (19|20)\d\d", attack.source)

    def test_its_signature_cannot_see_the_roles(self, attack: Attack[Any]) -> None:
        fit, score = inspect.signature(attack.fit).parameters, inspect.signature(attack.score).parameters
        assert list(fit) == ["shadow", "rng"]
        assert fit["rng"].kind is inspect.Parameter.KEYWORD_ONLY
        assert list(score) == ["state", "outputs", "labels"]

    def test_members_with_higher_confidence_are_accepted_more_often(self, attack: Attack[Any]) -> None:
        rates = []
        for seed in range(4):
            shadow, outputs, labels, members = one_game(seed, lift=3.0, records=120)
            accepted = attack.score(attack.fit(shadow, rng=np.random.default_rng(0)), outputs, labels) > 0
            rates.append((accepted[members].mean(), accepted[~members].mean()))
        true, false = np.mean(rates, axis=0)
        assert true - false > 0.15
        assert false > 0
        assert true < 1

    def test_the_same_seed_gives_the_same_bytes_and_no_global_generator_is_asked(
        self, attack: Attack[Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def poisoned(*_: Any, **__: Any) -> None:
            raise AssertionError("a global generator was asked")

        shadow, outputs, labels, _ = sealed(one_game(1))
        generators = [np.random.default_rng(7) for _ in range(2)]
        with monkeypatch.context() as patched:
            for name in dir(np.random):
                if name.islower() and not name.startswith("_") and callable(getattr(np.random, name)):
                    patched.setattr(np.random, name, poisoned)
            first, second = (attack.fit(shadow, rng=rng) for rng in generators)
            scores = [attack.score(state, outputs, labels) for state in (first, second)]
        assert as_bytes(first) == as_bytes(second)
        assert scores[0].tobytes() == scores[1].tobytes()

    def test_the_order_of_records_does_not_matter(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(2, classes=10)
        state = attack.fit(shadow, rng=np.random.default_rng(0))
        scores = attack.score(state, outputs, labels)
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(labels))[: 40 + seed]
            assert np.array_equal(attack.score(state, permuted(outputs, order), labels[order]), scores[order])

    def test_equal_records_get_equal_scores(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(3)
        state = attack.fit(shadow, rng=np.random.default_rng(0))
        thrice = np.array([5, 6, 5, 7, 5])
        scores = attack.score(state, permuted(outputs, thrice), labels[thrice])
        assert scores[0] == scores[2] == scores[4]

    def test_the_order_within_a_pair_does_not_matter(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(4)
        turned = np.arange(len(shadow.references)) ^ 1

        def turn(of: References) -> References:
            return References(of.probabilities[turned], of.trained_on[turned])

        mirrored = replace(
            outputs, references=turn(outputs.references), population_references=turn(outputs.population_references)
        )
        state = attack.fit(shadow, rng=np.random.default_rng(0))
        same = attack.fit(replace(shadow, references=turn(shadow.references)), rng=np.random.default_rng(0))
        scores = attack.score(state, outputs, labels)
        assert np.array_equal(attack.score(state, mirrored, labels), scores)
        assert attack.score(same, outputs, labels) == pytest.approx(scores, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize(
        "rows",
        [
            [[0.0, 1.0], [1.0, 0.0]],
            [[0.0, 1.0]],
            [[0.5, 0.5]],
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.5, 0.5], [1e-320, 0.0, 1.0]],
            [[1.0]],
        ],
        ids=["certain and wrong", "certain", "constant", "sparse", "one class"],
    )
    def test_scores_are_finite_at_the_edges(self, attack: Attack[Any], rows: list[list[float]]) -> None:
        probabilities = np.array(rows)
        shadow, outputs, labels, _ = one_game(5, classes=probabilities.shape[1])
        shadow, outputs = sealed(with_probabilities(shadow, outputs, probabilities))
        scores = attack.score(attack.fit(shadow, rng=np.random.default_rng(0)), outputs, labels)
        assert scores.shape == labels.shape
        assert scores.dtype == np.float64
        assert np.isfinite(scores).all()

    def test_models_that_always_say_the_same_tell_nothing(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(6)
        shadow, outputs = with_probabilities(shadow, outputs, np.array([[0.1, 0.2, 0.7]]))
        state = attack.fit(shadow, rng=np.random.default_rng(0))
        scores = attack.score(state, outputs, labels)
        for code in range(3):
            assert len(np.unique(scores[labels == code])) == 1
        # Correctness has no threshold: it accepts whole classes, of forget and test set alike.
        assert attack.name == "correctness" or not (scores > 0).any()

    def test_a_constant_model_among_varying_references_is_handled(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(7)
        constant = replace(outputs, probabilities=np.full_like(outputs.probabilities, 1 / 3))
        assert np.isfinite(attack.score(attack.fit(shadow, rng=np.random.default_rng(0)), constant, labels)).all()

    def test_a_class_without_shadow_records_is_handled(self, attack: Attack[Any]) -> None:
        shadow, outputs, labels, _ = one_game(8)
        kept = shadow.labels != 2
        references = References(shadow.references.probabilities[:, kept], shadow.references.trained_on[:, kept])
        state = attack.fit(Shadow(shadow.labels[kept], references), rng=np.random.default_rng(0))
        assert np.isfinite(attack.score(state, outputs, labels)).all()
