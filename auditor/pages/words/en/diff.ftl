# Two audits compared.

diff-worse = Worse because { $reasons }.
diff-reason = { $name }: { $why }
diff-more = { $reasons }; and { $count } more
diff-not-worse = Nothing got worse.
diff-spent = Spent: { $reasons }.
diff-counts = Of { $all } results { $better } got better and { $same } stayed the same.
diff-requests = { $count ->
    [one] The status of one request changed.
   *[other] The status of { $count } requests changed.
}
diff-rows = { $count ->
    [one] The log says something else of one request.
   *[other] The log says something else of { $count } requests.
}
diff-row = { $request }: { $said }.
diff-row-gone = not in the log any more, and not examined again
diff-row-listed = in the log
diff-row-moved = { $column } moved from { $old } to { $new }
diff-row-columns = { $names } { $how ->
    [added] added
    [removed] removed
   *[changed] changed
}
diff-row-late = it was { $was ->
    [late] late
    [in-doubt] perhaps late
   *[not-late] not late
} and now is { $now ->
    [late] late
    [in-doubt] only perhaps late
   *[not-late] not
}
diff-note-marks = Ids of records, search terms, batches, notes and the hours of receipt in the log were not compared: one of the audits did not mark them, or did with another user's key.
diff-other-case = two different cases, { $old } and { $new }: what differs between them says nothing about either. --force compares them all the same
diff-recorded = { $status ->
    [executed] recorded as executed
    [open] open
    [denied] denied
    [revoked] revoked
    [not-located] not located
    [no-match] no match
   *[other] { $status }
}
diff-data = { $found ->
    [found] data found again
    [not-found] data not found
    [open] data: open
   *[not-examined] data not examined
}
diff-model = { $standing ->
    [shown] model: shown
    [supported] model: supported
    [not-shown] model: not shown
    [refuted] model: refuted
   *[not-examined] model not examined
}
diff-late = late
diff-note-cases = Different cases: “{ $old }” and “{ $new }”.
diff-note-inputs = The inputs of the case differ: { $names }.
diff-note-new = { $count ->
    [one] One request is new
   *[other] { NUM($count) } requests are new
}: { $names }.
diff-note-release = Release: { $old } → { $new }.
diff-note-versions = Different versions of the auditor: { $old } → { $new }.
diff-note-quick = Smaller samples (--quick) in the { $which ->
    [old] old
   *[new] new
} audit only.
diff-note-stage = { $which ->
    [old] The old audit is a first stage: what it had not run yet is no better or worse than before.
    [new] The new audit is a first stage: what it had not run yet may still come out as before.
   *[both] Both audits are first stages, after which more was still to run.
}
diff-note-isolation = Isolation of the procedure: { $old } → { $new }.
diff-note-order = The audit given as old finished after the one given as new.
diff-no-longer-required = no longer required
diff-newly-required = newly required
diff-not-run-any-more = not run any more
diff-required-not-run-any-more = required before, and not run any more
diff-required-does-not-pass = required, not run before, and does not pass
diff-required-passes = required, not run before, and passes
diff-not-run-before = not run before
diff-order-moved = order { $old } → { $new }
diff-own-threshold-moved = its own threshold moved: { $old } → { $new }
diff-target-moved = target moved: { $old } → { $new }
diff-against-looser = { $old } → { $new }, against a looser threshold
diff-value-other-order = value { $old } → { $new }, at another order
diff-no-value-any-more = no value any more
diff-has-value-now = has a value now
diff-value-moved = value { $old } → { $new }
diff-depends-on-metric = { $said }: which way is better depends on the metric
diff-intervals-overlap = { $said }: the intervals overlap
diff-not-run = not run
diff-by-default = by the default policy { $verdicts }
diff-strength = strength { $grade }
diff-unsaid = now rests on { $name }, which nobody says
diff-unsaid-no-longer = no longer rests on { $name } without anybody saying it
diff-rests-on = now rests on { $name }
diff-rests-on-no-longer = no longer rests on { $name }
diff-listed-now = { $standing }, not listed before
diff-not-listed = not listed
diff-listed-before = { $standing } before, not listed any more
diff-orders-differ = { $old } → { $new }: an ε at one order cannot be compared with one at another
diff-one-month = one calendar month
diff-days = { $days } days
diff-deadline-either = deadline: { $said }, the longer of the two in some months
diff-deadline = deadline { $tighter ->
    [true] tighter
   *[false] looser
}: { $said }
diff-verdict = { $verdict } (exit code { $exit_code })
diff-order = order { $order }
diff-none = none
diff-threshold = threshold
diff-tighter = { $name } tighter: { $old } → { $new }
diff-looser = { $name } looser: { $old } → { $new }
