"""The printed report: complete, attached, reproducible, and deaf to whatever its strings say."""

from __future__ import annotations

import dataclasses
import functools
import html as entities
import io
import json
import logging
import re

import pytest
import weasyprint
from pypdf import PdfReader

import pdf_text
import report_examples as examples
from auditor.base.errors import ReportError
from auditor.document.evidence import Evidence, digest
from auditor.pages import attachments, junit, pages, plain, render, sarif
from auditor.pages.main import people
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.swap.telling import swap_words
from hostile_text import HOSTILE, Skeleton, harmless, spoiled, with_spoiled_values, without_drawings


@functools.cache
def printed(name):
    evidence = getattr(examples, name)()
    return evidence, render.pdf(evidence)


def words(pdf):
    return " ".join(pdf_text.texts(pdf))


@pytest.mark.parametrize("name", ["failing", *(pytest.param(each, marks=pytest.mark.slow) for each in ("passing", "broken_off"))])
def test_the_pdf_says_all_that_the_evidence_says(name):
    evidence, pdf = printed(name)
    text = words(pdf)
    together = text.replace(" ", "")
    for expected in (
        evidence.sentence,
        evidence.case.name,
        "UNSIGNED",
        evidence.verdict.value,
        *(g.title for g in evidence.guarantees),
    ):
        assert expected.replace(" ", "") in together
    for value in (
        digest(evidence.evidence.to_bytes()),
        evidence.audit.id,
        evidence.policy.digest,
        *(file.sha256 for file in evidence.case.inputs),
    ):
        assert value in together
    for check in evidence.checks:
        assert check.id in together
        assert check.basis.replace(" ", "") in together
    for request in evidence.requests:
        assert request.status == "executed" or request.request_id in together


def test_every_page_is_signed_off_as_unsigned_and_numbered_the_annex_by_itself():
    _, pdf = printed("passing")
    feet = [page.extract_text().rstrip().splitlines()[-1] for page in PdfReader(io.BytesIO(pdf)).pages]
    assert all("UNSIGNED · evidence" in foot for foot in feet)
    first = next(at for at, foot in enumerate(feet) if foot.endswith(" A1"))
    assert first <= 6
    assert all(f"page {number}" in foot for number, foot in enumerate(feet[:first], start=1))
    assert all(foot.endswith(f" A{number}") for number, foot in enumerate(feet[first:], start=1))


def test_what_narrows_the_audit_stands_on_the_decision_page():
    _, pdf = printed("broken_off")
    page = " ".join(PdfReader(io.BytesIO(pdf)).pages[0].extract_text().split())
    for said in ("no model file was given", "no data store was given", "Quick run", "Do not release", "UNSIGNED"):
        assert said in page
    assert plain.caveats(examples.passing()) == ()


@pytest.mark.parametrize("epoch", ["soon", "", "9" * 30])
def test_an_epoch_that_is_no_number_is_refused(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(ReportError, match="SOURCE_DATE_EPOCH"):
        render.html(examples.passing())


@pytest.mark.parametrize("name", ["passing", "failing", "broken_off"])
def test_hostile_strings_change_no_tag_of_the_page(name):
    evidence = getattr(examples, name)()
    tame, wild = (Skeleton(render.html(spoiled(evidence, text))) for text in (harmless(HOSTILE), HOSTILE))
    assert without_drawings(wild.tags) == without_drawings(tame.tags)
    assert set(wild.tags) == set(tame.tags)
    text = " ".join(wild.text)
    assert "<script>alert(1)</script>" in text
    assert "{{ 7 * 7 }}" in text
    assert not set("\u202e\u2066\u200b\x00\x1b\ufeff") & set(text)
    links = [value for _, attribute, value in wild.values if attribute in {"href", "src", "style"}]
    assert links
    assert all(link.startswith("#") for link in links)


@pytest.mark.parametrize("name", ["passing", "failing"])
def test_hostile_details_change_no_tag_of_their_figures_and_tables(name):
    evidence = getattr(examples, name)()
    tame, wild = (Skeleton(render.html(with_spoiled_values(evidence, text))) for text in (harmless(HOSTILE), HOSTILE))
    assert without_drawings(wild.tags) == without_drawings(tame.tags)
    assert set(wild.tags) == set(tame.tags)
    text = " ".join(wild.text)
    assert "It speaks of one person's data; the test deletes whole sets.<script>alert(1)</script>" in text
    assert "distance<script>alert(1)</script>" in text
    assert not set("\u202e\u2066\u200b\x00\x1b\ufeff") & set(text)


@pytest.mark.slow
def test_hostile_details_are_laid_out_within_the_page():
    pdf = render.pdf(with_spoiled_values(examples.failing(), HOSTILE))
    assert "<script>alert(1)</script>" in words(pdf)
    assert "evidence.json" in PdfReader(io.BytesIO(pdf)).attachments


def test_the_swap_test_is_told_whole_in_print():
    _, passed = printed("passing")
    _, failed = printed("failing")
    said = words(passed).replace("\u00a0", " ")
    for sentence in (
        swap_words.power(examples.passing().check("swap.quality")),
        *swap_words.silences(examples.passing().check("swap.quality")),
        "not tested",
        "It speaks of one person's data; the test deletes whole sets.",
    ):
        assert sentence.replace("\u00a0", " ") in said
    said = words(failed).replace("\u00a0", " ")
    assert "■ refuted" in said


def test_the_advantages_of_single_pairs_are_attached_and_never_printed():
    evidence, pdf = printed("passing")
    page = render.html(evidence)
    assert "-0.199" in evidence.evidence.to_bytes().decode()
    assert "−0.199" not in page
    assert "−0.199" not in words(pdf)
    assert "pair advantages" not in page
    assert "The advantages of every pair are in evidence.json." in page


def test_hostile_strings_fetch_nothing_and_attach_nothing():
    evidence = spoiled(examples.broken_off(), HOSTILE)
    pdf = render.pdf(evidence)
    reader = PdfReader(io.BytesIO(pdf))
    assert set(reader.attachments) == {"evidence.json", *attachments.of(tell(evidence.evidence).evidence)}
    assert reader.attachments["evidence.json"] == [evidence.evidence.to_bytes()]
    assert "<script>alert(1)</script>" in words(pdf)


def test_hostile_strings_keep_the_exchange_formats_well_formed():
    evidence = spoiled(examples.failing(), HOSTILE + "\ufffe\x0b")
    assert "\x1b" not in junit.xml(evidence)
    assert len(json.loads(sarif.log(evidence))["runs"][0]["results"]) == len(
        json.loads(sarif.log(examples.failing()))["runs"][0]["results"]
    )


def test_names_of_ten_thousand_characters_are_folded_and_stay_on_the_page():
    evidence = spoiled(examples.broken_off(), "x" * 10_000)
    page = render.html(evidence)
    assert "x" * 200 not in page
    assert "characters)" in page
    reader = PdfReader(io.BytesIO(render.pdf(evidence)))
    assert len(reader.pages) < 60


def test_the_page_for_the_screen_stands_alone():
    page = render.html(examples.failing())
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", page)
    assert "@font-face" not in page
    assert "<script" not in page
    assert entities.escape(examples.failing().sentence) in page
    assert page.count('role="img"') == page.count("</title>\n") - 1 >= 6


def test_evidence_read_back_gives_the_same_page():
    evidence = examples.failing().evidence
    assert render.html(tell(Evidence.model_validate_json(evidence.to_bytes()))) == render.html(tell(evidence))


def test_nothing_is_left_blank_or_half_filled():
    for name in ("passing", "failing", "broken_off"):
        text = " ".join(Skeleton(render.html(getattr(examples, name)())).text)
        for flaw in ("None ", "Undefined", "N/A", "TODO", "nan", "float64", "{{", "compliant", "anonymous", "proves"):
            assert flaw not in text.replace("None is overdue", "").replace("None was", "").replace("Where none", ""), flaw


@pytest.mark.parametrize(
    "odd",
    [
        {"series": [{"removed": 1, "beta": None}, {"batch": 7}, "x"]},
        {"sources": "none", "deep": {"a": {"b": [1, {"c": None}]}}, "flag": False},
        {"attacks": [{"name": 3, "advantage": "much"}, 7, {"do_nothing": [], "interval": [2, 1]}], "do_nothing": "good"},
        {"retrained": {"quality": True, "share": None}},
        {"comparisons": [{}, {"epsilon": 1, "lower": [{"epsilon": "x"}]}, {"epsilon": 0, "lower": [{"epsilon": 1}]}]},
    ],
)
@pytest.mark.parametrize("name", ["removal.budget", "data.erased", "swap.quality", "swap.strong", "epsilon.consistency"])
def test_what_no_judge_derives_is_refused_in_one_sentence(odd, name):
    evidence = examples.passing().evidence
    checks = tuple(dataclasses.replace(c, derived={**c.derived, **odd}) if c.id == name else c for c in evidence.checks)
    with pytest.raises(ReportError, match="no words for what the evidence says") as refused:
        tell(evidence.model_copy(update={"checks": checks}))
    assert len(str(refused.value).splitlines()) == 1


def test_the_layout_engine_may_load_bundled_fonts_only():
    for source in (
        "file:///etc/hostname",
        "https://example.org/a.png",
        "bundled-font:../../pyproject.toml",
        "data:image/png;base64,AA",
    ):
        with pytest.raises(ReportError, match="bundled fonts only"):
            pages.lay_out(f'<title>x</title><img src="{source}">', [pages.Embedded("x.json", b"{}", "x")], examples.START)


def test_an_error_in_the_engines_log_ends_the_rendering(monkeypatch):
    whole = weasyprint.HTML.render

    def complaining(self, *args, **options):
        logging.getLogger("weasyprint").error("something went wrong")
        return whole(self, *args, **options)

    monkeypatch.setattr(weasyprint.HTML, "render", complaining)
    with pytest.raises(ReportError, match="something went wrong"):
        pages.lay_out('<html lang="en"><title>x</title><p>x', [pages.Embedded("x.json", b"{}", "x")], examples.START)


def test_of_many_requests_only_exceptions_are_printed_and_the_rest_is_counted():
    refused = tuple(dataclasses.replace(each, status="denied", deleted_at=None) for each in examples.requests(700))
    evidence = examples.changed(examples.failing(), requests=refused)
    page = render.html(evidence)
    assert 4 <= page.count('<th scope="row">REQ-') <= people.MOST_COUNTED
    assert "more are in the attached table" in page


def test_evidence_without_a_canonical_form_is_refused():
    evidence = examples.failing()
    odd = dataclasses.replace(evidence.evidence.checks[0], id="x.y", derived={"found": 2**60})
    without = evidence.evidence.model_copy(update={"checks": (*evidence.evidence.checks, odd)})
    with pytest.raises(ReportError, match="canonical form"):
        render.json_bytes(without)
    with pytest.raises(ReportError):
        tell(without)
