# Texts in figures, below them, and in place of them for anyone who cannot see them.

figure-off-scale = (off scale)

figure-budget-removed = records removed so far
figure-budget-axis = residual β (logarithmic)
figure-budget-retrained = retrained
figure-budget-rule = budget { $budget }
figure-budget-gauge = Budget used, rounded up: { $share }
figure-budget-full = 100 % of the budget
figure-budget-used = now { $share }
figure-budget-crossing = crossed at { $batch }, after { $removed ->
    [one] 1 removal
   *[other] { $removed } removals
}
figure-budget-crossed = The budget was crossed at { $batch }, after { $removed ->
    [one] 1 removal
   *[other] { $removed } removals
}.
figure-budget-title = Residual bounds along the deletion log{ $against }, after { $removed } removed records, on a logarithmic scale: { $ends }.
figure-budget-against = { " " }against the removal budget { $budget }
figure-budget-caption = Residual bounds β along the deletion log. The bound that decides is drawn heavy; each line is named at its end with its last value.
figure-budget-caption-gauge = Above, how much of the removal budget the deciding bound has used after each batch. Below, every residual bound β against the budget (heavy rule). The bound that decides is drawn heavy; each line is named at its end with its last value.
figure-budget-above = The { $line } line leaves the figure: { $value } after { $removed ->
    [one] 1 removal
   *[other] { $removed } removals
}.
figure-budget-below = { $count ->
    [one] 1 value of the { $line } line lies below { $low } and is not drawn.
   *[other] { $count } values of the { $line } line lie below { $low } and are not drawn.
}

figure-rebuilt-title = Two pictures of { $width } by { $width } pixels: a deleted one, and what was rebuilt of it from the model before and after the deletion.
figure-rebuilt-caption = A deleted picture, and what was rebuilt of it. The policy shows reconstructions: whose picture this is may be recognised.
figure-rebuilt-deleted = deleted
figure-rebuilt-rebuilt = rebuilt
figure-threshold = threshold { $value }
figure-threshold-outside = The threshold { $value } lies outside the figure.

figure-steps-title = The bound ε_dd on what is left of a deleted record, against the unlearning steps; logarithmic.
figure-steps-standing = At the declared { $count ->
    [one] 1 step
   *[other] { $count } steps
}: { $ends }.
figure-steps-against = Threshold { $value }.
figure-steps-caption = What is left of a deleted record against the unlearning steps, by the theorem and by the Gaussian trade-off’s qμ²/2. The bound that decides is drawn heavy, the threshold is the heavy rule; each line is named at its end with its value at the declared steps.
figure-steps-across = unlearning steps K since the record left
figure-steps-axis-order = ε_dd at order { $order } (logarithmic)
figure-steps-declared = declared: { $count ->
    [one] 1 step
   *[other] { $count } steps
}
figure-steps-theorem = theorem
figure-steps-tradeoff = trade-off
figure-steps-outside = { $count ->
    [one] 1 value lies outside { $low } to { $high } and is not drawn.
   *[other] { $count } values lie outside { $low } to { $high } and are not drawn.
}

figure-epsilon-title = Lower bounds on ε from attacks against stated upper bounds.
figure-epsilon-row = { $stated }; shown by attacks: { $shown }.
figure-epsilon-row-refuted = { $stated }; shown by attacks: { $shown }; refuted.
figure-epsilon-unit = ε
figure-epsilon-unit-order = Rényi ε at order { $order }
figure-epsilon-axis = { $unit }: linear from 0 to { $turn }, logarithmic beyond
figure-epsilon-refuted = ■ refuted
figure-epsilon-shown = shown by an attack; decides
figure-epsilon-compared = for comparison only
figure-epsilon-null = the same for retraining
figure-epsilon-stated = stated upper bound
figure-epsilon-caption = ε from both sides. From the left, the lower bounds that attacks show; from the right, a line at the upper bound that is claimed or certified, with the values that it rules out in grey. Where a mark that decides lies beyond the line, the stretch between them is hatched and the statement is refuted. The scale is linear near 0, so that it can show 0, and logarithmic beyond.
figure-epsilon-left-out = The figure shows { $drawn } of { $compared } statements, the refuted ones first; the table has all of them.
figure-epsilon-not-compared = { $count ->
    [one] 1 statement was not compared and not drawn; the reasons are listed below.
   *[other] { $count } statements were not compared and not drawn; the reasons are listed below.
}

figure-quality-together = all attacks together
figure-quality-axis = quality Q = 1 − |advantage|
figure-quality-advantage = advantage
figure-quality-least = min_quality { $value }
figure-quality-procedure = procedure under test
figure-quality-do-nothing = no unlearning (baseline)
figure-quality-fresh = retrained, fresh seeds
figure-quality-same = retrained, same seeds
figure-quality-title = Q of the SWAP test over { $count ->
    [one] 1 attack
   *[other] { $count } attacks
}{ $against }: { $found }. One row follows for each attack.
figure-quality-against = { " " }against a smallest quality of { $value }
figure-quality-said-procedure = the procedure { $value }
figure-quality-said-do-nothing = the no-unlearning baseline { $value }
figure-quality-said-fresh = retraining with fresh seeds { $value }
figure-quality-said-same = retraining with the same seeds { $value }
figure-quality-caption = Quality Q with its interval, over all attacks and attack by attack, the lowest first. Q = 1 would mean that deleted records look to the attacks like records that the model never saw. At the right is the signed advantage of the procedure, bold where its interval excludes 0; a negative one means that deleted records look less like training data than records that the model never saw.
figure-quality-left-out = The figure shows the { $drawn } of { $count } attacks with the lowest Q.

figure-plan-bare = no protection
figure-plan-target = target
figure-plan-chosen = recommended
figure-plan-front = best of both
figure-plan-loss = loss perturbation
figure-plan-output = output noise
figure-plan-dp = DP for all of them
figure-plan-sigma = σ of the random term
figure-plan-sigma-title = Accuracy under loss perturbation
figure-plan-epsilon-title = Best accuracy that serves { $deletions } deletions
figure-plan-served = deletions served before retraining, median order
figure-plan-served-title = Accuracy and deletions served at ε = { $epsilon }, setting by setting
figure-plan-private = ε_dp of one published model
figure-plan-private-title = Accuracy after unlearning
figure-plan-saved = gradients saved, against learning from scratch
figure-plan-saved-title = Settings that keep ε = { $epsilon }
figure-plan-best = best of these

figure-timeline-title = { $count ->
    [one] 1 request against its deadline
   *[other] { $count } requests against their deadlines
}; { $late } overdue.
figure-timeline-caption = Each request from its receipt, with its deadline. A bar ends on the day when the person was informed, or with the erasure where the log has no such day. It goes on to the day of the audit where the request is open, or overdue as nobody was informed.
figure-timeline-data = data erased
figure-timeline-model = model updated
figure-timeline-informed = informed
figure-timeline-extended = extension notified
figure-timeline-due = due
figure-timeline-since = days since the request was received
figure-timeline-late = late
figure-timeline-in-doubt = in doubt
figure-timeline-answered-late = answered late
figure-timeline-erased-late = erased late
figure-timeline-not-informed = no answer
figure-timeline-open-late = open, overdue
figure-timeline-open = still open
figure-timeline-denied = refused
figure-timeline-revoked = withdrawn
figure-timeline-no-match = no match
figure-timeline-not-located = not located
figure-timeline-outcome = outcome
figure-timeline-days = { $count ->
    [one] took 1 day
   *[other] took { $count } days
}
figure-timeline-row = { $request }: received { $received }{ $events }, due { $due }; { $outcome }.
figure-timeline-left-out = { $late ->
    [0] The figure shows the { $drawn } of { $count } requests that came closest to their deadline or passed it.
   *[other] The figure shows the { $drawn } requests that passed their deadline by most: { $late } of { $count } passed it.
}
