# Sentences that any check may need.

reason-left-out = Left out by --only.
reason-not-yet = Not run yet: this is the first stage of the audit.
reason-nothing-learned = Does not apply: this case has no learning procedure.
reason-foreign-part-certificate = The part { $part } handed back a certificate of { $kind }, which is no rule of its own: nothing was decided by it.
reason-failed = { $message }
reason-fact-seed-secret-short = the seed has fewer than { $bits } bits, so it can be found by trying
reason-fact-seed-unguessable-short = fewer than { $bits } bits
reason-fact-seed-unguessable-long = at least { $bits } bits
reason-holdout-known = { $records } of { $of } records of the holdout equal training records, first in row { $row }. Models have seen those, so they were left out.
reason-holdout-known-few = { $records } of { $of } records of the holdout equal training records, first in row { $row }. Models have seen those, so they were left out, and { $left } are left. Give records that are in no training, or columns in which people differ; without a holdout, retained records are kept from the models instead.
