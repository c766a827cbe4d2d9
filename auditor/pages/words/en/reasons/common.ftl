# Sentences that any check may need.

reason-left-out = Left out by --only.
reason-nothing-learned = Does not apply: this case has no learning procedure.
reason-foreign-part-certificate = The part { $part } handed back a certificate of { $kind }, which is no rule of its own: nothing was decided by it.
reason-failed = { $message }
reason-fact-seed-secret-short = the seed has fewer than { $bits } bits, so it can be found by trying
reason-fact-seed-unguessable-short = fewer than { $bits } bits
reason-fact-seed-unguessable-long = at least { $bits } bits
