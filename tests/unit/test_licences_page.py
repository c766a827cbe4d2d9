"""The page of licences: about the lock, whatever is installed."""

from __future__ import annotations

from email.message import Message
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from tests import licences_page


def test_the_page_is_about_every_package_of_the_lock_in_its_version() -> None:
    listed = {(row.package, row.version): row.needed_by for row in licences_page.listed()}
    assert listed == licences_page.locked(), "run: make licences"


def test_every_package_has_a_licence() -> None:
    rows = licences_page.listed()
    assert len(rows) > 100
    assert [row.package for row in rows if not row.licence or row.licence == "UNKNOWN"] == []


def test_a_package_that_is_not_installed_in_its_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences_page, "locked", lambda: {("numpy", "0.0.1"): "always"})
    with pytest.raises(SystemExit, match=r"numpy 0\.0\.1"):
        licences_page.page([])


class Told(Distribution):
    """A package with this metadata."""

    def __init__(self, **fields: str | list[str]) -> None:
        self.message = Message()
        for name, value in fields.items():
            for each in [value] if isinstance(value, str) else value:
                self.message[name.replace("_", "-")] = each

    @property
    def metadata(self) -> Message:
        return self.message

    def read_text(self, filename: str) -> None:
        return None

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


BSD = "License :: OSI Approved :: BSD License"


@pytest.mark.parametrize(
    ("told", "licence"),
    [
        ({"License_Expression": "MIT", "Classifier": BSD}, "MIT"),
        ({"Classifier": BSD, "License": "BSD-3-Clause"}, "BSD-3-Clause"),
        ({"Classifier": BSD, "License": "Copyright\nAll rights"}, "BSD"),
        ({"Classifier": [BSD, "License :: OSI Approved :: MIT License"], "License": "see files"}, "BSD or MIT"),
        ({"License": "UNKNOWN"}, "in its files alone"),
    ],
)
def test_a_licence_is_an_expression_or_a_classifier_or_a_line(told: dict[str, str | list[str]], licence: str) -> None:
    assert licences_page.licence(Told(**told)) == licence
