# What a notebook shows of an audit.

notebook-checks = Checks that decide
notebook-figures = { $count ->
    [one] 1 figure
   *[other] { $count } figures
}
notebook-missing = The policy requires it, and the evidence has no result.
