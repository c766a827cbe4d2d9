# The letter to one person: one page and overleaf. $data is "your data" or "the data of this request", $Data the same with a capital.

letter-data-yours = your data
letter-data-yours-first = Your data
letter-data-request = the data of this request
letter-data-request-first = The data of this request

letter-document = Letter about erasure request { $request }
letter-title = About your request to erase data
letter-to = To the person who made request { $request }
letter-date = Date
letter-reference = Your reference
letter-officer = Data protection officer
letter-about = About
letter-release = { $name }, release { $release }
letter-goes-with = This letter goes with our reply. A program wrote it from what an audit found.
letter-draft = DRAFT: not to be sent. What is missing is marked.
letter-blank-controller = [name of the controller: missing]
letter-blank-contact = [address of the controller: missing]
letter-blank-dpo = [data protection officer: missing]
letter-blank-authority = [name and address of the supervisory authority: missing]

# What became of it, in a line

letter-head-confirmed = { $Data } is recorded as erased, and was not found again
letter-head-found = Our log records an erasure, but the audit found { $data } again
letter-head-failed = The audit did not confirm that the model forgot { $data }
letter-head-contradicted = Our log contradicts itself about this request
letter-head-partly = An erasure is recorded. The audit could not confirm all of it
letter-head-open = { $Data } has not been erased yet
letter-head-open-late = { $Data } has not been erased yet, and this is late
letter-head-denied = We refused this request
letter-head-revoked = This request was taken back
letter-head-no-match = We found no data to erase
letter-head-no-match-found = We found no data to erase, but the audit did
letter-head-not-located = We could not find { $data }
letter-head-unknown = We cannot say what became of this request

# Dates

letter-received = The request reached us on { $on }.
letter-due = An answer was due by { $on }.
letter-is-due = An answer is due by { $on }.
letter-answer-unsaid = Our log does not say when we answered.
letter-answered = We answered on { $on }.
letter-late-answer = That is late, and we should have told you sooner.
letter-late = We are late with this, and we should have told you sooner.
letter-extended = On { $told } we told you that we need more time. Our reason was: { $reason }. The new date is { $until }.
letter-extension-void = We asked for more time, but not in the way that the law asks for. So the date stays as it was.
letter-waiting = We asked you for details that we need. The clock is stopped until we have them.
letter-paused = The clock was stopped for { $days } days while we waited for details from you.

letter-short-confirmed = In short: what the audit could examine agrees with our log. { $statements ->
    [0] What it did not check is listed below.
   *[other] It did not check everything, and part of it rests on our word: both are listed below.
}
letter-short-open = In short: the audit found nothing against our log, but could not examine or settle all of it.
letter-short-against = In short: the audit found something against our log. Do not rely on this erasure yet.

# The table

letter-row-stored = Stored data
letter-row-model = The model
letter-row-forgot = How well it forgot
letter-row-received = Who received it
letter-row-unchecked = Not checked
letter-row-decision = Our decision
letter-row-ground = Legal ground
letter-row-exception = Exception that we rely on
letter-row-reason = Our reason
letter-row-next = What happens next
letter-row-found = What was found

letter-word-gone = not found again
letter-word-found = found again
letter-word-undecided = not decided
letter-word-unchecked = not checked
letter-word-examined = examined
letter-word-other = not the right one
letter-word-unconfirmed = not confirmed
letter-word-no-trace = no trace found
letter-word-not-yet = not yet
letter-word-refused = refused
letter-word-by-log = by our log

letter-erased = Recorded as erased on { $on }.
letter-dated = Our log records an erasure, dated { $on }.
letter-undated = Our log records an erasure, but no date.
letter-searched-in-part = The audit searched what it could read of our data store, and the model and its program. It did not find { $data } there. That the rest holds no copy is what we say; nobody checked it.
letter-searched-store = The audit searched our data store, the model and its program. It did not find { $data } there.
letter-found = The audit found { $data } again in what we still keep.
letter-search-open = The audit searched for { $data }, but could not tell whether all of it is gone.
letter-search-none = The audit did not search for { $data } in what we keep.
letter-logical = It is marked as erased there, and not yet overwritten.
letter-not-erased = We have not erased { $data } yet.

letter-updated = Updated on { $on }.
letter-update-dated = Our log records an update, dated { $on }.
letter-update-undated = Our log does not say when the model was updated.
letter-not-updated = The model has not been updated for this request yet.
letter-in-use = This version has been in use since { $on }.
letter-in-use-from = This version is not in use yet. It will be used from { $on }.
letter-in-use-unsaid = It is not recorded whether this version is in use yet.
letter-model-answers = The audit did not see the model. It examined answers of the model that we wrote down.
letter-model-unseen = The audit did not see the model file. It tested the way we update the model.
letter-model-part = The audit saw one step of the model file, and not the others. It tested the way we update the model.
letter-model-open = The audit saw the model file. It could not tell if our updates produce it.
letter-model-other = It is not the model that our updates produce.

letter-guesses = Suppose someone has to tell from the model if { $data } was used. They are right at most { $most } times out of 100. A coin toss is right 50 times.
letter-rests-on = { $count ->
    [0] This does not rest on our word.
    [one] This holds if 1 statement is true, which nobody could check. It is overleaf.
   *[other] This holds if { $count } statements are true, which nobody could check. They are overleaf.
}
letter-attacks = The audit tested whether the model forgot { $data }, and found no trace. There is no promise in numbers.
letter-forgot-open = The audit could not decide how well the model forgot { $data }.
letter-forgot-failed = The audit did not confirm that the model forgot { $data }. Overleaf you see why.
letter-forgot-unchecked = No part of this audit checked how well the model forgot { $data }.
letter-picked = Someone who has this model and the one before it can tell that { $data } was erased. A test picked it out among records like it.
letter-not-picked = A test compared this model with the one before it. It did not pick { $data } out among records like it.

letter-recipients-none = Our log says that nobody else received it.
letter-recipients-unsaid = Our log does not say who received it.
letter-recipient-told = { $name } was notified of the erasure on { $on }.
letter-recipient-told-undated = { $name } was notified of the erasure, on a day that our log does not give.
letter-recipient-untold = { $name } has not been notified of the erasure yet.
letter-recipients-all = Everyone
letter-recipients-more = { $count ->
    [one] 1 more is in our log.
   *[other] { $count } more are in our log.
}
letter-recipients-ask = You can ask us who received it.
letter-recipients-ask-article = You can ask us who received it (Article 19 { $law }).

letter-unchecked = Backups, caches, copies that others hold, and other models made from the same data.
letter-unchecked-base = The model builds on files that were made earlier. What those were made from was not checked.
letter-unchecked-said = What we say about them is overleaf.

letter-denied = We did not erase { $data }. The audit does not say whether we were right to refuse.
letter-no-reason = Our log gives no reason. You can ask us for it.
letter-no-exception = Our log names none. You can ask us for it.
letter-revoked = Our log says that the request was taken back, so we erased nothing. If you did not take it back, please tell us.
letter-no-match = We looked under the names that we have for you, and found nothing to erase.
letter-no-match-found = The audit found data that our log names for this request. We will look into it and write to you again.
letter-further = Data under another name may still be there. Please send us further details, such as other names, addresses or account numbers. We will then look again.
letter-not-located = Our log names data for this request, but the audit did not find it in the training data. So nobody can say that it was erased.
letter-unknown = This letter has no words for what our log says.
letter-contradicted = Nobody can tell from our log what was done. We will clear this up.

letter-next-found = We will erase it there too, and have that checked again.
letter-next-failed = We will train the model again without { $data }, or stop using it. Then we will have that checked again.
letter-next-open = We will erase the data and update the model.
letter-next-then = We will do this when we have what we asked you for.
letter-next-by = We will do this and write to you by { $on }.

# Rights

letter-rights-title = If you do not agree
letter-rights-complain = You can complain at any time to this supervisory authority:
letter-rights-elsewhere = You can also complain where you live or work. You can go to court as well (Articles 77 and 79 { $law }).
letter-rights-court = You can go to court as well.
letter-rights-court-article = You can go to court as well (Articles 77 and 79 { $law }).
letter-rights-first = You do not have to write to us first. If you have a question, you can reach us here:
letter-law-eu = of the GDPR
letter-law-uk = of the UK GDPR

# Overleaf

letter-statements-title = Statements that nobody could check
letter-statements-lead = The number on the first page holds only if all of these are true. We list here all that we told the audit, and what nobody told it. The report on the whole audit counts only what its own result needs, so its list may differ.
letter-number-title = What the number means
letter-number-game = Picture two models. One learned from { $data } and was then made to forget. The other never saw it. Someone gets one of the two, by the toss of a coin, and has to say which.
letter-number-limit = The number is a limit that was set. The audit found that it is kept. The report on the whole audit names it “in letters”. Its own number counts what has been used of the limit, and may differ.
letter-number-shown = It does not depend on which attacks somebody happened to try.
letter-number-useless = That is no useful promise: someone may be right nearly every time.
letter-number-person = { $count ->
    [one] It covers the one record that our log names for you.
   *[other] It covers the { $count } records that our log names for you, all of them together.
}
letter-number-request = { $count ->
    [one] It covers the one record of this request.
   *[other] It covers the { $count } records of this request, all of them together.
}
letter-number-not = It does not cover older versions of the model, or copies that others hold. And the model still knows what it learned from other people.
letter-failed-title = What the audit could not confirm
letter-failed-no = no
letter-failed-open = not decided
letter-question = Question
letter-answer = Answer
letter-limits-title = What the audit did not check
letter-limits-topics = These questions are still open:
letter-limits-quick = This was a quick audit with small samples. A full one may find more.
letter-outside-said = What we say about places that nobody checked:
letter-outside-until = { $name }: { $what } (until { $until })
letter-outside-plain = { $name }: { $what }
letter-own-title = What our log says against itself
letter-check-title = About this letter
letter-run-by-self = We ran the audit ourselves.
letter-run-by-internal = Colleagues in our own organisation ran the audit.
letter-run-by-third-party = Another organisation ran the audit.
letter-run-by-unsaid = It is not recorded who ran the audit.
letter-limits-declared = The audit used limits that we declared. It cannot tell when we chose them.
letter-not-advice = This is not a finding of anonymity, and not legal advice.
letter-only-yours = It says nothing about any other request.
letter-verify = The file letter.json inside this letter holds the same for machines, and “auditor verify” checks both. The authority can ask us for the evidence.
letter-audit = Audit
letter-evidence = Evidence, SHA-256

# What rows of the log say against themselves

letter-finding-NOT_LOCATED = Some of the data that our log names was not found in the training data.
letter-finding-NO_MATCH_BUT_KNOWN = Our log says that there was no data, but names data that was there.
letter-finding-LOOKS_LIKE_KNOWN = A name in our log looks like one in the training data, and is not the same.
letter-finding-MAY_BE_KNOWN = A name in our log is nearly the same as one in the training data.
letter-finding-LOOKS_LIKE_RETAINED = A name of erased data looks like one that is still in the training data.
letter-finding-EXECUTED_BEFORE_RECEIVED = The erasure is dated before the request.
letter-finding-EXECUTED_IN_FUTURE = The erasure is dated after the day of the audit.
letter-finding-RECEIVED_IN_FUTURE = Our log says that your request came in after the day of the audit.
letter-finding-EXECUTED_WITHOUT_TIME = Our log says that the data was erased, and gives no date.
letter-finding-STATUS_CONTRADICTED = Our log gives a date of erasure, and also says that nothing was erased.
letter-finding-DUE_BEFORE_RECEIVED = Our log says that the answer was due before the request reached us.

# Statements, by the name that is attested, or by the fact that has none

letter-statement-log-complete = Our list of erasure requests is complete.
letter-statement-requests-fixed = Nobody chose what to have erased after seeing a model that we had published.
letter-statement-own-request-fixed = You did not choose what to have erased after seeing a model that we had published.
letter-statement-seen-releases = Those who asked had seen no more of our models than we say.
letter-statement-preprocessing-clean = No earlier step of preparing the data keeps a trace of erased data, and nothing else was made from them.
letter-statement-seed-secret = The secret number behind the noise was drawn at random, and only we know it.
letter-statement-residual-independent = A point about the random numbers in the training holds, which no test can check.
letter-statement-settings-fixed = We chose the noise and the limits without looking at the data.
letter-statement-release-reproduced = The model in use is the one that our updates produce.
letter-statement-code-clean = Nothing in the program itself was made from erased data.
letter-statement-answers-genuine = The answers that were audited are those of the system in use.
letter-statement-procedure-honest = The program does the same in an audit as in real use.
letter-statement-copies-are-others = Records that look like erased ones belong to other people.
letter-statement-store-holds-no-copies = What the audit could not read in our data store holds no erased data.
letter-statement-nothing-held = Of people whom we told that we hold nothing, we hold nothing.
letter-statement-refusals-grounded = Where we refused a request the law let us, and nobody withdrew one but the person.
letter-statement-extractor-private = The step that prepares the data was trained with enough noise to hide each person.
letter-statement-every-extractor = The limit would have been kept whatever that noise had been.
letter-statement-subjects-complete = Nobody has more data in the training than our log names for them.
letter-statement-loss-convex = The model keeps to the mathematical limits that we state for it.
letter-statement-loss-constants = The model keeps to the mathematical limits that we state for it.
letter-statement-dp-per-subject = Nobody else knows the secret number behind the noise, and our log names all data of each person.
letter-statement-dictionary-before = Before the training, the place where the data lay kept no trace of what was taken out.
letter-statement-nothing-before-training = Nothing was given out before the training, and the model was trained once.
letter-statement-training-data-destroyed = The training data, and all that was made from them but the model, are destroyed.
letter-statement-strongly-history-independent = What our system keeps depends on the data that are there, and not on how they came to be there.
letter-statement-controller-is-implementation = The program that the audit saw is all that keeps any of the data.
letter-statement-logical-deletion = To erase means: as if that person had never said anything.
letter-statement-ids-in-dictionary = The list of people lies in a place that keeps no traces.
letter-statement-one-release-channel = Nobody can make us publish something by asking for an erasure.
letter-statement-no-model-trained = No model was trained on these data, and we named every place that holds them.
letter-statement-people-declared = Our list says correctly whose each record is.
letter-statement-derivations-declared = Our list says correctly which records were made from which.
letter-statement-backups-clean = None of our backups keeps erased data beyond the day that we declared.
letter-statement-unsaid = { $said } Nobody has told the audit that this is so.
letter-statement-other = A further technical point holds, which the full report names.
