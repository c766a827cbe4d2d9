# Words that more than one document uses.

common-yes = yes
common-on-trust = on trust
common-signed = signed: key { $key }
common-no = no
common-in-part = in part
common-not-settled = not settled
common-not-known = not known
common-not-given = not given
common-records = { $count ->
    [one] 1 record
   *[other] { $count } records
}
common-requests = { $count ->
    [one] 1 request
   *[other] { $count } requests
}
common-and = { $first } and { $last }
common-or = { $first } or { $last }
common-and-more = { $named } and { $more } more
common-also-more = { $named }; and { $more } more
common-and-further = { $first }; and { $last }
common-no-method = no { $name }()
count-byte = { $count ->
    [1] 1 byte
   *[other] { NUM($count, as: "g") } bytes
}
count-deletion = { $count ->
    [1] 1 deletion
   *[other] { NUM($count, as: "g") } deletions
}
count-draw = { $count ->
    [1] 1 draw
   *[other] { NUM($count, as: "g") } draws
}
count-update = { $count ->
    [1] 1 update
   *[other] { NUM($count, as: "g") } updates
}
count-chain = { $count ->
    [1] 1 chain
   *[other] { NUM($count, as: "g") } chains
}
count-value = { $count ->
    [1] 1 value
   *[other] { NUM($count, as: "g") } values
}
count-pair = { $count ->
    [1] 1 pair
   *[other] { NUM($count, as: "g") } pairs
}
count-published-model = { $count ->
    [1] 1 published model
   *[other] { NUM($count, as: "g") } published models
}
count-person = { $count ->
    [1] 1 person
   *[other] { NUM($count, as: "g") } people
}
count-record = { $count ->
    [1] 1 record
   *[other] { NUM($count, as: "g") } records
}
count-request = { $count ->
    [1] 1 request
   *[other] { NUM($count, as: "g") } requests
}
count-deleted-record = { $count ->
    [1] 1 deleted record
   *[other] { NUM($count, as: "g") } deleted records
}
count-place = { $count ->
    [1] 1 place
   *[other] { NUM($count, as: "g") } places
}
count-entry = { $count ->
    [1] 1 entry
   *[other] { NUM($count, as: "g") } entries
}
common-not-run = not run
common-evidence = evidence
common-evidence-digest = evidence SHA-256
common-not-a-number = not a number
