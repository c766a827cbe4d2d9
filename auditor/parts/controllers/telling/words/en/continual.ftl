# Sentences of `privacy.continual`.

reason-privacy-continual-no-controller = Does not apply: the case declares no whole controller.
reason-privacy-continual-no-counter = Does not apply: the controller reports nothing with noise.
reason-privacy-continual-foreign = Not shown: the state of the controller's own code says nothing of which of its numbers are noise. A counter or model of the auditor's own can be examined.
reason-privacy-continual-not-shown = Not shown: { $why }.
reason-privacy-continual-no-noise = No finite noise gives the declared ε and δ.
reason-privacy-continual-bound = { $rule ->
    [tree-counter] By a binary tree
   *[other] By the square root of the matrix of prefix sums
} over { NUM($horizon) } reports, each sum needs noise of standard deviation { NUM($sigma, as: ".4g") } in the state, and as much again at release.
reason-privacy-continual-batch = { $use } reports once, by a mechanism that gives ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") } for all that one person said.
reason-privacy-continual-played = Noise was measured under { NUM($tapes, as: "g") } random tapes, { NUM($draws, as: "g") } values in all. That noise in use is drawn from a secret source is not tested.
reason-privacy-continual-doubted = Games or noise are further from what was promised than chance explains in 1,999 of 2,000 honest audits: too far for a pass, and not far enough to fail.
reason-privacy-continual-quick = The run was quick: it played too few tapes for a pass.
reason-privacy-continual-state-noise = The noise in the state is smaller than that.
reason-privacy-continual-release-noise = The noise at release is smaller than that.
reason-privacy-continual-one-draw = The noise in the state and the noise at release are not separate draws: one view of the state removes what hides a report.
reason-privacy-continual-short-seed = Noise repeats under other random tapes: it comes from a short seed.
reason-privacy-continual-sensitivity = One person moves the sums further than the rule allows.
reason-privacy-continual-data-dependent = Reports are not noise plus the sum of what people add.
reason-privacy-continual-counted-again = A second operation of one person is counted again.
reason-privacy-continual-between-reports = Something is answered between reports.
reason-privacy-continual-told-apart = Answers and one view of the state tell whether a person was there more often than the noise may allow.
reason-privacy-continual-games = { NUM($games, as: "g") } rounds of the pan-privacy game were counted, with one look at the state: { $epsilon ->
    [0] none tells for certain whether a person was there
   *[other] ε is at least { NUM($epsilon, as: ".4g") } at δ = { NUM($delta, as: ".4g") }
}.
