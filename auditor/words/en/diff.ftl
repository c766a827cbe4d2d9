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
