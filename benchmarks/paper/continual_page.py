"""The page docs/continual-accuracy.md, from the results alone."""

NAME = "continual-accuracy"
