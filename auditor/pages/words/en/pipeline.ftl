# What pipelines and terminals read: JUnit, SARIF, Markdown, the terminal.

pipeline-title = Unlearning audit: { $policy }
pipeline-policy = { $verdict ->
    [pass] policy met
    [fail] policy not met
   *[inconclusive] open
}
pipeline-places-alone = none: places only, of which nothing is promised
pipeline-no-strength = none: only a pass has a strength
pipeline-measured = Value { $value }, threshold { $threshold }.
pipeline-missing = The policy requires this check, and the evidence has no result for it.
pipeline-not-deciding = Does not decide the verdict. { $said }
pipeline-found = Found: { $found }
pipeline-do = Do: { $action }
pipeline-command = Command: { $command }
pipeline-owner = Who: { $owner }. When: { $when }
pipeline-requests = { $count ->
    [one] One request is concerned: { $names }.
   *[other] { $count } requests are concerned: { $names }.
}
pipeline-proof = Done when the next audit says: { $proofs }.
pipeline-box-policy = Policy
pipeline-box-conclusion = Conclusion
pipeline-conclusion = { $heading }. { $basis } { $terms }
pipeline-box-examined = Examined
pipeline-not-yet = not yet
pipeline-box-strength = Strength
pipeline-box-default = Under the default policy
pipeline-noticed = Also noticed
pipeline-noticed-in = Findings that do not decide: { $names }.
pipeline-unread = Taken on trust ({ $word }), as nothing accounts for all of it: { $places }.
pipeline-more = Reasons, values and every step in full: { $command }
pipeline-more-steps = { $count ->
    [one] … and 1 more step
   *[other] … and { $count } more steps
}
pipeline-games = Someone who sees the model before and after a deletion and knows two records{ $knows ->
    [example] {" "}with their labels
   *[instance] {" "}without their labels
} names the deleted one in { $right } of 100 games; guessing does in 50.
pipeline-rebuilt = Someone who sees the model before and after a deletion { $kind ->
    [label] finds out the label of the deleted record
    [sentence] rebuilds the deleted sentence
   *[instance] rebuilds the deleted record
} in { $right } of 100 games; guessing does in { $chance }.
pipeline-no-check = No check decides this verdict.
pipeline-files = Next to this summary: { $files }
pipeline-evidence = Evidence SHA-256 `{ $digest }` · exit code { $code } · technical evidence, not a finding of anonymity, not legal advice.
pipeline-not-run = { $count ->
    [one] One check was not run, for the reason below.
   *[other] { $count } checks were not run, for the reasons below.
}
pipeline-not-in-view = { $count ->
    [one] One other check did not run, or passed and decides nothing: --all shows it.
   *[other] { $count } other checks did not run, or passed and decide nothing: --all shows them.
}
pipeline-others = Checks that decide nothing
pipeline-column-other = check
pipeline-strength = strength { $strength }
pipeline-renyi-order = Rényi, order { $order }
pipeline-missing-status = missing
pipeline-column-check = check
pipeline-column-deciding = check that decides
pipeline-column-status = status
pipeline-column-decides = decides
pipeline-column-value = value
pipeline-column-threshold = threshold
pipeline-column-basis = basis
pipeline-column-guarantee = guarantee
pipeline-column-standing = standing
