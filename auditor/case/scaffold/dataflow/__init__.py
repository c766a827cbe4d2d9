"""Follows a script's table from the call that reads it to `fit`, over the syntax tree; nothing of the script is run.

Every expression gets a `Value`: what it is (a table, a column, a constant), which statements it was made by, which columns
of the file it says something of, and why it could not be carried over, if so. What is not known to work on each row by itself
carries a `Fault`, which counts only where it reaches what `fit` gets.

Each class adds one kind of syntax to the one below it: `State`, `Functions`, `Choosing`, `Columns`, `Tables`, `Calls`,
`Expressions`, and at the top `Flow` for statements.
"""

from auditor.case.scaffold.dataflow.statements import Flow
from auditor.case.scaffold.dataflow.values import UNREAD, Col, Fit, Found, Info, Place, Read, Split, Value, place

__all__ = ["UNREAD", "Col", "Fit", "Flow", "Found", "Info", "Place", "Read", "Split", "Value", "place"]
