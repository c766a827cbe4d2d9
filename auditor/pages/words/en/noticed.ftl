# What an audit saw apart from what decides its verdict.

noticed-title = Also noticed
noticed-none = Nothing else stood out.
noticed-met = Within what one would expect.
noticed-whole-set = An attacker who knows the whole deleted set picked it out of two in { $value } % of the tries (between { $low } and { $high }). Guessing gives 50 %.
noticed-difference = An attacker who has the model before and after picked the deleted record in { $value } % of the tries (between { $low } and { $high }). Guessing gives 50 %.
noticed-accuracy = The model is right on { $unlearned } of 100 test records. A model retrained from scratch is right on { $retrained }.
noticed-accuracy-open = The model may have lost more than { $allowed } points of accuracy: there are too few test records to tell.
noticed-slower = Unlearning took longer than retraining from scratch.
noticed-state = The procedure carries more than the model from one update to the next: { $cases } cases showed it.
noticed-claim-not-tested = No attack in this audit could test the claimed number. That none refuted it does not support it.
noticed-attack-blind = The attack on the model itself was too weak to tell: it recognised { $told } of { $tried } models that still held the deleted data.
noticed-private-training = The private training itself allows up to { $most } right guesses out of 100 about one person: no useful promise.
noticed-does-not-unlearn = The declared procedure does not unlearn: a deletion leaves the model as it was.
noticed-left-alone = In the SWAP test every unlearned model behaved exactly like one that was left alone.
noticed-batches-left-alone = These batches left the model as it was, although retraining changes it: { $batches }.
noticed-shows-as-much = The model shows { $share } % of what is shown by models that still hold the deleted data (100 % is what such a model shows on average). Too few models were compared to be sure.
noticed-failed = Failed, without deciding: { $check }.
noticed-strangers = Rows of the data store of people who are not in the training data: { $rows }. Nobody examined what they hold.
noticed-changed = Rows of the data store of people who stay, with other values than in training: { $rows }. Nobody examined what they hold.
noticed-open = Left open, without deciding: { $check }.
noticed-games = Someone who sees the model before and after a deletion, and knows two records and their labels, names the deleted one in { $value } of 100 games (between { $low } and { $high }).
noticed-games-unlabelled = Someone who sees the model before and after a deletion, and knows two records but no labels, names the deleted one in { $value } of 100 games (between { $low } and { $high }).
noticed-games-varied = { $variant ->
    [one] Someone who is shown a single record says correctly in { $value } of 100 games whether it was deleted.
    [hidden] Where one of two records was never in the data, someone names the deleted one in { $value } of 100 games.
   *[chosen] Someone who may choose the two records names the deleted one in { $value } of 100 games.
} That is more than the policy allows in the game that decides.
noticed-rebuilt = Someone who sees the model before and after a deletion can work out { $what ->
    [label] the label of the deleted record
    [sentence] the deleted sentence
   *[instance] the deleted record
}: in { $value } of 100 games the guess is nearer to it than to any of { $decoys } others. Guessing gives { $chance }.
noticed-confirmed-late = { $count ->
    [one] Receipt of one request was
   *[other] Receipt of { $count } requests was
} confirmed late (11 CCR 7021(a): 10 business days).
noticed-confirmed-unknown = The log does not say when receipt of { $count ->
    [one] one request
   *[other] { $count } requests
} was confirmed (11 CCR 7021(a)).
noticed-receipts = { $count ->
    [one] For one request a processor’s receipt contradicts the log: by the log, the processor was told later, or not at all.
   *[other] For { $count } requests a processor’s receipt contradicts the log: by the log, the processor was told later, or not at all.
}
noticed-outside-short = { $place }: the declared day, { $day }, is too early for { $count ->
    [one] one request
   *[other] { $count } requests
}, by how long the place keeps its copies.
