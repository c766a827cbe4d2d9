# Sentences of `release.exact`.

reason-release-exact-no-batch = Does not apply: the log deletes nothing.
reason-release-exact-noisy-gd = Does not apply: noisy gradient descent does not retrain, its theorem covers it.
reason-release-exact-hands-on = Does not apply: the procedure is declared not to unlearn.
reason-release-exact-approximate = Does not apply: the declared way of unlearning does not retrain.
reason-release-exact-not-retrained = Does not apply: the last batch was answered by a removal step, not by retraining.
reason-release-exact-untried = Not shown: { $why }.
reason-release-exact-not-all-seen = Not everything could be compared: the procedure's process holds more than could be walked through, or gave no predictions.
reason-release-exact-equal = The release is a function of the retained records, the code and the seed. What the code brings along is the same in both, and nothing here examines that.
reason-release-exact-independent = With other records in the place of the deleted ones, under the same ids, everything is the same: the release does not depend on what the deleted records held. That shows independence, and no retraining.
reason-release-exact-independent-stateful = With other records in the place of the deleted ones, under the same ids, everything is the same, but state.stateless did not show that nothing else is carried on.
reason-release-exact-reaction-untried = Not shown that the learner reacts to what it learns from: training on fewer rows, or on exchanged labels, failed.
reason-release-exact-open-other-items = The model behaves as the clean room's does. What else differs may reveal something of a deleted record.
reason-release-exact-open-not-declared = Nobody claims that the procedure retrains ([claims] retraining), so a difference alone refutes nothing.
reason-release-exact-open-no-controls = Whether the same training gives the same bits twice is not known.
reason-release-exact-open-by-chance = The same training does not give the same bits twice, so equality cannot be expected.
reason-release-exact-carried = The case brings { $files ->
    [one] 1 file of { NUM($bytes, as: "g") } bytes that its code
   *[other] { $files } files of { NUM($bytes, as: "g") } bytes that its code
} can read; the deleted records have { NUM($deleted_bytes, as: "g") } bytes.
reason-release-exact-prepared = As the preparation reports itself, it left { $first_dropped } rows out of the first training and held { $first_held } out; of the last one { $last_dropped } and { $last_held }. { $never_learned ->
    [0] Every deleted record had been in the training before its deletion.
    [one] One deleted record had been left out of the training before its deletion: there was nothing of it to forget.
   *[other] { $never_learned } deleted records had been left out of the training before their deletion: there was nothing of them to forget.
}
reason-fact-retrained-clean-room = release.exact: the model after { $batches } batches equals that of a clean room
reason-fact-retrained-otherwise = release.exact: the model is not what training without the deleted records gives
release-kind-parameters = the parameters
release-kind-predictions = the predictions
release-kind-state = state()
release-kind-saved-file = the saved file
release-kind-object = what the procedure's process holds
release-only-batch = the only batch
release-every-batch = every batch
release-some-batches = { $batches } of { $of } batches
release-compared = After { $which }, the model was compared with one that a fresh process, which held no deleted record and no deleted id, trained on the records that remain. Compared: { $kinds }{ $objects ->
    [none] { "" }
   *[other] {" "}({ NUM($objects) } items)
}.
release-differing = After batch { $batch } these differ: { $names }.{ $largest ->
    [none] { "" }
   *[other] {" "}The largest difference of a number is { NUM($largest, as: ".3g") }.
}
release-let-pass = Let pass as times or counters: { $names }, { $bytes } bytes in all. So many bytes could hold a number taken from a deleted record.
release-no-reaction = With { $other } the learner gave the same model, so equal models say nothing.
release-other-rows = other rows
release-other-labels = exchanged labels
release-and-with = { $first } and with { $last }
release-not-compared = Not shown: no clean room was observed for batch { $batches }.
release-unchanged = Batch { $batches } left the model as it was, bit for bit, and training without the deleted records gives another.
