"""What the tests of whole runs share."""

import tempfile

import pytest


@pytest.fixture
def scratch_parent(tmp_path, monkeypatch):
    """The folder that scratch folders are made in; it must be empty again when the test is over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []
