# What each fact says, by its name, and why it is unknown where there is more to say than that nobody examined it.

reason-fact-not-examined = not examined
reason-fact-foreign-part = found by the part { $part } alone, which is not the auditor’s: { $found }
reason-fact-missing-whole-state = only the model's parameters enter the certificate; indexes, caches, logs and backups do not
reason-fact-missing-adaptive = certified removal covers requests fixed in advance and one release
reason-fact-missing-two-sided = not derived for the controller as a whole
reason-fact-missing-store-erased = no data store was searched
reason-fact-missing-model-guarantee = no guarantee for the model alone was derived
reason-fact-model-guarantee-derived = guarantee { $guarantee }, { $standing }
reason-fact-missing-adaptive-requests = { $seen ->
    [0] data deletion was derived for requests fixed in advance
    [none] data deletion was derived for requests fixed in advance
   *[other] data deletion was derived for requesters who saw { NUM($seen) } models at most, and no others
}
fact-objective-strongly-convex = The loss is the declared convex one with λ > 0 and no unregularised intercept.
fact-perturbation-gaussian = A linear term bᵀw with b ~ N(0, σ²I), another for each classifier, was in the training objective.
fact-perturbation-laplace = A linear term bᵀw, the density of b proportional to e^(−‖b‖/σ), another for each classifier, was in the training objective.
fact-criterion-met = The bound β on the gradient residual, leftover included, stays within the removal budget σμ.
fact-release-noise = Every released parameter carries Gaussian noise of the declared deviation s, drawn for that release.
fact-residual-enforced = No model with a gradient residual above the budget r is released: it is retrained from scratch with the same b.
fact-noise-criterion-met = The shift r/(λn′s) between the release and the exact retraining stays within what (ε, δ) allows.
fact-seed-unguessable = The seed that noise and perturbation come from cannot be found by trying.
fact-settings-fixed = The residual budget r, the noise s and the regularisation λ were fixed without looking at the training data.
fact-retrained = Each batch was answered by retraining from scratch, with fresh randomness, on the records that remain.
fact-release-reproduced = The model about to be released is the one that the procedure gives.
fact-log-consistent = The deletion log is free of contradictions and every record it names was located.
fact-log-complete = The deletion log lists every erasure that the model must honour.
fact-residual-independent = The residual u and the decision whether to retrain are independent of b.
fact-seed-secret = The seed was drawn at random and cannot be guessed; neither it nor any noise drawn from it is known outside the controller.
fact-requests-fixed = The erasure requests do not depend on any released model.
fact-preprocessing-clean = No scaling, vocabulary or other preprocessing was fitted on the deleted records.
fact-extractor-private = The features come from an extractor whose training on these records is differentially private when records are added or removed, and from no other step that was fitted on the deleted records.
fact-every-extractor = The removal would keep its criterion above any extractor that the private training may give.
fact-unrefuted = No attack of this run gives a lower bound on ε above what is claimed or certified.
fact-model-guarantee = The model alone meets a guarantee of certified removal or data deletion.
fact-whole-state = The guarantee covers the controller's whole state, not the model alone.
fact-adaptive = It holds for requests that are chosen after seeing earlier outputs.
fact-two-sided = It bounds the probabilities in both directions.
fact-store-erased = Deleted records are gone from the data store.
fact-strongly-history-independent = The implementation is strongly history independent for every start state.
fact-adaptively-history-independent = The controller, with nothing kept outside it, is an (ε, δ)-adaptively history independent implementation.
fact-history-hidden-by-noise = The program is (ε, δ)-adaptively history independent under fresh randomness, by noise.
fact-controller-is-implementation = The controller is that implementation: no state lives outside it (Def. 3.6).
fact-logical-deletion = Deleting means logically: as if that channel had never spoken.
fact-answers-from-own-data = Under one random tape, what a channel is answered depends on what that channel said, and on nothing else.
fact-dp-per-subject = Training is (ε, δ)-differentially private for all data of one subject, under addition and removal.
fact-dictionary-before = Before training the data lie in a history independent dictionary.
fact-nothing-before-training = Nothing is returned before the single training.
fact-training-data-destroyed = The data set and everything derived from it but the output are destroyed.
fact-batch-private = The one outcome is (ε, δ)-differentially private for all that one person said.
fact-answers-outcome-alone = From the one outcome on, everybody is answered with it alone.
fact-pan-private = The mechanism is (ε, δ)-adaptively event-level pan-private under continual release.
fact-ids-in-dictionary = Subjects' ids lie in a history independent dictionary and only the first operation of an id counts.
fact-one-release-channel = Randomness is separate; subjects cannot trigger the one release channel and get no replies.
fact-loss-convex = The loss of every record is convex in the parameters, and the steps follow its gradient.
fact-loss-bounded = The loss of every record is bounded by the declared cap, and the steps follow its gradient.
fact-loss-constants = Every record's loss is Lipschitz and smooth with the constants that the certificate uses.
fact-rows-bounded = Every row that is learned from has a norm of at most 1, for which the constants of the loss hold.
fact-step-size = The step size is the one that the theorem asks for.
fact-full-batch-descent = Every step uses all records and adds noise, and the last iterate is the model.
fact-mini-batch-descent = Every record stays in the batch of its own id, whole epochs visit the batches in one order, every step adds noise, and the last iterate is the model.
fact-start-gaussian = Learning starts from the Gaussian that the theorem asks for, which does not depend on the data.
fact-steps-counted = Learning and every update took the declared number of steps.
fact-noise-measured = The noise of the steps has the declared variance.
fact-labels-fixed = No label of the model was that of deleted records alone.
fact-stateless = Nothing but the model is carried from one update to the next.
fact-deletion-bound-met = The ε that is left of each deleted record stays within what claim and policy allow, with requests as they were made.
fact-noise-secret = Start and noise are known to nobody outside the controller, and their seed cannot be guessed.
fact-own-request-fixed = A deleted person's own request does not depend on any released model.
fact-seen-releases = Requesters had seen no more released models than the log and the claim say.
fact-code-clean = Nothing that the procedure's code and settings bring along was made from a deleted record.
fact-subjects-complete = No person has more records in the training data than the log names for one subject.
fact-release-independent = With other records in the place of the deleted ones every later model is the same, bit for bit.
fact-deletion-unrefuted = No attack of this run gives a lower bound on the Rényi ε above what is claimed or certified.
fact-control-unrefuted = No game tells the state after a deletion from one that came about without the person.
fact-confidentiality-unrefuted = No game tells answers to others and state from those without the person.
fact-part-has-control = One of two parts side by side, the noisy count, gives (ε, δ)-deletion-as-control (Theorem 5.9).
fact-other-part-has-control = The other part gives (0, 0)-deletion-as-control: it is a strongly history independent dictionary (Theorem 3.7).
fact-deterministic-transcript = What the other part answers does not depend on its random tape.
fact-disjoint-parts = The two parts share neither random tape nor state, and both get every operation.
fact-query-response = Each part answers nobody but the one who asked.
fact-first-part-has-control = The first of two programs side by side gives (0, 0)-deletion-as-control: it is strongly history independent (Theorem 3.7).
fact-second-part-has-control = The second of two programs side by side gives (ε, δ)-deletion-as-control by itself.
fact-first-part-answers-without-chance = What the first of two programs side by side answers does not depend on its random tape (Def. 6.1).
fact-parts-share-nothing = Two programs side by side share neither random tape nor state (Def. 6.3).
fact-parts-answer-the-asker = Each of two programs side by side answers nobody but the one who asked (Def. 6.2).
fact-touchstone-storage = The controller is a private cloud storage or a public bulletin board: people upload and fetch, or post and read, and a deletion takes back all of a person's operations.
fact-history-independent-when-fresh = The learner is (ε, δ)-adaptively history independent under fresh randomness: seeds of the models compared are drawn independently.
fact-unlearning-syntax = The learner's state is the data set, the models, what updates need and the last predictor, and nothing else.
fact-confidential = The controller gives this person (ε, δ)-deletion-as-confidentiality.
fact-silent-subject = The person sends nothing to others.
fact-deletes-when-told = The person deletes only when told to.
reason-fact-history-ours = { $use } of the auditor's own, by construction: its state is its contents, written in one way
reason-fact-history-noisy = { $use } of the auditor's own, by construction: every operation ends with noisy steps on the data that are there
reason-fact-unlearning-ours = { $use } of the auditor's own, by construction: every model is trained again on the records that are left
reason-fact-unlearning-not-ours = only of procedures of the auditor's own that train again
reason-fact-continual-ours = { $use } of the auditor's own, by construction
reason-fact-continual-broken = privacy.continual: the plays contradict it
reason-fact-pair-ours = two programs of the auditor's own, which the auditor runs side by side
reason-fact-pair-few = state.history_independent: too little was played of the two programs
reason-fact-pair-open = state.history_independent: of this part by itself, states differ that should be the same, and another seed may explain it
reason-fact-pair-not-exact = { $use } of the auditor's own is not strongly history independent by construction
reason-fact-pair-not-repeated = state.history_independent: a part by itself does not come to the same twice under one seed
reason-fact-pair-told-apart = state.history_independent: { $cases ->
    [1] one pair
   *[other] { NUM($cases) } pairs
} of histories that mean the same left this part by itself in different states
reason-fact-pair-by-chance = state.history_independent: in { $histories ->
    [1] one history
   *[other] { NUM($histories) } histories
} the first part answered something else under another of { NUM($tapes) } seeds
reason-fact-pair-files = state.history_independent: { $files ->
    [1] one file was
   *[other] { NUM($files) } files were
} left in the folder that both parts work in
reason-fact-pair-apart = state.history_independent: in { $histories ->
    [1] one history
   *[other] { NUM($histories) } histories
} the two together answered or kept something else than each by itself
