"""The catalogue of page texts: complete, unambiguous, and never silent about what is missing."""

import re
from pathlib import Path

import pytest

from auditor.words import texts


def test_a_text_chooses_its_plural():
    assert texts.text("common-records", count=1) == "1 record"
    assert texts.text("common-records", count=12) == "12 records"


def test_nothing_invisible_surrounds_a_value():
    assert texts.text("common-requests", count=3).isascii()


@pytest.mark.parametrize("name", ["no-such-text", "common-records"])
def test_what_is_missing_is_an_error(name):
    with pytest.raises(KeyError, match=name):
        texts.text(name)


def test_values_are_never_read_as_markup():
    assert texts.text("common-records", count="{ $secret }") == "{ $secret } records"


def test_a_parameter_may_be_of_any_length():
    assert texts.text("common-records", count="x" * 10_000) == "x" * 10_000 + " records"
    assert texts.text("common-records", count="\ue000count\ue001" * 100) == "\ue000count\ue001" * 100 + " records"


def test_every_file_parses_and_no_id_is_given_twice():
    assert texts.catalogue(texts.ENGLISH).has_message("common-yes")


def test_a_long_value_is_printed_whole_and_no_value_stands_for_another():
    long = "a" * 5000
    assert texts.text("common-records", count=long) == f"{long} records"
    forged = "\ue0000\ue000"
    assert texts.text("common-records", count=forged) == f"{forged} records"


ROOT = Path(__file__).parents[2]
CALLED = re.compile(r"""\b(?:text|t)\(\s*["']([a-z0-9]+-[a-z0-9-]+)["'](?!\s*~)""")


def test_every_text_that_is_called_by_its_name_is_there():
    sources = [*(ROOT / "auditor").rglob("*.py"), *(ROOT / "templates").rglob("*.j2")]
    called = {name for source in sources for name in CALLED.findall(source.read_text(encoding="utf-8"))}
    bundle = texts.catalogue(texts.ENGLISH)
    assert len(called) > 50
    assert not sorted(name for name in called if not bundle.has_message(name))


@pytest.mark.parametrize("part", ["remedies", "pipeline", "figures", "promise"])
def test_no_text_is_left_that_nothing_prints(part):
    written = (ROOT / "auditor" / "words" / "en" / f"{part}.ftl").read_text(encoding="utf-8")
    names = re.findall(r"^([a-z0-9-]+) =", written, re.MULTILINE)
    code = "".join(source.read_text(encoding="utf-8") for source in (ROOT / "auditor").rglob("*.py"))
    code += "".join(source.read_text(encoding="utf-8") for source in (ROOT / "templates").rglob("*.j2"))
    made = [re.escape(each).replace(r"\{\}", ".*") for each in re.findall(r'(?:text|either)\(\s*f"([^"]+)"', code)]
    made = [re.compile(re.sub(r"\\\{.*?\\\}", ".*", each)) for each in made]
    assert not [
        name for name in names if not re.search(rf"[\"']{name}[\"']", code) and not any(each.fullmatch(name) for each in made)
    ]
