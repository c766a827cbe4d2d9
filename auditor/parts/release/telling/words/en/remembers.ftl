# Sentences of `release.remembers`.

reason-release-remembers-no-batch = Does not apply: the log deletes nothing.
reason-release-remembers-exact = Does not apply: what the deleted records held is known to make no difference to the release.
reason-release-remembers-untried = Not shown: { $why }.
reason-release-remembers-no-group = no executed request deletes a record
# Above 0.05 is LEVEL of the judge, 0.01 its ACCUSES: a test holds them together.
threshold-release-remembers = { $rule ->
    [share] at most { $value }
   *[ranks] above 0.05
}
fails-release-remembers = { $rule ->
    [share] a second stage fails a release above a half
   *[ranks] a second stage fails a release at 0.01 or less
}
unit-release-remembers = { $rule ->
    [share] share that the release shows of what models that still hold the records show
   *[ranks] p of the release’s largest score among retrained models of the last stage
}
reason-release-remembers-ranked = Its largest score has p = { NUM($p, as: ".3g") } among those of the { $models } retrained models, after its own scores were lowered by { NUM($margin, as: "g") } of how far models that still hold the records lie above retrained ones.
# Follows a share above 1.
remembers-above-one = { " " }(above 1, more than they show on average: unlearning that overshoots can mark records as plainly as remembering them)
remembers-share = Training is deterministic, or nearly so ({ $distinct } of { $models } retrained models differ), and leaves nothing to rank. Of what models that still hold the records show, the release shows at most a share of { NUM($share, as: "up") }{ $above }.
reason-release-remembers-nothing-tells = No score distinguishes models that still hold the records from retrained ones.
reason-release-remembers-second = { $found ->
    [accuses] A second stage ranked it among { $models } further retrained models alone: p = { NUM($p, as: ".3g") }, at most { NUM($level, as: "g") }, which is the level at which it accuses.
    [open] A second stage ranked it among { $models } further retrained models alone: p = { NUM($p, as: ".3g") }, which neither accuses nor clears it. { $share ->
        [none] A release fails at { NUM($level, as: "g") } or less, and passes above 0.05.
       *[other] Of what models that still hold the records show, it shows at most a share of { NUM($share, as: "up") }; a release fails above 0.5 with a p of at most { NUM($level, as: "g") }.
    }
   *[clears] A second stage ranked it among { $models } further retrained models alone, and clears it: { $share ->
        [none] p = { NUM($p, as: ".3g") }, above 0.05.
       *[other] of what models that still hold the records show, it shows at most a share of { NUM($share, as: "up") }.
    } A first stage rejects one honest release in twenty.
}
reason-release-remembers-power = Each of { $of } further models that still hold the records, having unlearned others instead, is detected among retrained ones.
reason-release-remembers-no-power = { $told } of { $of } further models that still hold the records, having unlearned others instead, were detected among retrained ones. Unless all of at least five are, a release that is not detected shows nothing, and one that is detected is not accused.
remembers-half-left = On all deleted records together the release shows { NUM($share, as: ".3g") } of what models that still hold them show{ $above }.
reason-release-remembers-quick = A quick run decides nothing here: it trains few models, and leaves out the second stage, without which no release fails.
reason-release-remembers-few-models = { $models } retrained models are too few to decide; at least { $least } are needed ([release] models).
reason-release-remembers-no-unseen = There are no records that no model has seen, so what is particular to the deleted records cannot be separated from what holds for all: an approximate method does not pass without them.
reason-release-remembers-unseen-drawn = The case has no holdout, so { $records } retained records were left out of every model, including the one in the release's place: this covers the procedure, not the file.
reason-release-remembers-bundled = The { $requests } requests were tested in { $groups } groups.
reason-release-remembers-not-singly = { $count } of { $of } requests could not have been detected one by one.
reason-release-remembers-in-general = By only those scores that compare deleted records with unseen ones, the { $rule ->
    [ranks] p
   *[other] share
} is { $value ->
    [none] none
   *[other] { NUM($value, as: ".3g") }
}: the release differs from retrained models in general, as one that was trained for longer would, and no memory of these records is shown.
remembers-no-second = A first stage accuses nobody: that takes a second one with { $models } further retrained models, in which p is at most { NUM($level, as: "g") }. { $why ->
    [budget] There was no room for it in the time given.
    [time] It would have taken about { $time }, longer than a second stage runs unless the time is given with --budget.
    [too-few] The one that ran had fewer.
   *[none] None was run.
} Until then it stays open.
remembers-source-file = The model file, loaded by itself,
remembers-source-replay = The model at the end of the rerun
remembers-source-procedure = A model that the procedure trained and updated for this test
remembers-attack-loss = the loss
remembers-attack-modified-entropy = modified entropy
remembers-attack-lira-offline = a one-sided likelihood test
remembers-attack-lira-online = a likelihood ratio
remembers-attack-rmia = likelihood ratios against a population
remembers-attack-matched = how sure it is, each record weighted by what holding it changes
remembers-near-records = the deleted records
remembers-near-moved-0-1 = copies moved by a tenth
remembers-near-moved-0-3 = copies moved by three tenths
remembers-part-requests = one request
remembers-part-all = all deleted records together
remembers-part-highest-tenth = the highest tenth of requests
remembers-pool = { $whose } was compared with { $models } models that learned without the deleted records and were released in the same way, by membership inference on { $all ->
    [true] { $deleted }
   *[false] { $asked } of { $deleted }
} deleted records and their moved copies ({ $scores } scores per model).
remembers-most = It shows most by { $attack } on { $near }{ $contrast ->
    [true] , minus that on similar unseen records
   *[false] { "" }
}, for { $part }.
remembers-left-out = The procedure could not predict { $names }, so they were left out.
figure-remembers-title = The release among retrained models, by the largest score of each. { $stages }.
figure-remembers-stage = { $above } of { $models } retrained models show as much
figure-remembers-caption = The release (diamond) among retrained models (rings), by the largest score of each: the further right, the more a model looks as if it held the deleted records. A row a stage, each with a scale of its own.
figure-remembers-row = { $models } retrained models
