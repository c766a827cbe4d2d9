"""The catalogue of page texts: complete, unambiguous, and never silent about what is missing."""

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


def test_every_file_parses_and_no_id_is_given_twice():
    assert texts.catalogue(texts.ENGLISH).has_message("common-yes")
