# Sentences of `answers.membership` and `answers.inference`.

reason-answers-alone = Does not apply: there is no procedure to run, and answers alone do not show this.
reason-answers-none = Does not apply: the procedure is run, so that no answers were written down.
reason-answers-own = The answers are those that the controller wrote down. Nothing was rerun, and nobody examined whether they are those of the released model.
reason-answers-confidence = By the probability of its own label, { $deleted } of { $of_deleted } deleted records and { $unseen } of { $of_unseen } unseen ones are taken for trained on: an advantage between { NUM($low, as: ".3f") } and { NUM($high, as: ".3f") }.
reason-answers-difference = By the same less what a retrained model gives, { $deleted } of { $of_deleted } deleted records and { $unseen } of { $of_unseen } unseen ones are taken for trained on: an advantage between { NUM($low, as: ".3f") } and { NUM($high, as: ".3f") }.
reason-answers-as-before = Every answer after the deletions is that of the model before them, to the last bit: nothing was unlearned, or the same table was given twice.
reason-answers-as-retrained = Every answer is that of the retrained model, to the last bit. That is what retraining gives, and also what a copied table gives.
reason-answers-few = Not shown: with { $deleted } deleted records and { $unseen } unseen ones to compare them with, at least { $least } of each are needed.
reason-answers-no-control = Without answers from before the deletions, nothing shows that the comparison with the retrained model would recognise a record that is still held.
reason-answers-blind = { $score ->
    [confidence] The same rule does not surely recognise retained records, which the model holds: that it finds nothing says nothing.
   *[other] The same rule does not surely recognise the deleted records in the model that held them: that it finds nothing says nothing.
}
reason-answers-not-retrained = Whether deleted records are just harder or easier than unseen ones, only answers of a retrained model would tell.
reason-answers-not-certain = The whole interval is beyond what is tolerated, but there are too few deleted or unseen records to fail a model: chance must hardly ever fail an honest one.
reason-answers-wide = The interval is wider than what is tolerated ({ NUM($tolerated, as: "g") }): more deleted records would narrow it.
reason-answers-no-before = Not counted: there are no answers from before the deletions.
reason-answers-couples = In { $right } of { $couples } couples of a deleted and a retained record, the answer about the deleted one fell more; { $ties } are ties.
reason-answers-copied = Of { $deleted } deleted records { $copied } have the very answer of another record, against { $others } of the { $of } other records: answers of others may have been put in their place.
