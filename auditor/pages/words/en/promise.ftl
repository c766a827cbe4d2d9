# The promise in plain numbers.

promise-lede = Somebody is shown the model and asked about one person: were their data ever in it? Both answers are equally likely. Blind guessing is right 50 times in 100.
promise-none = No promise in numbers holds for this model. What is known comes from the tests alone.
promise-short = No promise in numbers is met: what was proved does not reach it. The annex of the full report has what was proved, check by check.
promise-given = No promise in numbers was made. What the procedure is given holds something of deleted records, and so may its model.
promise-exact = No promise in numbers was made. The procedure was run again: what the deleted records held made no difference to its model.
promise-refuted = A promise was made, but an attack did better than it allows. It does not hold.
promise-very-hard = It is very hard to tell whether a person’s data were ever in this model: at most { $most } of 100 guesses are right.
promise-limited = The promise is limited: up to { $most } of 100 guesses are right.
promise-no-use = The promise is of no use: up to { $most } of 100 guesses can be right.
promise-standing-shown = Every fact that it rests on was examined.
promise-standing-supported = It holds only if the statements below are true.

promise-side-title = Of 100 guesses about one person, so many are right. Limits are rounded up.
promise-side = Model
promise-side-most = At most
promise-side-attack = By the best attack
promise-side-this = This model
promise-side-this-means = made as declared
promise-side-unchanged = Left unchanged
promise-side-unchanged-means = nothing was unlearned
promise-side-retrained = Retrained
promise-side-retrained-means = from scratch, without the deleted records
promise-found = The best attack: { $value }.
promise-found-between = The best attack: { $value } (between { $low } and { $high }).
promise-found-trial = The best attack in a trial: { $value }.
promise-found-trial-between = The best attack in a trial: { $value } (between { $low } and { $high }).
promise-found-within = By chance it may be right that often where the limit holds.
promise-found-chance = Chance gave the best attack { $value }.
promise-found-chance-between = Chance gave the best attack { $value } (between { $low } and { $high }).
promise-found-none = No attack gave a number of guesses.
promise-most = Upper limit: { $most }.
promise-most-none = No upper limit is shown.
promise-most-unchanged = No upper limit.
promise-most-retrained = Upper limit: 50, as it never saw the data.

promise-side-blind = The trial could not tell a model that was left unchanged from a retrained one.

promise-list-title = Promises that hold
promise-list-name = Promise
promise-list-most = At most, of 100
promise-list-standing = Rests on
promise-list-shown = facts that were examined
promise-list-supported = unchecked statements too
promise-covers = Not covered: { $what }
promise-covers-certified-removal = anyone who also has the model from before the deletion.
promise-covers-data-deletion = stored data, and models that were published before the deletion.
promise-covers-deletion-as-control = what other people’s data say about the person.
promise-covers-deletion-as-confidentiality = what was given out before the deletion, and people who come back.

promise-statements-title = What nobody checked
promise-statements-lede = { $count ->
    [one] { $passed ->
        [true] The result rests on this statement.
       *[other] A pass would rest on this statement. What failed or is open does not.
    } The audit took it on trust.
   *[other] { $passed ->
        [true] The result rests on these { $count } statements.
       *[other] A pass would rest on these { $count } statements. What failed or is open does not.
    } The audit took them on trust.
}
promise-statements-unsaid = { $count ->
    [one] Nobody makes one of them: it is listed first.
   *[other] Nobody makes { $count } of them: they are listed first.
}
promise-statements-unsaid-all = { $count ->
    [one] Nobody makes it.
   *[other] Nobody makes any of them.
}
promise-statements-letters = Letters to people list { $count }: all that somebody states, whether this result needs it or not, and nothing that depends on other people.
promise-statements-graded = What nobody says keeps the grade at C or below.
promise-statement-unsaid = Not stated by anyone: { $means }
promise-statements-none = The result rests on no statement that was left unchecked.
promise-statements-not-passed = The audit did not end in a pass, so nothing rests on unchecked statements.
promise-statement = Statement
promise-statement-who = Who could confirm it
promise-statement-otherwise = If it is false
promise-statement-otherwise-other = The promise does not hold.

promise-who-log-complete = The people who take in requests, from mail and tickets
promise-who-requests-fixed = The people who take in requests
promise-who-own-request-fixed = The people who take in requests
promise-who-seen-releases = The team that publishes models, by its list of users
promise-who-preprocessing-clean = The data team, by the dates of each preparation step
promise-who-seed-secret = The people who ran the training, by how the seed was drawn and kept
promise-who-residual-independent = Nobody by a test; noise at release does without it
promise-who-settings-fixed = The people who chose the settings, by dated records
promise-who-release-reproduced = An audit that is given the model file with all its steps
promise-who-code-clean = A reviewer who reads the code and all that it loads
promise-who-answers-genuine = Somebody who queries the released model again, about the same records
promise-who-embedding-genuine = Someone who embeds the erased people’s records with the model in use
promise-who-procedure-honest = A reviewer who reads the code that runs in production
promise-who-copies-are-others = Someone who knows the people behind these records
promise-who-store-holds-no-copies = The team that runs the data store
promise-who-nothing-held = Somebody who looks for a few of these people in every system
promise-who-refusals-grounded = Somebody who reads the refused and withdrawn requests themselves
promise-who-extractor-private = The maker of the extractor, by its privacy accounting
promise-who-every-extractor = Nobody by a test; a fixed extractor does without it
promise-who-subjects-complete = The team that knows which records are whose
promise-who-loss-convex = A reviewer with mathematics who reads the loss
promise-who-loss-constants = A reviewer with mathematics who reads the loss
promise-who-strongly-history-independent = The people who designed the data structures, with a proof
promise-who-controller-is-implementation = An auditor of the whole system, not the model alone
promise-who-logical-deletion = The controller, by what it promises to people
promise-who-answers-from-own-data = A reviewer who reads how the program makes its answers
promise-who-dictionary-before = The team that runs the data store
promise-who-nothing-before-training = The team that publishes models and reports
promise-who-training-data-destroyed = The team that runs storage and backups, by a record of destruction
promise-who-ids-in-dictionary = The team that runs the data store
promise-who-one-release-channel = The team that runs the system’s interfaces
promise-who-first-part-strongly-history-independent = The people who designed the data structures, with a proof
promise-who-first-part-answers-without-chance = A reviewer who reads how the program makes its answers
promise-who-second-part-strongly-history-independent = The people who designed the data structures, with a proof
promise-who-parts-share-nothing = A reviewer who reads both programs, and the team that deploys them
promise-who-parts-answer-the-asker = A reviewer who reads how the programs send anything
promise-who-lineage-complete = The teams that train, tune and distil models, by their registries
promise-who-no-model-trained = The team that owns the data
promise-who-people-declared = The team that keeps the data, by how people are told apart
promise-who-derivations-declared = The team that prepares the data, by how rows were made
promise-who-backups-clean = The team that runs the backups, by their dates
promise-who-other = The controller, with the papers on how the model was made

# Attacks.

attacks-lede = An attack tries to find out whether a person’s records were ever in the model: this is membership inference. The further right it reaches, the more it found; 50 is blind guessing.
attacks-none = No attack was made on this model. Why: { $why }
attacks-release-only = One attack was made, on the model itself: it asks whether the model can be told apart from models trained without the deleted records. It gives no number of guesses. Its result: { $outcome }. The trial of further attacks was not played. Why: { $why }
attacks-none-given = No attack was made. What the procedure is given holds something of deleted records.
attacks-none-other = No attack was made. The rerun forgets, and the model about to be released is another one.
attacks-none-exact = No attack was needed: what the deleted records held made no difference to the model of the rerun. There is nothing to find.
attacks-none-exact-alone = On the model alone no attack was needed: what the deleted records held made no difference to the model of the rerun. Someone who also has the earlier model may learn more.
attacks-none-exact-but-code = No attack was needed: what the deleted records held made no difference to the model of the rerun. There is nothing to find, unless the code itself brings it along.
attacks-figure-title = Right guesses out of 100 by each attack, where guessing is right 50 times.
attacks-figure-axis = right guesses out of 100
attacks-figure-caption = Each attack with its confidence interval.
attacks-figure-caption-threshold = Shaded: more than the policy allows.
attacks-figure-caption-noticed = The tick marks what the audit could have noticed: an attack that is right this often would have shown up in 80 of 100 audits.
attacks-figure-caption-beyond = The axis ends at { $end }. An arrow goes on beyond it; the numbers on the right say how far.
attacks-figure-caption-unnoticed = Where the tick is an arrow, the audit would have noticed only an attack that is right more than { $end } times.
attacks-figure-between = { $value } ({ $low }–{ $high })
attacks-figure-left-out = The figure shows the { $drawn } of { $count } attacks that found most.
attacks-key-found = found, with interval
attacks-key-unchanged = nothing unlearned
attacks-key-noticed = could have noticed from here
attacks-key-threshold = not allowed
attacks-group-trial = In a trial: models by the same procedure on part of the data, records drawn at random
attacks-group-release = On one model, among retrained ones
attacks-group-answers = In answers that the controller wrote down
attacks-group-games = Who was deleted? Guessed by someone who sees the model before and after
attacks-group-remedies = The same, if less were shown
attacks-group-rebuilding = What was deleted? A guess that is nearer to it than to one other record is right
attacks-group-comparing = By someone who sees the model before and after a deletion
attacks-outcome-pass = not distinguishable from models without the records
attacks-outcome-fail = distinguishable from models without the records
attacks-outcome-weak = open, too weak to tell
attacks-outcome-inconclusive = open, it could not be settled
attacks-outcome-error = stopped with an error
attacks-outcome-none = no result

attacks-name-answers = By answers written down: how sure is it?
attacks-name-correctness = Is the prediction right?
attacks-name-confidence = How sure is the model?
attacks-name-entropy = How undecided is the model?
attacks-name-modified-entropy = How undecided, and is it right?
attacks-name-loss = How large is the error?
attacks-name-lira-offline = Likelihood, models without the record
attacks-name-lira-online = Likelihood, models with and without it
attacks-name-rmia = Compared with many other records
attacks-name-shadow-classifier = A second model trained to tell
attacks-name-whole-set = Naming the whole deleted set
attacks-name-joint-guess = The surest guesses about one model
attacks-name-release-remembers = What it says about the deleted records
attacks-name-difference = Naming the record that went
attacks-name-game-two = Two records, one of them deleted
attacks-name-game-example = Two records, their labels known
attacks-name-game-instance = Two records, no labels known
attacks-name-game-one = One record: deleted or not?
attacks-name-game-hidden = Deleted, or never in the data?
attacks-name-game-chosen = Two records that the attacker chose
attacks-name-game-own-before = With other deletions asked for first
attacks-name-game-own-after = With other deletions asked for afterwards
attacks-name-game-log = The real models of this log
attacks-name-remedy-labels = Answers without scores
attacks-name-remedy-rounded = Answers rounded to two digits
attacks-name-remedy-several-2 = 2 records deleted at a time
attacks-name-remedy-several-5 = 5 records deleted at a time
attacks-name-remedy-several-10 = 10 records deleted at a time
attacks-name-remedy-several-20 = 20 records deleted at a time
attacks-name-remedy-waiting = At the next retraining, with new data
attacks-name-remedy-private = Private training of a linear model
attacks-name-rebuild-label = Rebuilding the label
attacks-name-rebuild-instance = Rebuilding the record
attacks-name-rebuild-sentence = Rebuilding the sentence
attacks-name-requester = Asking for deletions in a planned way

games-beside = Of the attacks on one model the figure shows the { $drawn } of { $count } that found most; the annex of the full report has all.
games-lede = Someone compares the model before a deletion with the one after it. They know two records and have to say which was deleted. Each bar shows the attack that found most.
games-on-log = In this log: { $first } of { $count } deleted records stood out most among up to { $decoys } records of their class that stayed. Blind guessing would find { $guessed } of them.
games-remedies-enough = Enough for the limit of { $most }, on these data and against these attacks: { $remedies }.
games-remedies-none = None of the remedies shown would keep every attack within { $most } for certain.
games-rebuilding-enough = { $kind ->
    [label] Enough to keep the label of a deleted record from being guessed
    [sentence] Enough to keep a deleted sentence from being rebuilt
   *[instance] Enough to keep a deleted record from being rebuilt
} in more than { $most } of 100 games, on these data and against these attacks: { $remedies }.
games-rebuilding-none = { $kind ->
    [label] The label of a deleted record can be guessed
    [sentence] A deleted sentence can be rebuilt
   *[instance] A deleted record can be rebuilt
} all the same: no remedy that was measured keeps it within { $most } of 100 games for certain.
games-private = Private training was tried with a built-in linear model at ε = { $epsilon }. It classifies { $accuracy } of 100 unseen records correctly, and the audited procedure { $own }.

attacks-matrix-title = Which kinds of attack were made
attacks-matrix-lede = Rows are the kinds that the European Data Protection Board names in Opinion 28/2024. Columns say what the attacker has.
attacks-kind-with-means = { $name } ({ $means })
attacks-alike = { $said }, whatever the access
attacks-matrix-kind = Kind of attack
attacks-access-labels = Labels
attacks-access-scores = Scores
attacks-access-weights = Weights
attacks-access-before-after = Before and after
attacks-state-run = run
attacks-state-not-applicable = does not apply
attacks-state-no-data = no data given
attacks-state-not-here = not in this version
attacks-state-not-made = not made
attacks-kind-attribute = Attribute inference
attacks-kind-attribute-means = guess one fact about a person from the rest
attacks-kind-membership = Membership inference
attacks-kind-membership-means = tell whether a person’s data were used
attacks-kind-exfiltration = Exfiltration
attacks-kind-exfiltration-means = carry records out through the model
attacks-kind-regurgitation = Regurgitation
attacks-kind-regurgitation-means = make the model repeat its training text
attacks-kind-inversion = Inversion
attacks-kind-inversion-means = work back from answers to a typical record
attacks-kind-reconstruction = Reconstruction
attacks-kind-reconstruction-means = rebuild a single record

# The figure of promises: trade-off functions.

figure-curves-across = named wrongly, of 100 that were never used
figure-curves-up = missed, of 100 that were used
figure-curves-guessing = Blind guessing: 50 of 100
figure-curves-right = At most { $most } of 100 guesses right
figure-curves-stated = ε = { $epsilon }, δ = { $delta } by themselves: { $most }
figure-curves-attacks = { $count ->
    [one] The attack of this audit
   *[other] The { $count } strongest attacks of this audit
}
figure-curves-best = The best on a single record was right { $value } times of 100.
figure-curves-caption = Anyone who tells from what is released whether records were used makes two errors: naming records that never were (type I, across) and missing records that were (type II, upwards). Nobody gets below a heavy curve, the trade-off function of a promise that holds. The nearer it lies to the dotted line, the less anyone can tell.
figure-curves-caption-stated = The thin line is what ε and δ say by themselves.
figure-curves-caption-attacks = Attacks are drawn where both of their errors are equal.
figure-curves-title = { $count ->
    [one] The trade-off curve of the promise that holds.
   *[other] The trade-off curves of { $count } promises that hold.
}
figure-curves-said = { $title }: at most { $most } of 100 guesses are right.
figure-curves-row = { $title }: where { $alarms } of 100 records are named wrongly, at least { $missed } of 100 that were used are missed.
figure-curves-left-out = The figure draws { $drawn } of { $count } promises, those that leave the fewest right guesses.

promise-curve-missed = Missed, at { $alarms } named wrongly
promise-curve-read = The last columns are points of the trade-off function: where someone names at most so many of 100 records wrongly that were never used, they miss at least so many of 100 that were.
promise-letters = In letters: at most { $most } of 100 for { $records ->
    [one] one record
   *[other] { $records } records together
}, by the declared limit.
promise-letters-same = Letters to people give the same number.
promise-letters-together = For { $records } together: { $most }.
promise-curve = The trade-off curve of the promise:
promise-curve-left-out = The annex of the full report draws the trade-off curve of the promise.
