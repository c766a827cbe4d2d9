# The SWAP test in words: what was found, how small an effect would have been found, and what the test does not say.

swap-over-unlearned = Over-unlearned: the deleted records look less like training data than records that the model never saw. That marks them as well.
swap-found-limits = {" "}(between { $low } and { $high }{ $confidence ->
    [none] { "" }
   *[other] , { $confidence } confidence
})
swap-found-baseline = , and { $about } on the no-unlearning baseline
swap-found = In the SWAP test the best of the attacks tried distinguished deleted records from records that the model never saw with { $about } of 100 guesses right{ $limits }. Guessing is right 50 times{ $beside }.
swap-blind = On this model the test cannot tell good unlearning from none: the baseline that unlearned other records comes out at Q = { $quality }{ $interval }, not wholly below { $threshold }.
swap-power-none = How small an advantage this run would have found is not known.
swap-power-pairs = With { $pairs },{" "}
swap-power-chance = {" "}with { $chance } probability
swap-power = an attack with { $about } of 100 guesses right or more would have been found{ $often }; weaker ones may exist.
swap-silent-weighted = weighted by the sensitivity that the data declare
swap-silent-unweighted = each record as likely as any
swap-silent-people = They are not the people in the deletion log, whose records may be harder or easier to forget.
swap-silent-filters = A procedure that filters answers can do well here while its weights still remember.
swap-silent-learner = It covers this learner on this data set, and neither another learner nor other data.
swap-silent-drawn = It draws the sets to delete at random, { $drawn }. { $people }
swap-silent-attacks = It tries the attacks that are listed. Others may find more.
swap-silent-answers = It examines what the models answer, not their weights. { $filtering }
swap-silent-one-model = Its attacks see one model, after the deletion. Anyone who also has the model from before may learn more.
swap-measure-q = Q of the procedure
swap-measure-q-means = 1 − the largest |mean advantage|: what the check decides by
swap-measure-baseline = Q without unlearning
swap-measure-before-means = The same model before it unlearned; the test is worth something if this is low
swap-measure-baseline-means = The baseline: a model that unlearned other records instead; the test is worth something if this is low
swap-measure-fresh = Q of retraining, fresh seeds
swap-measure-fresh-means = What chance alone leaves below 1
swap-measure-same = Q of retraining, same seeds
swap-measure-same-means = 1, or something is wrong with the test or the training
swap-measure-excess = Accepted beyond retraining
swap-measure-excess-means = How much more of the forget set and the test set an attack takes for training data than after retraining; above 0, the models may know both
swap-measure-plug-in = Plug-in Q
swap-measure-plug-in-means = The paper's: the absolute value taken pair by pair, biased down
swap-measure-signs = p, sign flips
swap-measure-signs-means = How often perfect unlearning would show at least this much
swap-measure-mia = MIA score
swap-measure-mia-means = 1 − AUC, as other papers print it; 0.5 is a guess
swap-measure-ic = IC score
swap-measure-ic-means = Interclass confusion, from 0 to 1: the nearer to that of retraining, the better
swap-measure-ic-retrained = IC score of retraining
swap-measure-ic-retrained-means = The same for the retrained model
swap-measure-ic-none = Not measured: { $why }
swap-side-procedure = the procedure under test
swap-side-baseline = no unlearning (baseline)
swap-side-retrained = retrained with fresh seeds
swap-blind-title = { $title } (blind here)
