"""Parts: one folder for each subject that is audited, with the same few rooms inside.

settings   its tables of audit.toml;  theorems: what follows from its facts
judging    one pure judge a check;  rules: closed forms that `calc` and judges share
observing  what a run sees;  learning: procedures that it brings;  planning: what settings cost before training
telling    words, figures and remedies

`part.py` names what the part brings, for `auditor.base.parts` to find.
"""
