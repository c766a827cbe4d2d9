# Sentences of `removal.residual`, `removal.budget` and `removal.output-noise`.

reason-removal-other-procedure = Applies to [procedure] use = "certified-removal" only.
reason-removal-nothing-removed = No executed request names a record of the training data: there is no removal to judge.
reason-removal-no-target = No threshold: neither procedure, claim nor policy names both ε and δ.
reason-removal-no-bound = No bound: { $reason }.
reason-removal-residual-other-shape = The shipped weights have another shape.
reason-removal-budget-no-random-term = Does not apply: the training loss has no random term (sigma = 0); noise is added at release instead.
reason-removal-budget-nothing-allowed = The budget is zero, and something is left to hide.
reason-removal-budget-overrun = The removals went on past the budget without retraining.
reason-removal-budget-criterion = This is the paper's criterion; the guarantee that it feeds rests on an attested assumption.
reason-removal-budget-extractor = Claim and policy cover all that is released: what the private extractor below spends is subtracted from their ε and δ.
reason-removal-budget-hardest-unreached = float64 does not reach this removal
reason-removal-budget-hardest-unbounded = { $reason }
reason-removal-output-noise-no-noise = Does not apply: the procedure adds no noise at release.
reason-removal-output-noise-budget-exceeded = A model was released with a gradient residual above the declared budget: nothing follows from the budget then.
reason-removal-output-noise-no-epsilon = No finite ε: { $reason }.
reason-removal-output-noise-one-release = ε at δ of one release with its noise, against the exactly retrained model with the same noise: from the residual budget, which the procedure enforces with the same b, over λn′ and the standard deviation of the noise.
reason-fact-objective-strongly-convex-built-in = built-in procedure { $use }, λ = { NUM($l2, as: "g") }
reason-fact-perturbation-built-in = built-in procedure { $use }, σ = { NUM($sigma, as: "g") }
reason-fact-retrained-every-batch = built-in procedure { $use }, every batch
reason-fact-retrained-label-kept = a label that only deleted records had still has its place in the model
reason-fact-release-noise-built-in = built-in procedure { $use }, s = { NUM($deviation, as: "g") }
reason-fact-release-noise-seen = built-in procedure { $use }, s = { NUM($deviation, as: "g") }; earlier releases were seen, so that it is fresh to the requests follows from "requests-fixed", which { $by } attests
reason-fact-release-noise-not-attested = built-in procedure { $use }, s = { NUM($deviation, as: "g") }; earlier releases were seen, and nobody attests "requests-fixed"
reason-fact-residual-enforced-measured = built-in procedure { $use }, r = { NUM($budget, as: "g") }; measured { NUM($measured, as: "up") } at most
reason-fact-extractor-private-group = for { $records } records together its δ is 1, which promises nothing
reason-fact-extractor-private-attested = attested by { $by }: ε = { NUM($epsilon, as: "g") }, δ = { NUM($delta, as: "g") } for one record; ε = { NUM($all_epsilon, as: ".4g") }, δ = { NUM($all_delta, as: ".3g") } for the { $records } that are removed
reason-fact-every-extractor-enforced = built-in procedure { $use }, which retrains from scratch where the criterion would not be met
reason-removal-residual-measured = ‖∇L_b‖₂ of the { $shipped ->
    [true] shipped weights
   *[false] weights of the rerun
}{ $noised ->
    [true] , less the noise of the release,
   *[false] { "" }
} on the records that are left, against the bound β that the log's removals add up to.
reason-removal-residual-scaled = { $records ->
    [1] 1 training record was
   *[other] { NUM($records) } training records were
} longer than 1 and scaled to norm 1, each by itself, in learning and predicting alike.
reason-removal-budget-worst = Worst β_t/({ $perturbation ->
    [gaussian] σμ
   *[other] σε
}) over training and { $batches } batches, the optimiser's leftover included; { $retrained ->
    [0] none retrained from scratch
   *[other] { NUM($retrained) } of them retrained from scratch
}.
reason-fact-criterion-met-budget = removal.budget: { $ratio ->
    [none] no threshold
   *[other] worst β/(σμ) = { NUM($ratio, as: ".4g") }
}
reason-fact-noise-criterion-met-spent = removal.output-noise: ε = { $spent ->
    [none] none
   *[other] { NUM($spent, as: ".4g") }
} of { NUM($epsilon, as: "g") }
removal-beyond = No bound could be derived: float64 does not hold what was measured of { $names }.
