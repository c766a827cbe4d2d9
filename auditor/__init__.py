"""An unlearning compliance auditor.

Public are the command line, `auditor.api`, and `auditor.base.parts` with what docs/extending.md names for parts of third parties.
Every other module is private: it may move or change with any version, and the evidence that it wrote stays readable.
"""

__version__ = "0.2.0"
