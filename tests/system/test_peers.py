"""The page of peers is what its results give, each comparison runs at a tiny size, and a peer that is missing is named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from benchmarks.peers import __main__ as command
from benchmarks.peers import bounds, databases, environments, membership, page, stores, verdicts
from benchmarks.peers.environments import PEERS, Environment
from benchmarks.peers.sizes import TINY, USUAL

SLOW = {"accounting", "stores", "verdicts"}
"""Those that take more than five seconds even so; the page's test reads what they recorded."""
NONE = {peer.name: Environment({}, "not installed") for peer in PEERS}


class TestPage:
    def test_it_is_what_the_results_give(self) -> None:
        assert page.PAGE.read_text(encoding="utf-8") == page.page(page.read()), "run: python -m benchmarks.peers --page"

    def test_results_are_kept_as_they_are_written(self) -> None:
        assert page.RESULTS.read_text(encoding="utf-8") == page.written(page.read())

    def test_every_peer_and_every_comparison_is_there(self) -> None:
        found = page.read()
        assert set(found["peers"]) == {peer.name for peer in PEERS}
        assert set(command.COMPARISONS) <= set(found)
        text = page.page(found)
        for peer in found["peers"].values():
            assert peer["problem"] in text

    def test_the_recorded_run_has_the_usual_size(self) -> None:
        found = page.read()
        assert found["verdicts"]["tools"]["auditor: release.remembers, fail"]["honest"][1] == USUAL.nulls == 200
        assert found["bounds"]["draws"] == USUAL.bounds >= 200
        every = [row for each in found["membership"]["data"].values() for row in each["tools"].values()]
        assert {len(row) for row in every} == {USUAL.repeats}

    def test_a_better_peer_is_a_line(self) -> None:
        found = page.read()
        tools = found["verdicts"]["tools"]
        tools["SACRO-ML: likelihood ratio, AUC significant"]["leaking"] = [40, 40]
        tools["auditor: release.remembers, fail"]["leaking"] = [39, 40]
        tools["auditor: the same, inconclusive"]["leaking"] = [1, 40]
        line = "- SACRO-ML: likelihood ratio, AUC significant: recognises 40 leaking models, ours 39, with 1 more inconclusive.\n"
        assert line in page.page(found)

    def test_a_database_that_only_the_peer_passes_is_a_line(self) -> None:
        found = page.read()
        row = found["databases"]["designs"][databases.NOTHING]
        row["vector-forget"]["good"], row["auditor"]["verdict"] = found["databases"]["erased"], "inconclusive"
        assert f"in {databases.NOTHING}; `auditor scan` is inconclusive.\n" in page.page(found)
        row["auditor"]["verdict"] = "pass"
        assert f"in {databases.NOTHING}; " not in page.page(found)

    def test_without_peers_there_are_no_lines_of_theirs(self) -> None:
        found = page.read()
        found["peers"] = {name: {"packages": {}, "problem": each.problem} for name, each in NONE.items()}
        for name in ("bounds", "accounting"):
            for peer in NONE:
                found[name].pop(peer, None)
        for each in found["membership"]["data"].values():
            each["tools"] = {tool: rows for tool, rows in each["tools"].items() if tool.startswith("auditor")}
        tools = found["verdicts"]["tools"]
        found["verdicts"]["tools"] = {tool: counts for tool, counts in tools.items() if tool.startswith("auditor")}
        for row in found["stores"]["places"].values():
            row.pop("Tombstone", None)
        found["databases"] |= {"problem": "vector-forget is not installed", "designs": {}}
        text = page.page(found)
        assert "Nowhere in this run." in text
        assert text.count("| `not installed`") == len(PEERS)
        assert "| SACRO-ML:" not in text
        assert "Not measured: vector-forget is not installed." in text


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in command.COMPARISONS])
def test_ours_runs_at_a_tiny_size_without_any_peer(name: str) -> None:
    found = command.measured(name, TINY, NONE)
    assert {"date", "load", "seconds"} < set(found)
    assert not set(found) & set(NONE)


class TestEnvironments:
    def test_what_is_not_installed_is_named_and_not_fetched(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
        monkeypatch.setattr("sys.prefix", str(tmp_path))
        assert environments.prepare(install=False) == NONE
        assert list(tmp_path.iterdir()) == []

    def test_the_last_line_of_an_error_is_kept(self) -> None:
        assert environments._last_line("Traceback\nModuleNotFoundError: No module named 'x'\n\nWARNING: y\n").endswith("'x'")
        assert environments._last_line("") == "no message"


class TestDraws:
    def test_what_attacks_are_scored_by(self) -> None:
        members = np.arange(40) < 20
        assert membership.scored(members * 1.0, members) == {"auc": 1.0, "tpr": 1.0}
        assert membership.scored(np.zeros(40), members) == {"auc": 0.5, "tpr": 0.0}

    def test_an_honest_model_saw_neither_side_and_a_leaking_one_the_members(self) -> None:
        honest, leaking = (verdicts.draw(3, leaks=leaks) for leaks in (False, True))
        assert not np.intersect1d(honest.trained, np.concatenate([honest.members, honest.others])).size
        assert np.isin(leaking.members, leaking.trained).all()
        assert not np.intersect1d(leaking.trained, leaking.others).size

    def test_epsilon_of_laplace_noise_is_exact(self) -> None:
        """δ(ε) = ∫ max(0, p − e^ε q) over the line, for Laplace densities a unit apart."""
        epsilon, at = bounds.MECHANISMS["Laplace"], np.linspace(-40, 40, 4_000_001)
        apart = np.exp(-abs(at - 1)) / 2 - math.exp(epsilon) * np.exp(-abs(at)) / 2
        assert np.trapezoid(np.maximum(0, apart), at) == pytest.approx(bounds.DELTA, rel=1e-3)

    def test_guesses_follow_the_rule_of_audits(self) -> None:
        scores = np.arange(80.0)
        assert bounds.right_guesses(scores, scores >= 40) == (20, 20)
        assert bounds.right_guesses(scores, scores < 40) == (20, 0)

    def test_a_place_with_nothing_left_holds_no_erased_vector(self, tmp_path: Any) -> None:
        vectors = np.random.default_rng(0).normal(size=(stores.PEOPLE, stores.WIDTH)).astype(np.float32)
        stores.PLACES[stores.NOTHING](tmp_path, vectors)
        assert stores.there(tmp_path, vectors) == 0
        stores.PLACES[stores.TIMED](tmp_path, vectors)
        assert stores.there(tmp_path, vectors) == stores.ERASED
