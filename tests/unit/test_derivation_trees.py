"""A guarantee as a tree of premises: what it shows, the weakest, the steps, and what it means for a person."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import golden_reports
import rechecks
from auditor.base.domain import ClaimStatus, Provenance
from auditor.cli import app
from auditor.pages import derivation_tree, figures, markdown
from auditor.pages.derivation_tree import fed_by
from auditor.pages.words.catalogue import ENGLISH, sources
from auditor.pages.words.texts import has, text
from auditor.recheck import derivations
from auditor.verdict import corollaries, judgement
from auditor.verdict.checks import definitions
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, KNOWN, UNREFUTED
from auditor.verdict.theorems import facts_needed, theorems

HELD = ("tree-counter", "public-directory", "bulletin-board", "digits-mlp-dp")
OPEN = ("digits-newton", "sqlite-plain", "trigram-model", "digits-retrain")


def test_every_fact_has_a_step_and_every_fact_of_a_whole_controller_a_short_name() -> None:
    steps = {name.removeprefix("step-") for name in sources(ENGLISH) if name.startswith("step-")}
    assert steps == facts_needed() | UNREFUTED == set(KNOWN)
    named = {name.removeprefix("tree-fact-") for name in sources(ENGLISH) if name.startswith("tree-fact-")}
    whole = {name for rule in theorems().values() if "control-" in rule.id[:8] for name in rule.needs}
    assert whole - named == {"confidential", "silent-subject", "deletes-when-told"}, "which are no premises of a guarantee"
    for rule in theorems().values():
        if rule.id.startswith(("control-", "confidentiality-", "unlearning-")):
            assert has(f"tree-rule-{rule.id}")
            assert set(rule.through) <= set(theorems())


def test_what_feeds_a_fact_is_a_check_and_every_check_that_feeds_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(fed_by()) <= KNOWN
    assert {check for names in fed_by().values() for check in names} <= set(definitions())
    found: dict[str, set[str]] = {}
    judge = judgement.judge_all

    def noting(*given, **more):
        findings = judge(*given, **more)
        for check_id, finding in findings.items():
            for fact in finding.facts:
                found.setdefault(fact.name, set()).add(check_id)
        return findings

    monkeypatch.setattr(judgement, "judge_all", noting)
    for name in ("tree-counter", "public-directory", "dictionary-controller", "breast-cancer-noisy-gd", "digits-newton-noised"):
        derivations.derive_again(rechecks.read_evidence(rechecks.golden(name), name).evidence)
    assert len(found) > 30
    for fact, checks in found.items():
        assert checks <= set(fed_by()[fact]), fact


@pytest.mark.parametrize("name", [*HELD, *OPEN])
def test_a_tree_holds_every_premise_of_its_theorem_and_marks_the_weakest(name: str) -> None:
    told = golden_reports.told(name)
    guarantee = next(each for each in told.evidence.guarantees if each.id == CONTROL)
    tree = derivation_tree.of(told)
    if name == "trigram-model":
        assert tree is None
        return
    assert tree is not None
    assert tree.status is guarantee.status
    derivation = derivation_tree.shown(guarantee)
    assert [(each.name, each.how) for each in tree.leaves] == [(each.fact, each.how) for each in derivation.premises]
    order = derivation_tree.WEAKEST_FIRST
    assert {order.index(each.how) for each in tree.weakest} == {min(order.index(each.how) for each in tree.leaves)}
    if name in HELD:
        assert derivation in corollaries.carrying(guarantee)
        assert derivation_tree.steps(told) == ()
        assert len(derivation_tree.confirmed(told)) == sum(each.how is Provenance.ATTESTED for each in tree.leaves) > 0
    else:
        asks = len(derivation_tree.missing(derivation)) - (name == "digits-retrain")  # which retrains already
        assert len(derivation_tree.steps(told)) == asks
        assert derivation_tree.confirmed(told) == ()


def test_what_is_known_by_construction_is_never_said_to_come_from_a_game() -> None:
    tree = derivation_tree.of(golden_reports.told("bulletin-board"))
    assert tree is not None
    assert {each.by for each in tree.leaves} == {"by construction", "controller-is-implementation"}
    assert "state.history_independent" not in figures.derivation(tree).title
    refuted = derivation_tree.of(golden_reports.told("sqlite-plain"))
    assert refuted is not None
    assert "Theorem 3.7" in refuted.rule
    assert "state.history_independent" in {each.by for each in refuted.leaves}


def test_the_guarantee_of_a_model_is_in_the_tree_as_what_it_is() -> None:
    tree = derivation_tree.of(golden_reports.told("digits-newton"))
    assert tree is not None
    assert (tree.status, tree.epsilon) == (ClaimStatus.NOT_SHOWN, None)
    (model,) = (each for each in tree.leaves if each.name == "model-guarantee")
    assert model.within == ("Certified removal of the model: supported",)
    assert "leads to no control" in tree.rule


@pytest.mark.parametrize("name", HELD)
def test_the_figure_draws_every_premise_by_a_shape_of_its_own_and_stays_small(name: str) -> None:
    tree = derivation_tree.of(golden_reports.told(name))
    chart = figures.derivation(tree)
    assert tree is not None
    assert chart is not None
    assert chart.height <= 200
    assert len(chart.named("premise")) == len(tree.leaves)
    assert len(chart.named("weakest")) == len(tree.weakest)
    for leaf in tree.leaves:
        assert chart.named(leaf.how.value)
        assert leaf.said in chart.title
    for note in chart.notes:
        assert 0 <= note.ends[0] <= note.ends[1] <= chart.width
    ends = {note.y: note.ends[1] for note in chart.notes if note.name == "premise"}
    for note in chart.notes:
        if note.name == "known":
            assert ends[note.y] < note.x
    assert figures.derivation(None) is None


@pytest.mark.parametrize("name", [*HELD, *OPEN])
def test_what_it_means_for_a_person_tells_control_from_confidentiality_and_promotes_no_model(name: str) -> None:
    told = golden_reports.told(name)
    status = {each.id: each.status for each in told.evidence.guarantees}
    said = " ".join(derivation_tree.person(told))
    assert (text("person-control-before") in said) == (status[CONTROL] in corollaries.HOLDING)
    neither = status[CONTROL] is status[CONFIDENTIALITY] is ClaimStatus.NOT_SHOWN
    assert (text("person-neither") in said) == neither
    assert (text("person-confidential-open") in said) == (not neither and status[CONFIDENTIALITY] is ClaimStatus.NOT_SHOWN)
    assert ("Confidentiality: what others saw" in said) == (status[CONFIDENTIALITY] in corollaries.HOLDING)
    models = any(status.get(each) in corollaries.HOLDING for each in ("certified-removal", "data-deletion"))
    assert ("It is not control" in said) == models


def test_groups_are_said_by_the_theorem() -> None:
    said = {name: " ".join(derivation_tree.person(golden_reports.told(name))) for name in HELD}
    assert "of 3 people it says ε = 3.324 and δ = 10⁻⁶, with at most 63.9 of 100 guesses right" in said["tree-counter"]
    assert "of several people together it says nothing" in said["public-directory"]
    assert "any number of people" in said["bulletin-board"]


def test_markdown_and_explain_show_the_same_tree(tmp_path) -> None:
    told = golden_reports.told("tree-counter")
    shown = markdown.summary(told)
    assert "through Theorem 4.3 and Lemma 5.10" in shown
    assert "the seed was drawn at random and is secret: attested, seed-secret (weakest)" in shown
    kept = tmp_path / "evidence.json"
    kept.write_bytes(rechecks.derived("tree-counter"))
    runner = CliRunner()
    plain = runner.invoke(app, ["explain", CONTROL, "--evidence", str(kept)])
    assert plain.exit_code == 0
    for words in ("Deletion-as-control: supported, ε = 1 and δ = 10⁻⁶", "(weakest)", "Places it among the notions"):
        assert words in plain.stdout
    found = json.loads(runner.invoke(app, ["explain", CONTROL, "-e", str(kept), "--json"]).stdout)
    assert [each["fact"] for each in found["audit"]["premises"] if each["weakest"]] == ["seed-secret"]
    assert {each["id"] for each in found["theorems"]} >= {"control-from-pan-privacy", "control-from-touchstone"}
    unlisted = runner.invoke(app, ["explain", "adaptive-unlearning", "-e", str(kept)])
    assert unlisted.exit_code != 0
    alone = runner.invoke(app, ["explain", "adaptive-unlearning"])
    assert alone.exit_code == 0
    assert "Proposition 3.12" in alone.stdout
