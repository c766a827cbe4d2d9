# A plan before training: what deletion would cost, on a terminal, in a figure, and in the sentence of its document.

plan-name-loss-perturbation = loss perturbation
plan-name-output-noise = output noise
plan-name-differential-privacy = differential privacy
plan-goal = { $deletions } deletions at ε = { $epsilon }, δ = { $delta }
plan-none-by-loss = No λ and σ of the grid serve { $goal } by loss perturbation{ $instead }.
plan-none-otherwise = Neither does output noise or differential privacy.
plan-recommended = Recommended for { $goal }: { $described }, the most accurate setting that serves them: { $score }.
plan-by-loss = By loss perturbation: { $described }: { $score }.
plan-worst-first = With the worst-fitted records first it serves { $served }.
plan-no-better = That is no better than predictions that ignore the record ({ $baseline }).
plan-unlike-columns = Columns are of very unlike size (root mean square): { $named }{ $more ->
    [0] { "" }
   *[other] { " " }and { $more } more
}, where the middle one has { $middle } and the smallest { $smallest }. The large ones drown the others, so that no setting predicts well: standardise them, then plan again. Subtract from each column and divide it by numbers that are fixed without these records, such as the usual value and range of its unit, alike in [data] train and holdout; means and deviations of these data would hold what was deleted.
plan-nearest-serves = : { $described } serves { $served }
plan-beyond-serves = { $reached }; { $described } would, with { $score }
plan-beyond-does-not = { $reached }; nor does a σ of up to 64 times the largest: ask for fewer deletions, a larger λ, or retrain
plan-method-with = { $method } with { $setting }
plan-score = { $score } { $value } ({ $low } to { $high })
plan-deletion-none = No λ and ε_dp of the grid keep { $goal } in fewer steps than learning from scratch takes{ $nearest }.
plan-deletion-setting = l2 = { $l2 }, sigma2 = { $sigma2 }, learn_steps = { $learn_steps }, unlearn_steps = { $unlearn_steps }
plan-deletion-recommended = Recommended for { $goal }: { $setting }, which gives ε_dp = { $epsilon_dp }: the most accurate setting that keeps it, accuracy { $value } ({ $low } to { $high }), at { $share } % fewer gradients than learning from scratch.
plan-deletion-no-better = {" "}That is no better than predictions that ignore the record ({ $baseline }).
plan-deletion-near = Within { $points } percentage point of it, at { $share } % fewer
plan-deletion-cheaper = {" "}{ $near }: { $written }, accuracy { $value }.
plan-deletion-goal-seen = {" "}where { $seen } published models were seen
plan-deletion-goal = ε = { $epsilon } at order { $order } for { $deleted }{ $seen }
plan-deletion-nearest-none = : ask for a larger ε, or for fewer seen models
plan-deletion-nearest = : the nearest, λ = { $l2 } with ε_dp = { $epsilon_dp }, learns in { $learn_steps } steps and unlearns in { $unlearn_steps }; ask for a larger ε, or learn from scratch
plan-measure-share = share of right predictions
plan-measure-holdout = { $records } holdout records
plan-measure-folds = { $folds }-fold cross-validation on the { $records } training records, with the noise of all of them
plan-measure-bootstrap = bootstrap over records
plan-measure-interval = { $confidence } % interval for all trainings at once ({ $method })
plan-measure-as-one-model = , as if its folds were one model
plan-deletion-serves-nobody = learning from scratch takes no more steps, and leaves nothing
plan-deletion-drowned = so much noise drowns the records: the theorem asks for no step at all
plan-no-noise = no noise
plan-deletion-seen-too-many = { $seen } seen models at this ε_dp cost more than ε by themselves
plan-assume-seen = Those who ask for deletions may have seen { $seen } published models; the deleted person's own request was fixed before.
plan-assume-fixed = Requests are fixed in advance: none of them may depend on a published model. Otherwise plan with --seen.
plan-assume-theorem = Theorem 5.1: rows of norm at most 1, the step size 1/(2(λ+β)), the start and the noise as it has them, nothing but the model carried from one update to the next. K_A is what equation 17 asks for, K_U what equation 16 does.
plan-assume-covers = { $seen } The promise covers models released after the deletion.
plan-assume-picked = That of several settings the most accurate one was picked puts its accuracy on the optimistic side of its interval.
plan-assume-loss = Loss perturbation: what it promises is supported, not shown: its theorem takes the residual to be independent of the random term, which nobody can check.
plan-assume-noise = Output noise: r and s were found on these very data. Its guarantee is shown only where both are fixed before the data are seen, say on earlier or public ones; it covers one release.
plan-assume-best = The accuracy of a row that was picked as the best of a grid is on the optimistic side of its interval.
plan-assume-dp = Differential privacy: the Gaussian mechanism on the same model, for any { $deletions } people together, rows of norm at most { $row_norm }, a bound that has to be fixed before the data. Nothing is unlearned at a deletion. For private training instead see auditor calc dp-sgd.
plan-assume-laplace = The random term has the Laplace-type density that the case declares: loss perturbation spends no delta.
plan-measure-fifth = a fifth of the { $records } training records that a training leaves out, with the noise of all of them
plan-measure-linear = share of right predictions, { $where }; { $confidence } % interval for all trainings at once (Clopper-Pearson)
plan-assume-scaled = { $rows } training rows are longer than 1 and planned as scaled to norm 1: row_norms = "scale".
plan-assume-linear = The case declares no linear model for noisy gradient descent: planned is a { $loss } model of its rows, no intercept.
plan-assume-without-clip = Planned without the declared clip: a clipped softmax gradient is that of no loss, and no theorem covers it.
plan-assume-without-cap = Planned with the loss as it is and the theorem's step size, not with the declared cap or rate.
plan-assume-all-records = The plan covers all training records, as if none had been deleted yet, and of deletions one at a time.
plan-assume-logistic = The case declares no certified removal: planned is a logistic model of its rows, one against the rest for more than two labels, without an intercept{ $scaled }.
plan-assume-rows-scaled = ; { $count } rows are scaled to norm 1
plan-dp-no-bound = the gradient of the squared loss has no bound without one on labels
plan-title-loss-perturbation = loss perturbation
plan-title-output-noise = output noise
plan-title-differential-privacy = differential privacy (nothing is unlearned)
plan-title-no-protection = no protection (what λ alone costs)
plan-heading-worst = worst first
plan-lead = { $case }: { $deletions } deletions at ε = { $epsilon }, δ = { $delta }, which leave at most { $most } of 100 guesses right; { $records } records, { $draws } trainings and random orders of each setting.
plan-without-result = Without a result: { $why }
plan-legend = ▶ recommended  ● serves the target  ○ does not. Served: median (least–most) over random orders. Right ≤: the most guesses of 100 that anyone gets right after the target’s deletions, read off the trade-off function; guessing is right 50 times.
plan-accuracy = Accuracy: { $measure }. Ignoring the record scores { $baseline }.
plan-page-deletion = What data deletion would cost
plan-page = What certified removal would cost
plan-page-attached = The plan that this page draws
plan-deletion-legend = ▶ recommended  ● keeps the promise  ○ does not. learn, unlearn: steps; saved: gradients of a request, compared with learning from scratch; risk ≤: a bound on the mean excess of the mean loss after any number of updates; right ≤: the most guesses of 100 that anyone gets right about a deleted record by what these steps leave, read off the trade-off function.
plan-deletion-row = λ { $l2 }, ε_dp { $epsilon_dp }
plan-deletion-rows-more = ; { $more } more
plan-deletion-scores = Ignoring the record scores { $baseline }; without noise { $bare }.
plan-deletion-accuracy = Accuracy after unlearning: { $measure }. { $scores }
plan-deletion-promise-seen = , { $seen } published models seen
plan-deletion-size = { $records } records, { $loss } loss, { $parameters } parameters
plan-deletion-lead = { $case }: { $goal }; { $size }, { $draws } trainings each. By this ε alone, anyone who sees what is released after a deletion, and guesses whether the record was ever there, is right at most { $right } of 100 times. Guessing is right 50 times. The last column is what each setting leaves.
plan-deletion-goal-deletions = { $deletions ->
    [1] a deletion
   *[other] { NUM($deletions) } deletions
}
plan-heading-accuracy = accuracy
plan-heading-interval = interval
plan-heading-served = served
plan-heading-epsilon-needed = ε needed
plan-heading-right = right ≤
plan-heading-learn = learn
plan-heading-unlearn = unlearn
plan-heading-saved = saved
plan-heading-risk = risk ≤
plan-none-saved = none
plan-title = Plan: { $case }
