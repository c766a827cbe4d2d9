"""What deletion games come to where people read it: remedies that are enough, the log's own releases, letters, pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.base.domain import Status, Verdict
from auditor.pages import coverage, figures, markdown, right_guesses
from auditor.pages.letters import extract
from auditor.pages.remedies import of_check, remedies
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.revealing.judging.inference.judging import measured
from auditor.parts.revealing.judging.inference.observed import Observed, Tally
from auditor.parts.revealing.telling import deletion_games
from auditor.recheck.derivations import recheck_observations
from auditor.verdict.request_status import Model, chain
from games_seen import GAMES, check, codes, observed, tally, with_games
from letter_cases import NAMED, html_of, said

IDS = ("REQ-2026-0001", "REQ-2026-0003")


def judged(*tallies, largest=0.65):
    return {each.remedy: each for each in measured([Tally(**one) for one in tallies], confidence=0.95, largest=largest)}


def test_a_remedy_is_enough_only_where_every_attack_stays_within_the_limit_for_certain():
    under = [tally(name, view="labels", wins=100) for name in "abc"]
    assert judged(*under)["labels"].enough is True
    assert judged(*under[:-1], tally("c", view="labels", wins=125))["labels"].enough is False
    assert judged(*under[:-1], tally("c", view="labels", wins=60))["labels"].enough is False, "wrong far more often than right"
    assert judged(*under, largest=None)["labels"].enough is None


def test_a_remedy_is_told_by_the_attack_that_finds_most_and_its_limits_hold_for_all_together():
    found = judged(tally("a", "waiting", wins=110), tally("b", "waiting", wins=60), tally("c", wins=190))
    assert set(found) == {"waiting"}, "the game as such is no remedy"
    assert (found["waiting"].attack, found["waiting"].success) == ("b", 0.3)
    alone = judged(tally("b", "waiting", wins=60))["waiting"]
    assert found["waiting"].high > alone.high


def test_what_fails_names_the_remedies_that_are_enough():
    found = with_games(max_inference=0.65)
    assert check(found).status is Status.FAIL
    assert check(found).derived["remedies"]
    (step,) = of_check(remedies(tell(found)), "inference.example")
    assert "answers without scores" in step.action
    assert "rounded" not in step.action
    assert "forgotten" not in step.tell, "nobody is told that the model still holds the data"
    assert "0.65" in " ".join(each.expected for each in step.proof)


def test_where_no_remedy_is_enough_nobody_is_promised_one():
    found = with_games(example=observed(remedied=150), instance=observed("instance", remedied=150), max_inference=0.65)
    assert "inference.no-remedy" in codes(found)
    (step,) = of_check(remedies(tell(found)), "inference.example")
    assert step.action.startswith("Let nobody see the model from before a deletion")


def test_releases_of_the_log_that_show_more_than_the_policy_allows_keep_a_check_from_passing():
    games = {"example": observed(right=100, varied=100), "instance": observed("instance", right=100, varied=100)}
    assert check(with_games(**games, max_inference=0.62)).status is Status.PASS
    held = with_games(example=observed(right=100, varied=100), instance=games["instance"], picked=IDS, max_inference=0.62)
    assert check(held).derived["on_log"]["interval"][0] < 0.62
    assert check(held).status is Status.PASS, "nine games of one log do not hold back what they cannot tell for certain"
    many = observed(right=100, varied=100) | {
        "log": {
            "records": 100,
            "decoys": 19,
            "first": 90,
            "tied": 0,
            "tied_won": 0,
            "expected": 5.0,
            "games": 100,
            "ahead": 95,
            "ties": 0,
            "ties_won": 0,
            "picked": {},
            "not_tried": {},
        }
    }
    against = with_games(example=many, instance=games["instance"], max_inference=0.62)
    assert check(against).status is Status.INCONCLUSIVE
    assert "inference.log-above" in codes(against)
    assert against.verdict is not Verdict.PASS


def test_the_log_can_be_attacked_where_no_game_is_played():
    found = with_games(
        "breast-cancer-noisy-gd-adaptive", example={"unplayable": "not-asked"}, required=False, before_and_after=False
    )
    assert check(found).status is Status.SKIPPED
    assert codes(found) == ["deleting.not-asked"]
    found = with_games(
        "breast-cancer-noisy-gd-adaptive", example={"unplayable": "not-asked"}, picked=IDS, required=False, before_and_after=False
    )
    assert codes(found) == ["deleting.not-asked", "inference.on-log"]
    (drawn,) = [each for each in deletion_games.attacks(tell(found)) if each.name == "game-log"]
    assert drawn.found.limits is not None


def letters(evidence):
    named = evidence.model_copy(update={"case": evidence.case.model_copy(update=NAMED)})
    return {each.request_id: extract(named, each.request_id, evidence_sha256="0" * 64) for each in named.requests}


def test_a_letter_tells_each_person_the_own_result_alone():
    found = letters(with_games(picked=IDS))
    picked = {name: each.model.picked for name, each in found.items() if each.request.status == "executed"}
    assert {name for name, one in picked.items() if one} == set(IDS)
    assert not any(picked[name] is None for name in picked)
    assert "A test picked it out" in said(found[IDS[0]])
    assert "It did not pick your data out" in said(found["REQ-2026-0002"])
    other = next(name for name, each in found.items() if each.request.status != "executed")
    assert found[other].model.picked is None
    assert all("picked" not in html_of(each) for each in letters(with_games()).values()), "nobody attacked the log"


def test_whom_else_the_attack_picked_out_changes_no_byte_of_a_letter():
    one, other = (letters(with_games(picked=(IDS[0], *more)))[IDS[0]] for more in ((), ("REQ-2026-0004", "REQ-2026-0005")))
    assert one.to_bytes() == other.to_bytes()
    assert html_of(one) == html_of(other)


def test_what_two_models_show_is_no_word_on_what_the_released_one_keeps():
    played, unplayed = with_games(max_inference=0.65), with_games(required=False)
    assert check(played).status is Status.FAIL
    ours, theirs = (letters(each)[IDS[0]].model for each in (played, unplayed))
    assert ours.forgot == theirs.forgot != "failed"
    assert {"inference.example", "inference.instance"} <= set(ours.failed)
    assert chain(played, played.requests[0]).model is not Model.REFUTED


def test_the_page_on_attacks_shows_each_game_and_each_remedy_in_right_guesses():
    told = tell(with_games(picked=IDS, max_inference=0.65))
    drawn = deletion_games.attacks(told)
    names = [each.name for each in drawn]
    assert names[:2] == ["game-example", "game-instance"]
    assert {"game-one", "game-hidden", "game-chosen", "game-log", "remedy-labels", "remedy-waiting", "remedy-private"} <= set(
        names
    )
    assert all(each.threshold == 0.65 for each in drawn)
    assert {each.group for each in drawn} == {right_guesses.Group.GAMES, right_guesses.Group.REMEDIES}
    chart = figures.attack_intervals(drawn)
    assert len(chart.named("interval")) == len(drawn)
    spoken = " ".join(deletion_games.sentences(told))
    assert "6 of 12 deleted records" in spoken
    assert "45 of 100 unseen records" in spoken
    cells = dict(
        zip(coverage.ACCESS, next(line for line in coverage.matrix(told) if "Membership" in line.name).cells, strict=True)
    )
    assert cells["before-after"].state is coverage.State.RUN


def test_what_is_within_the_limit_needs_no_remedy():
    told = tell(
        with_games(
            example=observed(right=100, varied=100), instance=observed("instance", right=100, varied=100), max_inference=0.62
        )
    )
    assert not any(each.group is right_guesses.Group.REMEDIES for each in deletion_games.attacks(told))
    assert not any("Enough" in each for each in deletion_games.sentences(told))


def test_evidence_without_games_has_no_page_of_them():
    told = tell(with_games(example={"unplayable": "not-asked"}, instance={"unplayable": "few-records"}, required=False))
    assert deletion_games.attacks(told) == ()
    assert deletion_games.sentences(told) == ()
    assert figures.attack_intervals(()) is None


def test_informative_games_and_variants_above_the_limit_are_noticed():
    informed = {each.message for each in noticed(with_games(required=False))}
    assert {"noticed-games", "noticed-games-unlabelled"} <= informed
    within = with_games(
        example=observed(right=100, varied=160), instance=observed("instance", right=100, varied=100), max_inference=0.62
    )
    assert check(within).status is Status.PASS
    assert "noticed-games-varied" in {each.message for each in noticed(within)}


def test_the_summary_for_a_pull_request_names_what_the_games_found():
    found = markdown.summary(tell(with_games(max_inference=0.65)))
    assert "inference.example" in found
    assert "answers without scores" in found


def test_too_few_games_ask_for_more():
    open_ = with_games(
        example=observed(right=110, varied=100), instance=observed("instance", right=100, varied=100), max_inference=0.58
    )
    assert check(open_).status is Status.INCONCLUSIVE
    (step,) = of_check(remedies(tell(open_)), "inference.example")
    assert f"games = {4 * GAMES}" in step.action


def contradicted(evidence):
    seen = {name: Observed.model_validate(check(evidence, name).observed) for name in ("inference.example", "inference.instance")}
    return recheck_observations(evidence, seen)


@pytest.mark.parametrize(
    "changed",
    [
        {"records": 500},
        {"games": 18, "records": 18},
        {"picked": {"request_ids": ("REQ-nobody",)}},
        {"picked": {}},
        {"not_tried": {"request_ids": IDS}},
    ],
)
def test_an_attack_on_the_log_that_no_run_can_have_made_is_found(changed):
    evidence = with_games(picked=IDS)
    assert not contradicted(evidence).findings
    games = check(evidence).observed
    forged = games | {"log": games["log"] | changed}
    checks = tuple(replace(each, observed=forged) if each.id == "inference.example" else each for each in evidence.checks)
    assert contradicted(evidence.model_copy(update={"checks": checks})).findings


def test_both_checks_attack_the_same_games():
    assert contradicted(with_games(instance=observed("instance") | {"trained": 90})).findings
    assert contradicted(with_games(example=observed() | {"trained": 10**6})).findings


def rebuilt(**policy):
    """A sample where the label of a deleted record is worked out in four games of five."""
    wins = {"games": GAMES, "wins": 160, "ties": 0, "ties_won": 0}
    tallies = [{**wins, "attack": name, "of_two": wins | {"wins": 180}} for name in ("range", "records")]
    label = {"games": GAMES, "trained": 100, "decoys": 9, "tallies": tallies, "classes": []}
    return with_games(label=label, required=False, **policy)


def test_what_is_rebuilt_stands_on_the_same_axis_by_one_other_record():
    found = rebuilt()
    (drawn,) = [each for each in deletion_games.attacks(tell(found)) if each.group is right_guesses.Group.REBUILDING]
    assert (drawn.name, drawn.found.share) == ("rebuild-label", 0.9)
    assert drawn.found.limits.low < 0.9 < drawn.found.limits.high
    (said_of_it,) = [each for each in noticed(found) if each.check_id == "reconstruction.label"]
    assert "in 80 of 100 games" in said_of_it.sentence
    assert "Guessing gives 10" in said_of_it.sentence
