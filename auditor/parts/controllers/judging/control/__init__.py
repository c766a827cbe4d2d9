"""`control.game` and `confidentiality.game` of a whole controller (Deletion-as-control, Definitions 2.3 and 4.2)."""
