# The smaller tables on data deletion: what was declared, what the sandbox counted, what it cost, what is compared.

deletion-setting-loss = loss
deletion-setting-clip = gradients clipped to
deletion-setting-loss-cap = loss capped at
deletion-setting-lipschitz = Lipschitz constant L
deletion-setting-smoothness = smoothness β
deletion-setting-l2 = regularisation λ
deletion-setting-sigma2 = noise variance σ²
deletion-setting-rate = step size η
deletion-setting-learn-steps = learning steps
deletion-setting-unlearn-steps = unlearning steps K
deletion-setting-rows = records n, the fewest while a deleted one was there
deletion-setting-parameters = parameters d
deletion-setting-largest-batch = largest batch r
deletion-setting-steps-with-record = most steps that a deleted record took part in
deletion-utility-excess-risk-learned = excess risk of the learned model, at most
deletion-utility-excess-risk-updated = excess risk after any number of updates, at most
deletion-utility-excess-risk-limit = excess risk in the limit of many steps, at most
deletion-utility-excess-risk-zero = excess risk of a model of zeros, at most
deletion-utility-printed-order = qd/(ε_dp n²) in the units of the loss, the order that (3) prints
deletion-utility-learn-steps-utility = learning steps that (17) asks for
deletion-utility-unlearn-steps-utility = unlearning steps that (17) asks for
deletion-utility-unlearn-steps-deletion = unlearning steps that (16) asks for
deletion-utility-gradients-saved = gradients saved by each update, n(K_A − K_U)
deletion-utility-share-saved = share of the gradients saved, at least
deletion-utility-kappa = κ = (λ + β)/λ
deletion-game-requester = requester
deletion-game-own-guess = its own guess is what counts
deletion-game-seen = models that it saw
deletion-game-rounds = rounds of a game
deletion-game-largest-request = most records in one request
deletion-game-replaces = requests may replace records
deletion-game-games = games played
deletion-game-fitted = of these, the rule was fitted on
deletion-game-advantage = advantage measured
deletion-game-advantage-lower = advantage, lower confidence limit
deletion-game-confidence = confidence
deletion-game-epsilon-lower = Rényi ε that the counts show, at least
deletion-game-epsilon-by-advantage = Rényi ε by its advantage, at least
deletion-theorem-5-1 = Forget Unlearning, Theorem 5.1: a convex loss
deletion-theorem-5-2 = Forget Unlearning, Theorem 5.2: a bounded loss that need not be convex
deletion-theorem-gaussian = The Gaussian trade-off by shifted interpolation, which the policy lets decide (use_gaussian_tradeoff)
deletion-theorem-batches = The Gaussian trade-off of mini-batches by shifted interpolation (use_gaussian_tradeoff)
deletion-theorem-twins = No theorem: counterfactual runs, the log replayed with other records in place of the deleted ones
deletion-source-log = the log, which names the models seen (attested)
deletion-source-claim = the claim
deletion-source-all-published-before = every model published before the request, as the log names none
deletion-noise-none = The variance of the noise was not measured.
deletion-noise-draws = {" "}over { $draws }
deletion-noise-found = Variance of the noise in the steps that ran: { $measured }{ $drawn }; declared { $declared }.
deletion-noise-span = { $low } to { $high }
deletion-noise-lies = {" "}It lies { $inside ->
    [true] inside
   *[false] outside
} { $span }, where it would lie in all but one of a million honest runs.
deletion-noise-power = {" "}The test would have found a deviation of { $deviation } or more with 99 % probability.
deletion-steps-none = The steps were not counted.
deletion-steps-declared = Declared are { $learning } learning steps and { $updating } for each update.
deletion-steps-unknown = { $said } How many ran is not known.
deletion-steps-learning = { $said } Counted were { $steps } for learning.
deletion-steps-span = { $least } to { $most }
deletion-steps-counted = { $said } Counted were { $learning } for learning and { $ends } in { $each }.
deletion-gaussian-mu = μ, standard deviations apart
deletion-gaussian-epsilon = qμ²/2, Rényi ε at the declared order
deletion-gaussian-guesses = right guesses, by Φ(μ/2)
deletion-guesses-at-most = at most { $most } of 100
deletion-gaussian-decides = The policy says use_gaussian_tradeoff = true, and the case leaves the published theorem aside: here the trade-off decides. Its proof is in the auditor's documentation and its simulation in the auditor's tests.
deletion-gaussian-compares = The trade-off is given for comparison and does not decide: the claim is the published theorem’s, whose bound decides unless the policy says use_gaussian_tradeoff = true. Its proof is in the auditor's documentation.
deletion-cost-retraining = gradients of records, one retraining from scratch
deletion-cost-update = gradients of records, one update
deletion-cost-gradients = { $share } of the gradients
deletion-cost-more-gradients = none: { $share } more gradients
deletion-cost-counted = saved, as counted
deletion-cost-time = { $share } of the time
deletion-cost-no-time = none: the update took longer
deletion-cost-seconds = { $update } s against { $retraining } s
deletion-cost-timed = saved, as timed
deletion-cost-not-timed = not timed in this run
deletion-game-said-rightly = said “it was there”, where it was
deletion-game-said-wrongly = said “it was there”, where it was not
deletion-game-of-games = { $found } of { $games } games
deletion-chains-none = Chains on worst-case neighbours were { $reason }.
deletion-chains-fitted = ; on { $fitted } of them the events were fixed, on the others they were counted
deletion-chains-confidence = {" "}All of them together have { $confidence } confidence.
deletion-chains = { $chains } of the declared settings ran in each world, on two data sets that differ in a record chosen to be hard to forget{ $half }.{ $trust } They follow the declaration, not the code that ran.
deletion-one-direction = These forms hold in one direction: no event is more likely by more than the factor e^ε, up to δ, in the released model than in one that never saw the record. The other way round they promise nothing.
deletion-likeness = For a claim of data deletion swap.quality is the wrong question: it asks whether the model resembles a retrained one, and a model may reveal nothing about a deleted record without resembling a retrained one.
deletion-lacks-guarantee = the evidence holds no guarantee of data deletion
deletion-lacks-refuted = what this run showed refutes the guarantee
deletion-lacks-premises = the guarantee is not shown, as it also needs { $named }
deletion-lacks = the guarantee is not shown
deletion-promise-failed = Data deletion is not shown: { $failure }
deletion-promise-open = Data deletion could not be decided: { $why }
deletion-adaptive-failed = Data deletion under requests that depend on published models is not shown{ $refuted }
deletion-adaptive-open = Data deletion under requests that depend on published models could not be decided.
deletion-silent-runs = It covers the models that these runs released after a deletion, and none before it.
deletion-silent-tried = It covers the records that were tried in place of the deleted ones, with these seeds: no theorem extends it.
deletion-silent-code = What the procedure’s code and settings bring along is the same in every run, whatever it was made from.
deletion-silent-own-request = It takes the deleted person’s own request as fixed in advance, which nobody but the controller can know.
deletion-silent-elsewhere = It covers the model, not what else the controller keeps, nor copies that others hold.
deletion-silent-before = It covers every model from the deletion on, for ever, and none before it. To a model that was published while the record was still there ε_dp applies, not ε_dd.
deletion-silent-one-record = It covers one record. For m records that left in one batch, all together, it gives m² ε_dd where the loss is convex.
deletion-silent-otherwise-same = It compares with a run that never had the record and in which all else stayed as it was.
deletion-silent-whole-batch = It covers a whole batch at once, at the largest batch of the log.
deletion-together-covered = All m together: never trained on any of them. Theorem 5.2 covers the batch already.
deletion-together = All m together: never trained on any of them, m² ε_dd. A dash means that it exceeds all floating-point numbers.
deletion-stateless-carries = The procedure is built into the auditor: what it carries from one update to the next is known from its code.
deletion-stateless-built-in = The procedure is built into the auditor, and it carries nothing from one update to the next but the model.
deletion-stateless-law = {" "}The procedure does not give the same model twice, so distributions were compared.
deletion-stateless-resumed = The same updates were run again in a fresh process with everything wiped but the model, and compared with the original ones.{ $law }
deletion-kept-twins = Data deletion: with other records in place of the deleted ones, every model from the deletion on came out the same, bit for bit, in each run that was tried.
deletion-kept-lacking = Data deletion: ε_dd = { $value } is within its threshold, but { $lacking }.
deletion-kept = Data deletion: ε_dd = { $value } for one record, within its threshold.
deletion-kept-unseen = Requests that depend on published models: none counts as having seen one, so nothing is added to ε_dd.
deletion-kept-adaptively-lacking = Requests that depend on published models: ε(p) = { $value } is within its threshold, but { $lacking }.
deletion-kept-adaptively = Requests that depend on published models: ε(p) = { $value } for one record, as allowed.
deletion-up-to-models = up to { $models }
deletion-kept-after-seeing = Where requests were chosen after seeing { $models }: { $said }{ $person }
deletion-person = {" "}For the { $records } records of one person together
deletion-person-unproved = { $lead } no theorem gives a bound.
deletion-person-useless = { $lead } it gives no bound.
deletion-person-right = { $lead }: at most { $right } times.
deletion-seen-wide = the bound is so wide that it says nothing about how well a deleted record can be recognised in the models from the deletion on.
deletion-seen-right = anyone who sees every model from the deletion on, for ever, and guesses whether a record was there or another in its place is right at most { $right } of 100 times, where guessing is right 50 times.
deletion-open-unknown = not known whether { $unknown }.
deletion-open-no-threshold = neither claim nor policy names an ε that is allowed.
deletion-reason-given = the reason is given with the result.
deletion-failed-premise = a premise was found false: { $premises }.
deletion-failed-value = ε = { $value }, above the { $threshold } that decides.
deletion-no-theorem = No theorem covers the case.
deletion-heading-checked = What was checked
deletion-heading-runs = What the runs showed
deletion-heading-theorem = What the theorem gives
deletion-heading-if = { $shown }, if every premise of the guarantee holds
deletion-rests-on = rests on
deletion-theorem-void = { $theorem }, a premise of which is false
deletion-at-order = {" "}at order q = { $order }
deletion-epsilon-dd = ε_dd, of a deleted record
deletion-epsilon-dp = ε_dp, of a record that is kept
deletion-where-epsilon = , where ε_dd = { $epsilon }
deletion-best-order = best order on the grid
deletion-guesses-there = right guesses there
deletion-none-fix = There is no ε_dd. How to fix it: { $fix }.
deletion-none = There is no ε_dd.
deletion-models-from = { $found }, from { $source }
deletion-models-worst = models seen by the worst request
deletion-steps-seen = steps up to the last model seen
deletion-epsilon-dp-seen = ε_dp of a model seen
deletion-epsilon-p-none = none: the text above says why
deletion-epsilon-p = ε(p) for one record
deletion-epsilon-p-unproved = no theorem bounds it
deletion-epsilon-p-person = ε(p) for a person with { $records } deleted records
