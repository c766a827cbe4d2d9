# Sentences of `training.privacy`.

reason-training-privacy-none-declared = Does not apply: no private training is declared ([procedure] dp of use = “torch”, or use = “ftrl”).
reason-training-privacy-other-count = The rerun reported { $told } trainings, expected { $expected }.
reason-training-privacy-called-private = The rerun calls its model private after batch { $batch }, and { $unlearn } reads records without noise.
reason-training-privacy-no-epsilon = There is no such ε: { $reason }.
reason-training-privacy-no-threshold = No threshold: neither claim nor policy names an ε for it.
reason-training-privacy-foreign = The network is the controller's own: gradients were clipped and noise was added in one process with its code, so that they were is the controller's word.
reason-training-privacy-copies = { $records ->
    [1] 1 deleted record has a near copy
   *[other] { NUM($records) } deleted records have a near copy
} under another id. If both are one person's, the training learned that person more often than this ε is stated for. If they are other people's, add copies-are-others to [claims] attested.
reason-training-privacy-equal-rows = { NUM($records) } training records equal another under another id. If both are one person's, the training learned that person more often than this ε is stated for. Say whose each record is ([data] person), or, if they are other people's, add copies-are-others to [claims] attested.
reason-training-privacy-not-private-any-more = The model after { $unlearn } is no longer that of a private training: nothing is known of its ε.
reason-fact-dp-per-subject-short-seed = training.privacy: the noise's seed has fewer than { $bits } bits, so it can be found by trying
reason-fact-dp-per-subject-label-lost = training.privacy: the model has a place for a label that only deleted records had, which no noise hides
reason-fact-dp-per-subject-no-subjects = training.privacy: the log does not name the `subject` of every request, so which records belong to one person is unknown; the promise covers the records of one request
reason-fact-dp-per-subject-copies = data.erased: { $records ->
    [1] 1 deleted record has a near copy
   *[other] { NUM($records) } deleted records have a near copy
} under another id, so a person may have more records than the log names; if the copies are other people's, add "copies-are-others" to [claims] attested
reason-fact-dp-per-subject-equal-rows = training.privacy: { NUM($records) } training records equal another under another id, so a person may be learned more often than the log says; if they are other people's, add "copies-are-others" to [claims] attested
reason-fact-dp-per-subject-attested = training.privacy: ε = { NUM($epsilon, as: ".4g") }, δ = { NUM($delta, as: ".3g") } for a person; attested by { $by }: the noise's seed is secret, and nobody has more than { $records ->
    [1] one record
   *[other] at most { NUM($records) } records
}, the most that log or table shows for one person
private-training-bound = Upper bound on ε at δ, one record being added or removed: DP-SGD as declared and as the rerun reports it ({ $runs }).
reason-training-privacy-bound-of-sums = Upper bound on ε at δ, one record being added or removed: DP-FTRL as declared and as the rerun reports it. Every record is learned once in { NUM($steps) } steps, and each sum has noise of { NUM($noise, as: ".4g") } times the clipping norm, { $factorisation ->
    [tree] in nodes of a binary tree
   *[other] by the square root of the matrix of prefix sums
}. It covers every release and one view of what is kept.
private-training-run = { $records } records, { $steps } steps at a rate of { NUM($sample_rate, as: ".4g") }
private-training-otherwise = After batch { $batch } the rerun reports { $name } = { $told }; settings and data make it { $expected }.
private-training-otherwise-learning = After learning the rerun reports { $name } = { $told }; settings and data make it { $expected }.
