"""The evidence of every released version is kept here and verified for ever.

`pytest tests/golden --update-golden` audits the samples and writes the folder of the version that is being made; folders of
released versions are never touched again. `--golden-of NAME`, once for each, does so for these samples alone.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="audit the samples and write this version's golden evidence")
    parser.addoption("--golden-of", action="append", default=[], metavar="NAME", help="with --update-golden: this sample alone")
