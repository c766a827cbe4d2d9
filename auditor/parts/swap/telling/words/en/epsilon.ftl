# Sentences of `epsilon.consistency`.

reason-epsilon-consistency-refuted = A lower bound lies above: what was claimed or certified is refuted.
reason-epsilon-consistency-none-above = None lies above.
reason-epsilon-consistency-left-open = Left open: { $against } (ε = { NUM($epsilon, as: ".4g") }). With less confidence than a refutation takes, { $by } shows ε of at least { NUM($suspected, as: ".4g") }. { $enough ->
    [none] No number of { $unit } is known to decide.
   *[other] If more of them come out the same, { NUM($enough) } { $unit } decide.
}
reason-epsilon-consistency-not-compared = Not tested: nothing of this run could be compared with the claim { $claim } (ε = { NUM($epsilon, as: ".4g") }): { $why }.
reason-epsilon-consistency-why-one-run = it is about one person, and a single run removes a whole set at once
reason-epsilon-consistency-why-no-finite-training = no finite ε: the noise is too small for this training
reason-epsilon-consistency-against-one-run-claim = claimed differential privacy, for one record and the model before unlearning
reason-epsilon-consistency-against-one-run-noise = differential privacy of the run's training, for one record and the model before unlearning
reason-epsilon-consistency-method-one-run-dp = guesses at the coins of one model, by their binomial tail
reason-epsilon-consistency-method-one-run-fdp = guesses at the coins of one model, by a trade-off function
reason-epsilon-consistency-why-one-run-delta = its δ of { NUM($delta, as: "g") } is not below the error of { NUM($error, as: "g") } that the test may have
reason-epsilon-consistency-why-not-played = no test of it was played
reason-epsilon-consistency-against-removal-bounds = certified removal, as the residual bounds of the game's own removals have it
reason-epsilon-consistency-against-removal-claim = claimed certified removal
reason-epsilon-consistency-against-training-noise = differential privacy of the game's trainings, for { $people } people at once and the model before unlearning
reason-epsilon-consistency-against-training-claim = claimed differential privacy, for { $people } people at once and the model before unlearning
reason-epsilon-consistency-against-deletion-claim = claimed data deletion
reason-epsilon-consistency-against-tradeoff = noisy gradient descent's Gaussian trade-off, for all { $forgotten } records that the game forgets together
reason-epsilon-consistency-against-chains-claim = claimed data deletion, from the training data
reason-epsilon-consistency-against-chains-certificate = data deletion by noisy gradient descent, as its certificate has it for one deletion from the training data
reason-epsilon-consistency-why-no-epsilon = there is no ε to compare
reason-epsilon-consistency-why-no-finite-removal = no finite ε: the game's removals leave too much against σ
reason-epsilon-consistency-why-renyi-of-one = it is about one person in Rényi divergence, and the game forgets many at once
reason-epsilon-consistency-why-no-tradeoff = its proof takes a convex loss whose gradients are followed as they are
reason-epsilon-consistency-why-condition = { $found }
reason-epsilon-consistency-why-long-rows = rows of the training data are longer than 1, for which the constants of the loss do not hold
reason-epsilon-consistency-why-fewer-rows = the claim is about the log, which leaves { $of_log } records; the requester leaves { $rows }
reason-epsilon-consistency-why-nothing-certified = nothing is certified of these games
reason-epsilon-consistency-why-too-large = not run: too large. { $least } chains of { $learn_steps } and { $unlearn_steps } steps on { $records } records take more operations than are spent on them, and fewer steps or records are another claim
reason-epsilon-consistency-method-single = the best attack on single records
reason-epsilon-consistency-method-single-as-printed = the best attack on single records, by the paper's own ceiling
reason-epsilon-consistency-method-whole-set = the adversary that sees whole sets (likelihood ratios summed over the whole set)
reason-epsilon-consistency-method-joint-guess = a joint guess at the members of one model
reason-epsilon-consistency-method-two-records = chains with either of two records, against any law that never saw them
reason-epsilon-consistency-method-two-sample = chains with a record that left, against chains that never had it
reason-epsilon-consistency-method-reencoding = the requester of Theorem 4.5 played out on chains, against any law that never saw the record
reason-epsilon-consistency-method-membership-tests = two membership tests on chains (Theorem 4.5)
reason-fact-unrefuted-refuted = epsilon.consistency: a lower bound on ε lies above
reason-fact-unrefuted-compared = epsilon.consistency
reason-fact-dp-per-subject-refuted = epsilon.consistency: a lower bound on ε lies above that of the noise
reason-fact-deletion-unrefuted-refuted = epsilon.consistency: a lower bound on the Rényi ε lies above
reason-epsilon-consistency-compared = Lower bounds on ε from this run's attacks against { $statements ->
    [1] one claimed or certified ε
   *[other] { NUM($statements) } claimed or certified values of ε
}; the largest of lower minus upper.
reason-epsilon-consistency-against-requester-claim = claimed data deletion, under requests of somebody who saw { $seen ->
    [0] no released model
    [1] one released model
   *[other] { NUM($seen) } released models
}
reason-epsilon-consistency-against-requester-certificate = data deletion by noisy gradient descent, under requests of somebody who saw { $seen ->
    [0] no released model
    [1] one released model
   *[other] { NUM($seen) } released models
}, as its certificate has it for these games
reason-epsilon-consistency-against-chains-adaptive = data deletion by noisy gradient descent, as its certificate has it for one deletion from the training data after a request of somebody who saw one released model
reason-epsilon-consistency-why-larger-removal = the claim is about the log's removals; the game removes { $forgotten } of { $records } records at once, for which the bounds themselves promise { $epsilon ->
    [none] no finite ε
   *[other] ε = { NUM($epsilon, as: "up") } only
}
reason-epsilon-consistency-why-smaller-training = the claim is about { $records } records; the game trains on { $trained }, for which noise promises { $epsilon ->
    [none] no finite ε
   *[other] ε = { NUM($epsilon, as: "up") } only
}
reason-epsilon-consistency-why-too-many-people = for so many people at once the { $source ->
    [claim] claim
   *[other] noise
} says nothing
reason-epsilon-consistency-why-saw-more = the requester saw { $seen ->
    [0] no released model
    [1] one released model
   *[other] { NUM($seen) } released models
}, and the claim covers { $covered }
reason-epsilon-consistency-method-requester = a requester that saw { $seen ->
    [0] no released model
    [1] one released model
   *[other] { NUM($seen) } released models
}, in { $games } games, against any law that never saw the record
reason-epsilon-consistency-method-requester-advantage = a requester that saw { $seen ->
    [0] no released model
    [1] one released model
   *[other] { NUM($seen) } released models
}, in { $games } games, by Theorem 4.1 of its advantage
epsilon-nothing-stated = There is no ε to hold the attacks' lower bounds against: { $why }.
epsilon-none-claimed = no ε is claimed or certified
epsilon-not-tested = Not tested: { $claim ->
    [none] what is certified
   *[other] the claim { $claim }
} (ε = { NUM($epsilon, as: ".4g") }). This run would have noticed, with { $power } % probability, an ε of { NUM($noticed, as: ".4g") } or more, which is over { NUM($near, as: "g") } times as much. That nothing was refuted says nothing for it.
epsilon-not-tested-at-all = Not tested: { $claim ->
    [none] what is certified
   *[other] the claim { $claim }
} (ε = { NUM($epsilon, as: ".4g") }). Whatever its models had shown, this run would not have noticed it with { $power } % probability.
epsilon-power = Had the true ε been { NUM($noticed, as: ".4g") } or more, { $claim ->
    [none] what is certified
   *[other] the claim { $claim }
} (ε = { NUM($epsilon, as: ".4g") }) would have been refuted or left open with { $power } % probability.
epsilon-correction = Bonferroni over { $families ->
    [1] { "" }
   *[other] { NUM($families) } families of tests, and in this one over{" "}
}{ $tests } tests, each with an error of { NUM($error, as: ".4g") }
epsilon-refuted = Refuted by an adaptive requester: { $fallen }. Its games show ε of at least { NUM($epsilon, as: ".4g") } at order { NUM($order, as: "g") }, with { $confidence } % confidence.
