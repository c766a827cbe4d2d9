"""The catalogue of page texts: complete, unambiguous, and never silent about what is missing."""

import functools
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, Term

from auditor.base.parts import folders
from auditor.pages import words
from auditor.pages.words import catalogue, texts

FOLDERS = (Path(catalogue.__file__).parent / catalogue.ENGLISH, *folders("telling/words/en"))
FILES = sorted(file for folder in FOLDERS for file in folder.rglob("*.ftl"))


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_parses_and_its_messages_are_found_as_they_stand(path):
    whole = FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8"))
    assert not [entry.content for entry in whole.body if isinstance(entry, Junk)]
    messages = {entry.id.name: entry for entry in whole.body if isinstance(entry, Message)}
    assert not [entry for entry in whole.body if isinstance(entry, Term)]
    for name, message in messages.items():
        alone = FluentParser(with_spans=False).parse(catalogue.sources(catalogue.ENGLISH)[name]).body
        assert len(alone) == 1
        assert alone[0].equals(message, ignored_fields=["span", "comment"]), name


def test_no_id_is_given_twice_and_no_message_names_another(tmp_path, monkeypatch):
    assert not [name for name, source in catalogue.sources(catalogue.ENGLISH).items() if re.search(r"\{ *-?[a-z]", source)]
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "one.ftl").write_text("a-b = x\n\nc-d = y\n  z\na-b = w\n")
    monkeypatch.setattr(catalogue, "__file__", str(tmp_path / "catalogue.py"))
    monkeypatch.setattr(catalogue, "folders", lambda _below: ())
    with pytest.raises(ValueError, match="two texts are called 'a-b'"):
        catalogue._own.__wrapped__("en")


def test_texts_of_one_line_are_put_together_as_fluent_puts_them_together():
    simple = {message: names for message, source in catalogue.sources("en").items() if (names := texts._pieces(source)[1::2])}
    assert len(simple) > 1000
    for message, names in simple.items():
        given = {name: f" a{place} }}{{ \u202f\n" for place, name in enumerate(names)}
        bundle = texts._holding(message)
        assert (texts.text(message, **given), []) == bundle.format_pattern(bundle.get_message(message).value, given)


@pytest.mark.parametrize(
    "source",
    [
        "a = { $b ->\n   *[other] c\n}\n",
        'a = { "" }\n',
        "a = { b }\n",
        "a = { NUM($b) }\n",
        "a =\n    b\n",
        "a = b\n    c\n",
        "a = b }\n",
    ],
)
def test_only_fluent_reads_any_other_text(source):
    assert texts._pieces(source) == ()


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
    assert len(called) > 50
    assert not sorted(called - set(catalogue.sources(catalogue.ENGLISH)))


@pytest.mark.parametrize("part", ["remedies", "pipeline", "figures", "promise"])
def test_no_text_is_left_that_nothing_prints(part):
    written = (ROOT / "auditor" / "pages" / "words" / "en" / f"{part}.ftl").read_text(encoding="utf-8")
    names = re.findall(r"^([a-z0-9-]+) =", written, re.MULTILINE)
    quoted, made = _named_in_code()
    assert not [name for name in names if name not in quoted and not any(each.fullmatch(name) for each in made)]


@functools.cache
def _named_in_code():
    """Every name that stands in quotes in code and templates, and patterns of the names that are put together there."""
    code = "".join(source.read_text(encoding="utf-8") for source in (ROOT / "auditor").rglob("*.py"))
    code += "".join(source.read_text(encoding="utf-8") for source in (ROOT / "templates").rglob("*.j2"))
    made = [re.escape(each).replace(r"\{\}", ".*") for each in re.findall(r'(?:text|either)\(\s*f"([^"]+)"', code)]
    return (
        frozenset(re.findall(r"[\"']([a-z0-9-]+)(?=[\"'])", code)),
        [re.compile(re.sub(r"\\\{.*?\\\}", ".*", each)) for each in made],
    )


def test_a_text_that_may_be_missing_has_another_in_its_place():
    assert texts.either("common-yes", "x") == texts.text("common-yes")
    assert texts.either("common-no-such-text", "lira { $x }") == "lira { $x }"


def test_what_does_not_apply_is_known_by_its_reason_and_in_english_says_so():
    said = {
        name.removeprefix("reason-")
        for name, source in catalogue.sources(catalogue.ENGLISH).items()
        if "= Does not apply" in source
    }
    assert said == words.DO_NOT_APPLY
