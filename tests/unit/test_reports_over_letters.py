"""A report takes the place of no letter; where it lies there already, nothing is taken apart to see that."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.api.results import letters
from auditor.api.results.letters import refuse_over_letter
from auditor.recheck.pdf import asking
from auditor.recheck.pdf.contents import Contents


def test_only_what_is_there_and_differs_is_taken_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def read(content: bytes, _name: str) -> Contents:
        asked.append(content)
        raise OSError

    monkeypatch.setattr(asking, "read", read)
    path = tmp_path / "again.pdf"
    refuse_over_letter(path, b"%PDF-1")
    path.write_bytes(b"%PDF-1")
    refuse_over_letter(path, b"%PDF-1")
    assert asked == []
    refuse_over_letter(path, b"%PDF-2")
    assert asked == [b"%PDF-1"]


def test_a_word_document_is_not_replaced_by_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "reply.docx"
    path.write_bytes(b"PK reply")
    with pytest.raises(letters.SentError, match="may have been sent"):
        refuse_over_letter(path, b"%PDF-1")
    assert path.read_bytes() == b"PK reply"
