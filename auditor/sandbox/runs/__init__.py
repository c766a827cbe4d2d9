"""Finished runs, kept under the audit's folder so that an audit which was interrupted need not start again.

A run is kept under the address of everything that its answers may depend on; what is kept is sealed, and taken only if the
seal holds.
"""

from auditor.sandbox.runs.circumstances import processor
from auditor.sandbox.runs.cleanup import Removed, remove
from auditor.sandbox.runs.run_cache import FOLDER, Runs, keeps
from auditor.sandbox.runs.storage import place_of

__all__ = ["FOLDER", "Removed", "Runs", "keeps", "place_of", "processor", "remove"]
