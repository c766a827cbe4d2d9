# Sentences of `deletion.renyi` and `deletion.adaptive`.

reason-deletion-own-code = Does not apply: the procedure is the controller's own code, and no data deletion is claimed of it.
reason-deletion-other-procedure = Does not apply: [procedure] use = "{ $use }" is not noisy gradient descent, nor is data deletion claimed of it.
reason-deletion-nothing-deleted = No executed request names a record of the training data: there is no deletion to judge.
reason-deletion-no-threshold = No threshold: neither claim nor policy names an ε for it.
reason-deletion-renyi-false-premise = A premise is false, so no theorem covers what ran. { $why }. How to fix it: { $fix }.
reason-deletion-renyi-steps = { $steps } steps follow a deletion; { $rows } records were there before one at the fewest.
reason-deletion-renyi-foreign-network = The network is the controller's own: steps and noise were made in one process with its code, so that they are as declared is the controller's word.
reason-deletion-renyi-above = That is above the threshold: it takes more unlearning steps, more noise or more records.
reason-deletion-renyi-measured = In { $runs } runs of the log with other records in the place of the deleted ones every model after a deletion was the same, bit for bit.
reason-deletion-renyi-measured-zero = So ε_dd = 0 as measured in these runs, which proves nothing about others. What the procedure's code and settings bring along is the same in every run, whatever it was made from: that it holds nothing of the deleted records is the controller's word.
reason-deletion-runs-no-parameters = the procedure offers no parameters(), so that its models cannot be compared
reason-deletion-runs-failed = with other records in their place the procedure failed: { $message }
reason-deletion-runs-by-chance = two runs with the very same records differ, so that nobody can say what other records would change
reason-premise-release-independent-none = the procedure is declared to hand the old model on, whatever was deleted, even if these runs do not show it
reason-premise-release-independent-fix = use = "noisy-gd", which a theorem covers, or retrain from scratch without the records, with randomness that follows the seed
reason-premise-release-independent-comparable-fix = a procedure whose runs can be compared bit for bit
reason-fact-code-clean-built-in = built-in procedure { $use }: the code is the auditor's
reason-premise-requests-fixed = no request depends on a released model
reason-premise-own-request-fixed = a person's own request was fixed in advance
reason-deletion-adaptive-no-epsilon = No ε: deletion.renyi gives none.
reason-deletion-adaptive-unbounded = No ε: nothing bounds what each model that was seen reveals about a record.
reason-deletion-adaptive-at-zero = ε at order { NUM($order, as: "g") } at p = 0: nobody is said to have seen a model before a request, so it is that of deletion.renyi.
reason-deletion-adaptive-together = This is about one record, as claim and policy are. Guarantee and letter cover { $records } records, the most of one person or request: together ε = { NUM($epsilon, as: ".4g") }, { $records }² times as much.
reason-deletion-adaptive-not-covered = The claim is for { $claimed } models, and the log names { $log }: the claim does not cover it.
reason-deletion-adaptive-refuted = { $said }
reason-deletion-adaptive-open = What deletion.renyi leaves open is open here too.
reason-deletion-adaptive-see-renyi = It adds what requesters saw to the ε of deletion.renyi, and that check gives none that holds.
reason-deletion-adaptive-measured-at-zero = ε = 0 at p = 0, as deletion.renyi measured it: nobody is said to have seen a model before a request.
reason-fact-deletion-found = { $check }: { $found }
reason-deletion-renyi-epsilon = ε of one deleted record at order { NUM($order, as: "g") } by { $source ->
    [gaussian] the Gaussian trade-off
    [batches] the Gaussian trade-off of mini-batches
   *[other] Theorem { $source }
}, against a run without it from the start.
reason-premise-release-independent-differs = { $by_file ->
    [true] the file of save() alone differs
   *[false] a model differs
} after batch { $batch }: no theorem is known for this procedure, and its released models depend on the deleted records
reason-deletion-adaptive-seen = ε at order { NUM($order, as: "g") } where all requesters together had seen { $models ->
    [1] one model
   *[other] { NUM($models) } models
} from before a deletion (Theorem 4.3).
reason-deletion-adaptive-left-out = Rows without seen_releases count for every model published before their request{ $name_them ->
    [true] ; name in the log what requesters had seen
   *[false] { "" }
}.
reason-deletion-adaptive-measured-unbounded = No ε: { $models ->
    [1] one model
   *[other] { NUM($models) } models
} from before a deletion had been seen, and no theorem bounds what they say of a record.
reason-deletion-adaptive-measured-seen = ε = 0 with { $models ->
    [1] one model
   *[other] { NUM($models) } models
} from before a deletion seen: these were the same as well, whatever stood in the records' place.
deletion-replacement-other-records = other training records
deletion-replacement-another-label = the same features with another label
deletion-replacement-beyond-the-range = records beyond the range of the data with other ids
deletion-seen-log = { $models } models, those that the rows of the log name added up
deletion-seen-claim = { $models } models, as the claim says; the log names { $log }
deletion-seen-all-published-before = { $models } models: rows that name none count for all models published before their request
deletion-no-epsilon = No ε: { $why }.
deletion-no-epsilon-fix = No ε: { $why }. How to fix it: { $fix }.
deletion-not-known = Not known: { $premises }.
deletion-attested = Attested, not shown: { $names }.
deletion-false-measured = A premise is false: { $premises }.
deletion-not-shown = Not shown: { $found }.
deletion-same = { $runs } runs of the log with others in their place: { $replacements }
deletion-adaptive-false-premise = A premise is false, so no theorem covers what ran: { $names } (see deletion.renyi).
deletion-adaptive-not-attested = Not attested: { $names }.
deletion-bound = { $check }: { $epsilon ->
    [none] no ε
   *[other] ε = { NUM($epsilon, as: ".4g") }
}{ $threshold ->
    [none] { "" }
   *[other] {" "}of { NUM($threshold, as: "g") }
}
deletion-measured = { $check }: { $epsilon ->
    [none] no ε
   *[other] ε = 0
}
