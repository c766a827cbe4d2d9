# Sentences of `log.consistency` and `log.deadlines`.

reason-log-consistency-checked = { $requests } requests were checked against the training data and against one another.
reason-log-consistency-checked-alone = { $requests } requests were checked against one another. This check cannot tell whether their ids are right.
reason-log-consistency-chained = Its hash chain holds from the first row to the last. That shows a later change only to someone who kept its head elsewhere: { $head }.
reason-log-consistency-unread = The log has columns that this version knows and does not check: { $columns }.
reason-log-deadlines-calendar-month = EU deadline: one calendar month from receipt, or the last day of that month where it has no such day; two months more where the person was notified, with a reason, within the first. A deadline on a Saturday, a Sunday or a public holiday that the case declares ends with the next working day.
reason-log-deadlines-uk = UK deadline for requests received before 5 February 2026: one calendar month from receipt, or the last day of that month where it has no such day; two months more where the person was notified, with a reason, within the first. Whether a wait for proof of identity or for a fee gave more time, no date shows. A deadline on a Saturday, a Sunday or a public holiday that the case declares ends with the next working day.
reason-log-deadlines-uk-2026 = UK deadline for requests received since 5 February 2026 (UK GDPR Article 12A): one calendar month from receipt of the request, of the proof of identity or of the fee that was asked for, whichever comes last, or the last day of that month where it has no such day; two months more where the person was notified, with a reason, within the first. A deadline on a Saturday, a Sunday or a public holiday that the case declares ends with the next working day.
reason-log-deadlines-ccpa = CCPA deadline: 45 days from receipt, however long it takes to verify who asks; 45 more where the person was notified, with a reason, within the first 45.
reason-log-deadlines-days = Deadline: { $days } calendar days from receipt, as the policy says.
reason-log-deadlines-later = { $requests } request(s) took, or may take, longer than the law gives, within the policy's days.
reason-log-deadlines-not-recorded = For { $requests } of { $of } requests the log records no delay, and does not say when the person was informed.
reason-log-deadlines-turned-down = { $requests } of { $of } requests were denied or revoked; that they could be is the controller's word.
reason-log-deadlines-nothing-held = { $requests } of { $of } requests were answered with "nothing is held" (no_match); that it is so is the controller's word.
reason-log-deadlines-turned-down-attested = { $requests } of { $of } requests were denied or revoked. Nobody examined why: each row has its reason, and the controller puts a name to { $word }.
reason-log-deadlines-nothing-held-attested = { $requests } of { $of } requests were answered with "nothing is held" (no_match). Nobody examined it: each row has its reason, and the controller puts a name to { $word }.
remedy-away-turned-down-reasons-found = Requests that were denied or revoked: { $count } of { $of } without a reason in the log ({ $named }).
remedy-away-turned-down-reasons = Write into the log, in reason, for { $named } why each was denied, or when and how the person withdrew it.
remedy-away-turned-down-word-found = Requests that were denied or revoked: { $of }. Nobody says by name that they could be.
remedy-away-turned-down-word = Have somebody who read why requests were denied or revoked attest refusals-grounded, if it is true.
remedy-away-nothing-held-reasons-found = Requests that were answered with "nothing is held": { $count } of { $of } without a reason in the log ({ $named }).
remedy-away-nothing-held-reasons = Write into the log, in reason, for { $named } where the person was looked for and why nothing is held.
remedy-away-nothing-held-word-found = Requests that were answered with "nothing is held": { $of }. Nobody says by name that it is so.
remedy-away-nothing-held-word = Have somebody who can know attest nothing-held, if it is true: of these people nothing is held.
remedy-in-doubt-found = { $count ->
    [one] One request is late, unless a wait for the person gave more time.
   *[other] { $count } requests are late, unless a wait for the person gave more time.
}
remedy-in-doubt = Have somebody assess whether the controller had good reason to wait, and asked without undue delay. Where it did not, enter why the answer is late (late_reason).
remedy-later-found = { $count ->
    [one] One request took, or may take, longer than the law gives, and is in time only by deadline_days.
   *[other] { $count } requests took, or may take, longer than the law gives, and are in time only by deadline_days.
}
remedy-later = Have somebody assess whether the law gives these requests that long: deadline_days in the policy is the controller's own. Where it does not, leave deadline_days out, answer what is open, and enter why the answer is late (late_reason).
remedy-erased-after-found = { $count } requests were answered in time, and the data were erased only after the deadline.
remedy-erased-after = Find out what these people were told, and write to those who were told that their data were gone: “auditor reply” drafts it.
log-amended = { $all ->
    [1] Row
   *[other] Rows
} { $rows } of the log: a later row replaces what was there. The newest counts.
reason-log-consistency-replaced = Replaced: { $said }.
log-by-chance = { $all ->
    [1] Row
   *[other] Rows
} { $rows } of the log: an unknown id differs from that of a training record as many of these differ from one another. That says nothing, and is counted.
reason-fact-log-consistent-open = log.consistency: { $rows } row(s) with an id that may be a training record's
reason-fact-log-consistent-explained = log.consistency: no problem; { $rows } row(s) with a look-alike id, by near_match another person's
reason-log-deadlines-answered-late = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} answered after the deadline.
reason-log-deadlines-not-informed = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} past the deadline without an answer in the log, which records answers for other requests.
reason-log-deadlines-without-reason = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} denied without a reason or without the exception that the refusal rests on.
reason-log-deadlines-extended = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} given longer by an extension of which the person was notified in time.
reason-log-deadlines-not-extended = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} not given longer by the extension in the log: it has no reason, or the person was not notified within the first period.
reason-log-deadlines-paused = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} given longer by pauses in which the controller waited for the person, by its own word.
reason-log-deadlines-pauses-void = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} not given longer by the pauses in the log: the law of that request gives no more time for what they wait for, or they lack a reason, or began too late.
reason-log-deadlines-in-doubt = { $requests ->
    [1] 1 request is
   *[other] { NUM($requests) } requests are
} late, or in time if a wait for the person gave more time: if the controller had reasonable doubts about who the person is, or in the UK could charge a fee, and asked without undue delay. No date shows that: people must assess it.
reason-log-deadlines-by-holiday = { $requests ->
    [1] 1 deadline
   *[other] { NUM($requests) } deadlines
} moved over a public holiday that the case declares: { $days }.
reason-log-deadlines-weekends-only = The case declares no public holidays, so weekends alone moved a deadline.
reason-log-deadlines-confirmed-late = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} confirmed later than 10 business days after receipt (CCPA).
reason-log-deadlines-not-confirmed = Whether receipt was confirmed within 10 business days (CCPA) is not known for { $requests ->
    [1] 1 request
   *[other] { NUM($requests) } requests
}.
reason-log-deadlines-erased-after-due = { $requests ->
    [1] 1 request was
   *[other] { NUM($requests) } requests were
} answered in time, and the log records the erasure only after the deadline; what the answer said is not in the log.
reason-log-deadlines-marked = By the log, the data of { $requests ->
    [1] 1 executed request
   *[other] { NUM($requests) } executed requests
} are only marked as erased: the erasure is not complete.
reason-fact-log-consistent-checked = log.consistency: { $problems ->
    [0] no problem
   *[other] { NUM($problems) } problem(s)
}
log-open = { $all ->
    [1] Row
   *[other] Rows
} { $rows } of the log: an id may be that of a training record under another spelling, so it is open whose data was meant. Correct the id, or say in near_match why it is another person's.
log-explained = { $all ->
    [1] Row
   *[other] Rows
} { $rows } of the log: an id looks like that of a training record, and near_match gives the controller's reason why it is another person's.
