"""Writes what a script does between reading its table and `fit` as a case has it: inputs, prepare.py, the function that builds.

Each statement there is carried over or listed, and where one that is not changes what is learned, nothing is written: the case
would be about another procedure than the one in use.
"""

from auditor.case.scaffold.prepared.models import label_of, last_step, model_name, models, returned
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.prepared.writer import Account, Writer

__all__ = ["PREPARED", "Account", "Writer", "label_of", "last_step", "model_name", "models", "returned"]
