"""What the tests of whole runs share."""

import tempfile

import pytest

from auditor.sandbox import forked


@pytest.fixture(autouse=True)
def joining(request):
    """Workers join namespaces where they can, whatever an earlier test did; or none does, where the test is marked so."""
    before = dict(forked._Joining.refused)
    if request.node.get_closest_marker("executed"):
        forked.refuse_joining("a test executes every worker")
    yield
    forked._Joining.refused.clear()
    forked._Joining.refused.update(before)


@pytest.fixture
def scratch_parent(tmp_path, monkeypatch):
    """The folder that scratch folders are made in; it must be empty again when the test is over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []
