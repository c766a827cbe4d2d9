# A guarantee as a tree of premises: theorems and facts in few words, and what it means for a person.

tree-heading = How control is derived
tree-title = { $title }: { $standing }
tree-numbers = { $title }: { $standing }, ε = { $epsilon } and δ = { $delta }
tree-guarantee = { $title }: { $standing }
tree-rule = by { $rule }{ $through ->
    [none] { "" }
   *[other] , through { $through }
}
tree-by = { $how }, { $by }
tree-by-construction = by construction
tree-weakest = weakest
tree-described = { $title }. { $rule }. { $premises }.
tree-premise = { $said }: { $known }
tree-caption = { $others ->
    [0] Nothing else leads here.
    [one] What comes nearest; one other theorem leads here.
   *[other] What comes nearest; { $others } other theorems lead here.
} A guarantee is as firm as its weakest premise.
tree-caption-held = { $others ->
    [0] Nothing else leads here.
    [one] What it follows from; one other theorem could lead here.
   *[other] What it follows from; { $others } other theorems could lead here.
} A guarantee is as firm as its weakest premise.
tree-steps = For a firmer guarantee.
tree-steps-more = { $count ->
    [one] One further premise is missing.
   *[other] { $count } further premises are missing.
}
tree-confirm = Have somebody outside confirm what no run shows: { $named }.
tree-rule-control-from-model = Section 3.4, which places a model's guarantee and leads to no control by itself
tree-rule-control-from-strong-history-independence = Theorem 3.7
tree-rule-control-from-adaptive-history-independence = Theorem 3.8
tree-rule-control-from-noisy-history-independence = Theorem 3.8, with fresh randomness
tree-rule-control-from-touchstone = Corollary 3.10
tree-rule-control-from-private-training = Proposition 5.1, Corollary 5.2
tree-rule-control-from-private-batch = Proposition 5.1
tree-rule-control-from-pan-privacy = Theorem 5.9
tree-rule-control-from-parallel-composition = Theorem 6.4, Corollary 6.5
tree-rule-control-from-declared-parts = Theorem 6.4
tree-rule-control-when-told = Theorem 4.3
tree-rule-confidentiality-from-counter = Lemma 5.10
tree-rule-confidentiality-from-private-batch = Proposition 5.1, for silent subjects
tree-rule-confidentiality-from-private-storage = the proof of Theorem 4.4
tree-rule-confidentiality-from-pan-privacy = Lemma 5.10
tree-rule-unlearning-from-fresh-history-independence = Proposition 3.12

tree-fact-strongly-history-independent = strongly history independent from every start
tree-fact-adaptively-history-independent = adaptively history independent
tree-fact-history-hidden-by-noise = adaptively history independent by noise
tree-fact-history-independent-when-fresh = history independent under fresh randomness
tree-fact-controller-is-implementation = nothing is kept outside the implementation
tree-fact-logical-deletion = a deletion takes back all of a person's operations
tree-fact-answers-from-own-data = each person is answered from their own data alone
tree-fact-touchstone-storage = a private cloud storage or public bulletin board
tree-fact-dp-per-subject = training is private for all data of one person
tree-fact-release-reproduced = the released model is the one that was trained
tree-fact-dictionary-before = before training, data in a store without traces
tree-fact-nothing-before-training = nothing is returned before training
tree-fact-training-data-destroyed = training data are destroyed
tree-fact-batch-private = the one outcome is differentially private
tree-fact-answers-outcome-alone = everybody is answered with the one outcome alone
tree-fact-pan-private = reports and state are pan-private
tree-fact-ids-in-dictionary = ids in a store without traces, each counted once
tree-fact-one-release-channel = one release channel, which no person triggers
tree-fact-seed-secret = the seed was drawn at random and is secret
tree-fact-part-has-control = the noisy part gives control (Theorem 5.9)
tree-fact-other-part-has-control = the other part gives (0, 0)-control (Theorem 3.7)
tree-fact-deterministic-transcript = answers of the other part do not depend on chance
tree-fact-disjoint-parts = the parts share neither randomness nor state
tree-fact-query-response = each part answers only the one who asks
tree-fact-first-part-has-control = the first part gives (0, 0)-control (Theorem 3.7)
tree-fact-second-part-has-control = the second part gives control by itself
tree-fact-first-part-answers-without-chance = answers of the first part do not depend on chance
tree-fact-parts-share-nothing = the parts share neither randomness nor state
tree-fact-parts-answer-the-asker = each part answers only the one who asks
tree-fact-model-guarantee = the model alone has a guarantee
tree-fact-store-erased = deleted records are gone from the data store
tree-fact-whole-state = it covers the whole state, not the model alone
tree-fact-adaptive = it covers requests chosen after seeing outputs
tree-fact-two-sided = it bounds probabilities in both directions
tree-fact-control-unrefuted = no game contradicts control
tree-fact-confidentiality-unrefuted = no game contradicts confidentiality
tree-fact-unlearning-syntax = the state is data, models and what updates need

person-heading = What this means for a person who asked for deletion.
person-within = up to a factor e^ε with ε = { $epsilon }, and δ = { $delta }
person-within-exactly = exactly
person-within-open = up to an ε and a δ that are not known here
person-control = Control: after the deletion, what the controller keeps and does from then on could have come about without this person, { $within }.
person-control-before = Control does not take back what others learned while the data were there: it allows that the person's data reached other people before the deletion.
person-control-open = No control was derived: what the controller keeps may depend on this person.
person-neither = Neither control nor confidentiality was derived: what is kept, and what others saw, may depend on this person.
person-control-refuted = Control was refuted: a game of this audit found what the controller keeps to show that this person had been there.
person-weakest = { $count ->
    [one] This is as firm as its weakest premise, which no run shows: { $named }.
   *[other] This is as firm as the weakest of its premises; { $count } of them no run shows.
}
person-groups-same = It holds in the same way for any number of people who are deleted together.
person-groups-noise = Each person has this guarantee; of more people together it says less: of { $people } people it says ε = { $epsilon } and δ = { $delta }, with at most { $most } of 100 guesses right.
person-groups-none = Each person has this guarantee; of several people together it says nothing.
person-confidential = Confidentiality: what others saw, before the deletion and after it, could have come about without this person, { $within }. This covers people whose data nobody answers to, and nobody who comes back.
person-confidential-open = No confidentiality was derived: what others saw before the deletion may depend on this person.
person-confidential-refuted = Confidentiality was refuted: a game of this audit found what others saw to depend on this person.
person-models-and-control = What holds about released models ({ $named }) is not control by itself; control covers all else that is kept as well, and follows here from premises of its own.
person-models = What holds is about what released models show ({ $named }). It is not control, which also covers all else that is kept and whatever the controller does later.
