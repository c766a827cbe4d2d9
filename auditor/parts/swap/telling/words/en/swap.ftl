# Sentences of `swap.quality`, `swap.strong` and `swap.controls`.

reason-swap-regression = The SWAP test is for classifiers, and this case has no classes.
reason-swap-release-exact = Does not apply: the release is exact (release.exact), so no game is needed to tell how it was made.
reason-swap-quick = A quick run draws too few pairs to decide anything: run without --quick.
reason-swap-unplayable-few-to-forget = with { $records } records and alpha = { NUM($alpha, as: "g") } a split has { $forgotten } records to forget; at least { $least } are needed
reason-swap-unplayable-no-split = in { $draws } draws no split was found whose training sets hold every class (and whose weights are not all 0): a class, or the weight, has too few records
reason-swap-unplayable-few-canaries = with { $records } records and alpha = { NUM($alpha, as: "g") } a single run has { $canaries } canaries; at least { $least } are needed
reason-swap-unplayable-one-run = it takes swap pairs, and the case asks for a single run (mode = "one-run")
reason-swap-one-run-before = Before it unlearned, { $right } of { $guesses } were right{ $blind ->
    [true] , not surely more than guessing: that nothing is found after it says nothing
   *[false] {""}
}.
reason-swap-one-run-never-passes = One run can refute and never passes, for it does not show how often unlearning fails: mode = "pairs" does.
reason-swap-not-shown = Not shown: { $why }.
reason-swap-not-played = Not played: { $why }.
reason-swap-no-bounds = No attack gave a lower bound on ε: { $why }.
reason-swap-quality-all-blind = Every attack accepts nearly all records of each class after unlearning, or nearly none: such attacks would find nothing whatever the models remember.
reason-swap-quality-not-certain = The whole interval is below the threshold, but { $pairs } pairs are too few to fail a procedure: whatever the pairs of an honest one are like, chance must hardly ever do so. { $needed ->
    [none] However many such pairs there were, they would not suffice.
   *[other] About { $needed } such pairs would suffice.
}
reason-swap-quality-too-few-pairs = { $pairs } pairs are too few for a pass: only from { $least } on could their signs show that both sets look trained on.
reason-swap-quality-few-pairs = { $pairs } pairs are too few for a pass of the controller's own code: at least { $least } are needed.
reason-swap-strong-few-models = For the controller's own code { $models } models of { $pairs } pairs are too few: at least { $least } models of at least { $least_pairs } pairs are needed.
reason-swap-strong-too-wide = For the controller's own code the upper confidence limit ({ NUM($high, as: ".3f") }) must be at most { NUM($most, as: "g") }, and the lower limit of the no-unlearning baseline ({ NUM($low, as: ".3f") }) above it.
reason-swap-quality-blind = That is not wholly below the threshold: on this model the test cannot tell good from bad.
reason-swap-quality-both-sides = The procedure's own interval lies on both sides of the threshold.
reason-swap-quality-independent = This compares with retraining, which data deletion does not ask for: every released model was the same here, whatever was in the place of the deleted records (deletion.renyi), so that what an attack takes them for was not learned from them then. What the procedure's code and settings bring along is the same in every run: these runs say nothing about that.
reason-swap-quality-correction = Bonferroni over { $attacks } attacks
reason-swap-quality-no-confusion = no two classes have enough records
reason-swap-strong-named = An adversary that sees both sets named the forgotten one for { $right } of { $models } models. The exact interval covers the splits that were drawn.
reason-swap-strong-informative = Informative: the policy does not require it.
reason-swap-strong-doubted = That is further from half than guessing gets in 99 of 100 audits: too far for a pass, and not far enough to fail. { $needed ->
    [none] However many models there were, they would not suffice to fail at this rate.
   *[other] At this rate { $needed } models would suffice to fail.
}
reason-swap-strong-blind = So few models would not even show for certain that nothing was unlearned: the test cannot tell good from bad.
reason-swap-controls-not-deterministic = The learner is not deterministic given its seed, so this control cannot validate the test.
reason-swap-controls-retrained = Each of { $pairs } pairs was retrained on the retain set twice with equal seeds. The outputs were { $identical ->
    [true] equal bit for bit
   *[false] not equal
}.
swap-one-run-guessed = One model learned about half of { $canaries } canaries, by fair coins, and unlearned them. Then { $right } of { $guesses } guesses at the coins were right: with a confidence of { $confidence } % a share between { $low } and { $high }, where guessing gives 0.5.
swap-one-run-power = A share from { $share } on would have been distinguished from guessing with a probability of { $power } %.
swap-one-run-powerless = So few guesses could refute nothing.
swap-played = { $pairs } swap pairs; the attack that found most was { $attack }. Intervals of { $confidence } % over pairs, Bonferroni over attacks. Without unlearning, by a baseline that unlearned other records instead, Q is between { $low } and { $high }.
swap-missed = Even if up to { $share } % of models were not unlearned at all, none of the { $models } models might be among them: the interval allows for that.
swap-blind-attacks = { $count ->
    [1] The attack { $names } is
   *[other] The attacks { $names } are
} blind here: within each class nearly all records, or nearly none, are accepted after unlearning. Anything found this way still lowers Q, but does not count for the baseline.
swap-weaker = The case chose a weaker test than the default: { $said }.
swap-without = without { $names }
swap-confidence = with a confidence of { $confidence } %
swap-trained-on = After unlearning, { $attack } takes forgotten and unseen records for trained-on ones more often than after retraining, by { $mean } points [{ $low }, { $high }]. The two may look alike because the models know both.
