# Words that more than one document uses.

common-yes = yes
common-on-trust = on trust
common-signed = signed: key { $key }
common-no = no
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
