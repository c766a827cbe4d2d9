# Sentences of `state.history_independent`.

reason-state-history_independent-same = Histories that mean the same left the same state, byte for byte.{ $ignores ->
    [true] { "" }
   *[false] {" "}Under other seeds the states differ; that is no fault.
}
reason-state-history_independent-different = { $cases ->
    [1] One pair of histories that mean
   *[other] { NUM($cases) } pairs of histories that mean
} the same left different states: the state shows { $deletes ->
    [true] what was deleted before
   *[false] the order in which things were asked
}. The shortest takes { $operations ->
    [1] one operation
   *[other] { NUM($operations) } operations
}.
reason-state-history_independent-answered = { $cases ->
    [1] One pair of histories that mean
   *[other] { NUM($cases) } pairs of histories that mean
} the same can be told apart, the shortest by what is answered afterwards and not by what state() returns: the program answers by { $deletes ->
    [true] what was deleted before
   *[false] the order in which things were asked
}. The shortest takes { $operations ->
    [1] one operation
   *[other] { NUM($operations) } operations
}.
reason-state-history_independent-identical-only = { $cases ->
    [1] One pair
   *[other] { NUM($cases) } pairs
} of histories left different states under the same seed. That is as expected of this controller: a fresh seed hides every difference. Nobody measured that: it follows from how this built-in program is made. Adaptive history independence asks for one of the two, so this is no finding.
reason-state-history_independent-identical-within = { $cases ->
    [1] One pair
   *[other] { NUM($cases) } pairs
} of histories left different states under the same seed. That is as expected of this controller, whose noise then falls on other steps: a fresh seed hides such differences up to its ε and δ, so this is no finding.
reason-state-history_independent-within = Histories that mean the same may leave states that differ by ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") }: that is what the noise is made for. Under fresh seeds the games show { $lower ->
    [0] no difference
   *[other] an ε of at least { NUM($lower, as: ".4g") } at that δ
}.
reason-state-history_independent-beyond-policy = The noise is made for ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") }, and the policy allows less.
history-fresh = With a fresh seed each time, { $event } still tells the two histories apart: in { $left } of { $runs } runs of one, and { $right } of { $runs } of the other. So ε is at least { $epsilon }.
reason-state-history_independent-no-controller = Does not apply: no whole controller is declared, and no history independence is claimed.
reason-state-history_independent-not-shown = Not shown: { $why }.
reason-state-history_independent-played = { NUM($histories, as: "g") } histories were played, { NUM($operations, as: "g") } operations in all, by 400 people at most; what the program does with more is not shown.
reason-state-history_independent-fresh-open = With a fresh seed each time no difference was found. That decides nothing: encrypted data kept together with their key would look random too.
reason-state-history_independent-few = Too few histories were played to decide anything.
reason-state-history_independent-contradicts = What was found and what is shown of it contradict each other, so nothing is decided.
reason-state-history_independent-chance = The controller is not deterministic: the same history under the same seed gave another state or another output, so states were compared by how often they occur.
reason-state-history_independent-chance-open = No difference was found that way, but a small one could be missed.
reason-state-history_independent-doubted = With fresh seeds the histories differ more than chance explains in 998 of 1,000 honest audits: too much for a pass, and not enough to fail.
reason-state-history_independent-quick = A quick run finds differences and decides nothing where it finds none.
reason-state-history_independent-not-searched = Histories were not searched for: hypothesis is not installed (pip install 'auditor[controllers]').
reason-fact-history-told-apart = Histories that mean the same left states that can be told apart.
history-tried = The learner reached the same { NUM($records) } records in { NUM($ways) } ways, under one seed: in another order, and by deleting { NUM($deleted) } further ones. Compared with learning from these records alone: { $compared }.
history-differing = { $cases ->
    [1] One way leads
   *[other] { NUM($cases) } ways lead
} elsewhere: { $ways }{ $more ->
    [0] { "" }
   *[other] ; and { NUM($more) } more
}.
history-way = { $way } ({ $kinds })
history-way-another-order = the records in another order
history-way-one-by-one = deletions one by one
history-way-backwards = the same deletions in reverse
history-way-at-once = the same deletions in one batch
history-way-first = the deleted records first in the table
history-kind-parameters = parameters
history-kind-predictions = predictions
history-kind-state = state()
history-kind-saved-file = saved file
history-kind-object = objects in memory
history-kind-scalar = single numbers in memory
history-kind-files = files that it left
reason-state-history_independent-pipeline-same = All of it is the same, byte for byte, and so are the files that the learner left.
reason-state-history_independent-pipeline-chance = Learning again from the same records under the same seed gave another model, so that nothing can be told of the order of past operations.
reason-state-history_independent-pipeline-unseen = The models show neither parameters nor a saved file, or not every way was tried: nothing is decided.
reason-state-history_independent-pipeline-not-seen = no learner was run
reason-state-history_independent-side-by-side = Two programs were run side by side in { NUM($histories) } histories, and each by itself under its own part of the seed: { $apart ->
    [0] together they answered and kept what each does by itself
    [1] in one history they answered or kept something else together
   *[other] in { NUM($apart) } histories they answered or kept something else together
}. Under { NUM($tapes) } other seeds the first part answered { $chance ->
    [0] the same
    [1] something else in one history
   *[other] something else in { NUM($chance) } histories
}. { $files ->
    [0] They left no file in the folder that both work in
    [1] They left one file in the folder that both work in
   *[other] They left { NUM($files) } files in the folder that both work in
}.
