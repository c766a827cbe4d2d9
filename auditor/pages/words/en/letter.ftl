# The letter to one person: one page and overleaf. $data is "your data" or "the data of this request", $Data the same with a capital.

letter-data-yours = your data
letter-data-yours-first = Your data
letter-data-request = the data of this request
letter-data-request-first = The data of this request

letter-document = Letter about erasure request { $request }
letter-title = About your request to erase data
letter-to = To the person who made request { $request }
letter-date = As of
letter-reference = Your reference
letter-person = Our name for you
letter-officer = Data protection officer
letter-about = About
letter-release = { $name }, release { $release }
letter-goes-with = This letter goes with our reply. { $executed ->
    [yes] A program wrote it from what an audit found.
   *[no] A program wrote it from our log, which an audit read.
}
letter-goes-since = We answered you before the audit ended. { $executed ->
    [yes] A program wrote this from what the audit found.
   *[no] A program wrote this from our log, which the audit read.
}
letter-draft = DRAFT: not to be sent.
letter-draft-missing = What is missing is marked.
letter-blank-controller = [name of the controller: missing]
letter-blank-contact = [address of the controller: missing]
letter-blank-dpo = [data protection officer: missing]
letter-blank-authority = [name and address of the supervisory authority: missing]

# What became of it, in a line

letter-head-confirmed = { $Data } is recorded as erased, and was not found again
letter-head-found = Our log records an erasure, but the audit found { $data } again
letter-head-other = The model is not the one that our updates give. It may still hold what it learned from { $data }
letter-head-refuted = The audit found that the model did not forget erased data as it should
letter-head-failed = The audit could not confirm that the model forgot { $data }
letter-head-prepared = An erasure is recorded. But the audit found that the data on which we train was prepared with erased data
letter-head-untrue = An erasure is recorded. But the audit found that something that we stated is not true
letter-head-given-away = An erasure is recorded, but the audit found a way to learn about erased data
letter-head-contradicted = Our log contradicts itself about this request
letter-head-search-open = An erasure is recorded. The audit could not tell if all of { $data } is gone
letter-head-search-doubt = An erasure is recorded. The audit found no copy of { $data } where it searched, but a doubt is left
letter-head-search-said = An erasure is recorded. The audit found something that may be part of { $data }, and we say that it is other people's
letter-head-search-none = An erasure is recorded. The audit did not search for { $data }
letter-head-forgot-open = An erasure is recorded. The audit could not decide how well the model forgot
letter-head-places = { $Data } is recorded as erased, and was not found again in the places that were searched. No model was checked
letter-head-forgot-none = An erasure is recorded. The audit did not check how well the model forgot
letter-head-model-unseen = An erasure is recorded. The audit did not see the model itself
letter-head-model-part = An erasure is recorded. The audit saw only a part of the model
letter-head-model-open = An erasure is recorded. The audit could not tell if the model is the right one
letter-head-marked = According to our log, { $data } is only marked as erased. The audit did not find it where it searched
letter-head-in-doubt = { $Data } is recorded as erased, and was not found again. Whether that was in time is not settled
letter-head-late = { $Data } is recorded as erased, but late. It was not found again
letter-head-updated-late = { $Data } is recorded as erased, and was not found again. The model was updated late
letter-head-answered-late = { $Data } is recorded as erased, and was not found again. Our answer was late
letter-head-untested = { $Data } was not found again. What the model still shows is not decided
letter-head-open = { $Data } has not been erased yet
letter-head-open-late = { $Data } has not been erased yet, and this is late
letter-head-open-missing = Our log records no erasure of { $data }, but the audit did not find it where it found other people's data
letter-head-open-missing-late = Our log records no erasure of { $data }, and this is late. But the audit did not find it where it found other people's data
letter-head-open-erased = Our log records an erasure of { $data }, but the request is still open
letter-head-open-marked = According to our log, { $data } is only marked as erased, and the request is still open
letter-head-open-marked-late = According to our log, { $data } is only marked as erased, and the request is still open, which is late
letter-head-open-erased-late = Our log records an erasure of { $data }, but the request is still open, and this is late
letter-head-denied = We refused this request
letter-head-denied-bare = We refused this request, and have not recorded why
letter-head-denied-groundless = We refused this request, and have not recorded what in the law lets us
letter-head-revoked = This request was taken back
letter-head-no-match = We found no data to erase
letter-head-no-match-found = We found no data to erase, but the audit did
letter-head-not-located = We could not find { $data }
letter-head-unknown = The audit could not tell what became of this request

# Dates

letter-received = The request reached us on { $on }.
letter-also-asked = It also asks for something else: { $said }. This letter is about the erasure alone.
letter-due = An answer was due by { $on }.
letter-is-due = An answer is due by { $on }.
letter-answer-unsaid = Our log records no answer by that day.
letter-answered = We answered on { $on }.
letter-late-in-doubt = { $answered ->
    [yes] Our answer came after the due date.
   *[no] The due date has passed.
} { $awaits ->
    [identity] We had asked you to confirm who you are,
    [fee] We had asked you for a fee,
    [details] We had waited for you,
   *[several] We had asked you for more than one thing,
} and it is not decided whether that gave us more time.
letter-late-in-doubt-until = If it did, we had until { $latest } at most.
letter-due-own = We set that day ourselves. The law { $passed ->
    [yes] gave
   *[no] gives
} us until { $on }.
letter-due-moved = The deadline { $passed ->
    [yes] fell on { $on }, which was not a working day, so it moved
   *[no] falls on { $on }, which is not a working day, so it moves
} to the next working day.
letter-confirmed-late = On { $on } we confirmed that we had your request. That was late: it was due by { $by } (11 CCR 7021(a)).
letter-confirmed-late-after = On { $on } we confirmed that we had your request. That was late, and after our answer: it was due by { $by } (11 CCR 7021(a)).
letter-delay-reason = Our reason for the delay: { $reason }.
letter-late-answer = That is late, and we should have told you sooner.
letter-late = We are late with this, and we should have told you sooner.
letter-late-undone = We answered you in time. But we are late with what you ask.
letter-late-by = { $days ->
    [one] When the audit ended, we were 1 day late.
   *[other] When the audit ended, we were { $days } days late.
}
letter-late-reason = Our reason for being late: { $reason }.
letter-answer-perhaps = If you have had no answer, we are late, and we should have told you sooner.
letter-after-due = That was after the due date.
letter-after-answer = That was after we answered you.
letter-after-both = That was after we answered you, and after the due date.
letter-after-in-doubt = That was after the due date, unless { $awaits ->
    [identity] our wait for you to confirm who you are
    [fee] our wait for a fee from you
    [details] our wait for you
   *[several] our waits for you
} gave us more time, which is not decided.
letter-wrong-data = If we told you then that it was erased, that was wrong.
letter-wrong-model = If we told you then that the model had forgotten it, that was wrong.
letter-extended = On { $told } we told you that we needed more time. Our reason was: { $reason }. The new date is { $due }.
letter-extended-other = On { $told } we told you that we needed more time, until { $until }. Our reason was: { $reason }. { $why ->
    [longer] That is longer than the law allows. The date that counts is { $due }.
    [earlier] The law gives us until { $due } in any case, so that is the date that counts.
   *[own] The date that counts is { $due }.
}
letter-extended-undated = On { $told } we told you that we needed more time. Our reason was: { $reason }. No new date is recorded, so the longest time that the law allows counts: until { $due }.
letter-extended-waiting = On { $told } we told you that we needed more time, until { $until }. Our reason was: { $reason }. That day may still move, as we are waiting for something from you.
letter-extended-waiting-undated = On { $told } we told you that we needed more time. Our reason was: { $reason }. No new date is recorded.
letter-extension-void = On { $told } we told you that we needed more time. That was too late to count, so the date stays as it was.
letter-extension-void-perhaps = On { $told } we told you that we needed more time. That was too late to count, unless { $awaits ->
    [identity] our wait for you to confirm who you are
    [fee] our wait for a fee from you
    [details] our wait for you
   *[several] our waits for you
} gave us more time.
letter-extension-no-reason = On { $told } we told you that we needed more time, but not why. So the date stays as it was.
letter-extension-untold = We wanted more time, but have no record that we told you. So the date stays as it was.
letter-waiting = { $awaits ->
    [identity] We asked you to confirm who you are, and are waiting for it.
    [fee] We asked you for a fee, and are waiting for it.
   *[several] We asked you for a fee and to confirm who you are, and are waiting for both.
}
letter-waiting-for = { $awaits ->
    [identity] On { $on } we asked you to confirm who you are: { $reason }.
   *[fee] On { $on } we asked you for a fee: { $reason }.
}
letter-waiting-begins = The law gives us { $extended ->
    [yes] one month to answer, and up to two more, as we gave you notice. That time
   *[no] one month to answer. It
} begins when we have { $awaits ->
    [identity] your proof
    [fee] the fee
   *[several] both your proof and the fee
} (Article 12A of the UK GDPR).
letter-paused-for = { $awaits ->
    [identity] We say that from { $on } to { $until } we were waiting for you to confirm who you are: { $reason }.
    [fee] We say that from { $on } to { $until } we were waiting for a fee from you: { $reason }.
   *[other] We say that from { $on } to { $until } we were waiting for details from you: { $reason }.
}
letter-paused = Our time to answer began on { $begins }, when we had { $awaits ->
    [identity] your proof
    [fee] the fee
   *[several] both your proof and the fee
} (Article 12A of the UK GDPR).
letter-paused-unchecked = Nobody checked this.

letter-short-confirmed = In short: what the audit could examine agrees with our log. { $statements ->
    [0] What it did not check is listed below.
   *[other] It did not check everything, and part of it rests on our word: both are listed below.
}
letter-short-kept = Some of it we keep: see below.
letter-short-kept-past = According to our log, some of it was kept until a day that has passed: see below.
letter-short-open = { $late ->
    [late] In short: this was late. The audit could not examine or settle all that our log says.
    [unanswered] In short: our log records no answer by the due date. The audit could not examine or settle all that our log says.
    [marked] In short: according to our log, this erasure is not complete. The audit could not examine or settle all that our log says.
    [received] In short: our log and a receipt do not agree on who received the data. The audit could not examine or settle all that our log says.
    [notified] In short: our log and a receipt do not agree on who was notified of the erasure. The audit could not examine or settle all that our log says.
    [answered-first] In short: we answered you before we were done. The audit could not examine or settle all that our log says.
    [perhaps] In short: it is not settled whether this was in time. The audit could not examine or settle all that our log says.
   *[no] In short: the audit found nothing that contradicts our log, but could not examine or settle all of it.
}
letter-short-against = In short: the audit found a reason not to rely on this erasure yet.

# The table

letter-row-stored = Stored data
letter-row-kept = What we keep
letter-row-model = The model
letter-row-forgot = How well it forgot
letter-row-received = Who received it
letter-row-unchecked = Not checked
letter-row-decision = Our decision
letter-row-ground = Legal ground
letter-row-exception = Exception relied on
letter-row-unverified = Rule relied on
letter-row-reason = Our reason
letter-row-needed = What we need from you
letter-row-next = What happens next
letter-row-found = What was found
letter-row-withdrawn = Withdrawal

letter-word-gone = not found again
letter-word-no-copy = no copy in our data store
letter-word-said = no copy, on our word
letter-word-found = found again
letter-word-undecided = not decided
letter-word-unchecked = not checked
letter-word-examined = the one that our updates give
letter-word-part = examined in part
letter-word-other = not the right one
letter-word-unconfirmed = not confirmed
letter-word-prepared = prepared with erased data
letter-word-refuted = not as it should
letter-word-given-away = erased data shows
letter-word-no-trace = no trace found
letter-word-only-model = about the model alone
letter-word-only-procedure = about our procedure alone
letter-word-trial = no trace in a trial
letter-word-chance = no better than a coin toss
letter-word-not-yet = not yet
letter-word-refused = refused
letter-word-by-log = according to our log

letter-erased = Recorded as erased on { $on }.
letter-dated = Our log records an erasure, dated { $on }.
letter-undated = Our log records an erasure, but no date.
letter-searched-file = The audit searched our data store and the model file. It did not find { $data } there.
letter-searched-store = The audit searched our data store for copies of { $data }. It found none there.
letter-searched-said = The audit searched our data store for copies of { $data }. It found something there that may be part of it. That it is other people's is what we say (overleaf); nobody checked it.
letter-searched-said-of-some = It found something there that may be somebody's erased data. That it is other people's is what we say (overleaf); nobody checked it.
letter-searched-in-part = The audit could not read all that we keep. That the rest holds no copy is what we say; nobody checked it.
letter-searched-program = That our program keeps no copy is what we say; nobody checked it.
letter-searched-plain = The audit cannot find copies that are encrypted or disguised.
letter-searched-copies = What can be learned from the model is another question: see below.
letter-found = The audit found { $data } again in what we still keep.
letter-search-open = The audit searched for { $data }, but could not tell whether all of it is gone.
letter-search-doubt = The audit searched for { $data } and found no copy. Some of it may still be left in what the audit could not examine:
letter-search-quoted = The audit searched for { $data }, but could not tell whether all of it is gone. Some of it may still be left in:
letter-doubt-quoted = texts that we keep and that may quote it
letter-doubt-untold = texts that it could not tell from other people’s
letter-doubt-answers = answers of our system of which nobody says that they are genuine
letter-doubt-terms = answers of our system that could not be searched for every name
letter-doubt-code = { $size } of our program's code
letter-doubt-program = what our program keeps when it runs
letter-doubt-model = the model file
letter-doubt-store = parts of our data store
letter-doubt-places = places that it could not read in full
letter-doubt-copies = records that we keep and that look like it
letter-doubt-other = something else that we keep
letter-searched-no-copy = The audit searched for { $data } and found no copy.
letter-prepared = The audit found that the data on which we train was prepared with erased data. Something of { $data } may be left in it.
letter-search-none = The audit did not search for { $data } in what we keep.
letter-logical = According to our log, { $data } is only marked as erased, and not yet overwritten.
letter-overwritten-unknown = According to our log, it is not known whether { $data } was overwritten.
letter-not-erased = We have not erased { $data } yet.
letter-open-missing = Our log records no erasure of { $data }. But in places where the audit found other people's data, it did not find { $data }. It was not searched for as erased data is.
letter-open-erased = Our log records an erasure of { $data } from what we store, dated { $on }.
letter-open-marked = According to our log, { $data } was marked as erased on { $on }, and is not yet overwritten.
letter-open-unsearched = The audit did not search for the data, since the request is still open.
letter-open-noticed = But it noticed that the data is missing from places where it found other people's data.
letter-open-unexplained = It is not recorded why the request is still open.

letter-kept = We keep { $what }: { $why }.
letter-kept-until = We keep { $what } until { $on }: { $why }.
letter-kept-until-past = Our log says that we keep { $what } until { $on }: { $why }. That day has passed, and our log does not say if we still do.
letter-kept-more = { $count ->
    [one] 1 more thing is in our log.
   *[other] { $count } more things are in our log.
}
letter-kept-unchecked = This is what we say. Nobody checked if we may keep it.

letter-updated = Updated on { $on }.
letter-update-dated = Our log records an update, dated { $on }.
letter-update-undated = The audit was not told when the model was updated.
letter-not-updated = The model has not been updated for this request yet.
letter-may-still-hold = It may still hold what it learned from { $data }.
letter-in-use = This version has been in use since { $on }.
letter-in-use-not = We say that this version has been in use since { $on }. That cannot be: according to our log, it was updated for this request after that day.
letter-in-use-from = This version is not in use yet. It will be used from { $on }. The audit did not examine the version in use until then.
letter-in-use-unsaid = It is not recorded whether this version is in use yet.
letter-model-answers = The audit did not see the model. It examined answers of the model that we wrote down; nobody checked that they are real.
letter-model-unseen = The audit did not see the model file. It tested the way we update the model.
letter-model-part = The audit saw one part of the model, and not the others. It tested the way we update the model.
letter-model-open = The audit saw the model file. It could not tell if our updates produce it.
letter-model-unknown = But our log dates an update of a model, on { $on }. The audit was shown no model.
letter-model-denied = We stated that none was trained on these data, which contradicts it.
letter-model-prepared = We train it on data that was prepared with erased data, so it may hold something of { $data }.
letter-model-other = It is not the model that our updates produce.

letter-despite-model = This is about the model, and not about { $data } that we still store.
letter-despite-procedure = This is about the way we update the model, and not about { $data } that we still store.
letter-guesses = Suppose someone has to tell from the model if { $data } was ever used. At most { $most } of 100 such guesses would be right; tossing a coin gives 50.
letter-guesses-chance = Suppose someone has to tell from the model if { $data } was ever used. They can do no better than toss a coin: { $most } of 100 such guesses are right.
letter-guesses-rerun = It is worked out for our way of updating the model. The audit did not see the model in use.
letter-rests-on = { $count ->
    [0] This does not rest on our word.
    [one] This holds if 1 statement is true, which nobody has checked. It is overleaf.
   *[other] This holds if { $count } statements are true, which nobody has checked. They are overleaf.
}
letter-attacks = The audit tested whether the model forgot { $data }, and found no trace. There is no promise in numbers.
letter-forgot-open = The audit could not decide how well the model forgot { $data }.
letter-trial = In a trial, the audit tested our way of updating the model, and found no trace. It could not tell what the model in use still shows of { $data }. There is no promise in numbers.
letter-no-number = There is no promise in numbers.
letter-forgot-refuted = The audit found that the model did not forget erased data as it should. The reasons are overleaf.
letter-forgot-other = The audit could not test the right model, so it cannot say how well that forgot { $data }. The reasons are overleaf.
letter-forgot-failed = The audit could not confirm that the model forgot { $data }. The reasons are overleaf.
letter-left-alone = In the audit's tests the model behaved like one from which nothing was erased.
letter-places-alone = The audit searched places with stored data, and no others. It examined no model.
letter-forgot-unchecked = No part of this audit checked how well the model forgot { $data }.
letter-picked = Someone who has this model and the one before it can tell that { $data } was erased. A test picked it out among records like it.
letter-not-picked = A test compared this model with the one before it. It did not pick { $data } out among records like it.

letter-recipients-none = Our log says that nobody else received it.
letter-recipients-against = But { $names } gave us a receipt that names this request, which contradicts it.
letter-recipients-against-all = But { $names } gave us a receipt for erasing data that covers this request too. If { $names } had received { $data }, our log is wrong.
letter-recipients-against-untold = { $names } gave us a receipt that covers this request, which contradicts our log.
letter-recipients-against-notice = { $names } gave us a receipt before being notified, according to our log: the two do not agree.
letter-recipients-others = The audit cannot tell if anyone else who is named there received { $data }.
letter-recipients-contradict = The audit cannot tell if that is about { $data }.
letter-recipients-unsaid = The audit was not told.
letter-recipient-told = { $name } was notified of the erasure on { $on }.
letter-recipients-told = According to our records, everyone who received it was notified of the erasure on { $on }.
letter-recipients-told-undated = According to our records, everyone who received it was notified of the erasure. The day is not recorded.
letter-recipient-told-early = { $name } was notified on { $on }. According to our records, that was before the erasure.
letter-recipients-told-early = According to our records, everyone who received it was notified on { $on }. That was before the erasure.
letter-recipient-told-impossible = Our log says that { $name } was notified on { $on }. That is before your request reached us, so the day cannot be right.
letter-recipients-told-impossible = Our log says that everyone who received it was notified on { $on }. That is before your request reached us, so the day cannot be right.
letter-recipient-told-undated = { $name } was notified of the erasure. The day is not recorded.
letter-recipients-outside = We declared of those who receive data: { $what }.
letter-recipients-untold = Those who received it have not been notified of the erasure yet.
letter-recipient-untold = { $name } has not been notified of the erasure yet.
letter-recipients-more-told = Notified as well, according to our log: { $names }.
letter-recipients-more-untold = Not notified yet either: { $names }.
letter-recipients-ask = You can ask us who received it.
letter-recipients-ask-article = You can ask us who received it (Article 19 { $law }).

letter-unchecked-declared = { $names }, which we named.
letter-unchecked-rest = Any place that we did not name, and any other model made from the same data.
letter-unchecked = Any other place, such as a backup or a copy that others hold, and any other model made from the same data. We named no such place.
letter-unchecked-base = The model builds on files that were made earlier. What those were made from was not checked.
letter-unchecked-said = What we say about what we named is overleaf.
letter-unchecked-further = Overleaf are statements of ours that nobody checked.
letter-unsettled-overleaf = Overleaf is what the audit tested and could not settle.

letter-denied = We refused to erase { $data }. The audit does not say whether we were right to refuse.
letter-denied-unverified = We could not verify who you are, so we denied the request (11 CCR 7022(a)).
letter-denied-logged = Our log says that we refused this request. The audit does not say whether we were right to.
letter-denied-model = We did not update it for this request. It may still hold what it learned from { $data }.
letter-exception-a = { $said }, which is about freedom of expression and information.
letter-exception-b = { $said }, which is about a legal obligation or a public task.
letter-exception-c = { $said }, which is about public health.
letter-exception-d = { $said }, which is about archives, research or statistics.
letter-exception-e = { $said }, which is about legal claims.
letter-reason-owed = We owe you a reason, and the audit counts it as a failure that none is recorded.
letter-no-reason = The audit was given no reason. Our reply should give you one.
letter-no-exception = The audit was given none. Our reply should name it.
letter-revoked = Our log says that the request was taken back, so nothing was erased because of it. If you did not take it back, please tell us.
letter-revoked-logged = Our log says that the request was taken back. If you did not take it back, please tell us.
letter-no-match = Our log says that we found nothing to erase.
letter-searched-unsaid = It does not say where we looked.
letter-no-match-found = The audit found data that our log names for this request.
letter-no-match-word = That we hold nothing about you under any name is what we say. Nobody checked it.
letter-no-match-unsaid = Nobody has stated that we hold nothing about you under any other name.
letter-searched-as-logged = It says of the search: { $said }.
letter-withdrawn-as-logged = Our log says of this: { $said }.
letter-asked-reason = Our log says of this: { $said }.
letter-further-checked = If we may know you under another name, address or account number, please tell us, so that we can look again.
letter-further = Data under another name may still be there. Please send us further details, such as other names, addresses or account numbers, so that we can look again.
letter-not-located = Our log names data for this request, but the audit did not find it in the training data. So nobody can say that it was erased.
letter-unknown = This letter has no words for what our log says.
letter-contradicted = The audit could not tell from our log what was done.

letter-next-undertaken = We will do this: { $what }.
letter-next-undertaken-by = We will do this by { $on }: { $what }.
letter-next-passed = We undertook to do this by { $on }: { $what }. That day has passed.
letter-next-beyond = That day is too late: the law { $extended ->
    [yes] and our notice of more time give us
   *[no] gives us
} until { $on }.
letter-next-undertook = We undertook this: { $what }.
letter-next-undertook-by = We undertook to do this by { $on }: { $what }.
letter-next-erased = We recorded the erasure on { $on }.
letter-next-unsaid = Our log does not say if more of this is still to be done.
letter-next-not-notified = According to our log, not everyone who received the data has been notified yet. It does not say if that is part of this.
letter-next-day-passed = That day has passed.
letter-next-perhaps = Our log does not say if that was done.
letter-next-reply = Our reply should tell you what we will do, and by when. If it does not, please ask us.

# Rights

letter-rights-title = If you do not agree
letter-rights-complain = You can complain at any time to this supervisory authority:
letter-rights-complain-uk = You can complain to this supervisory authority:
letter-rights-complain-ccpa = You can complain at any time to one of these authorities:
letter-rights-eu = You can also complain where you live or work. You can go to court as well (Articles 77 and 79 of the GDPR).
letter-rights-uk-before = You can go to court as well (Articles 77 and 79 of the UK GDPR).
letter-rights-uk = You can also complain to us (section 164A of the Data Protection Act 2018). We then have to confirm within 30 days that we received it, and to tell you the outcome without undue delay. The authority may ask you to do that before it examines your complaint (section 165). You can go to court as well (Article 79 of the UK GDPR).
letter-authority-uk = The United Kingdom's data protection authority (ICO), ico.org.uk/make-a-complaint
letter-authority-ccpa = California Privacy Protection Agency, cppa.ca.gov, or the Attorney General of California, oag.ca.gov
letter-rights-contact = If you have a question or a complaint, you can reach us here:
letter-rights-first = You do not have to write to us first. If you have a question, you can reach us here:
letter-law-eu = of the GDPR
letter-law-uk = of the UK GDPR

# Overleaf

letter-statements-title = Statements that nobody has checked
letter-statements-lead = The number on the first page holds only if all of these are true. The report on the whole audit counts what its own result needs, so its list may differ.
letter-stated-by = { $count ->
    [one] One of them was
   *[other] { $count } of them were
} stated on { $on } by { $by }.
letter-stated-before = That was before we had your request.
letter-stated-for-another = This was stated for an earlier audit, of { $day }, and not again since.
letter-stated-for-release = This was stated for version { $release }, audited on { $day }, and not again since.
letter-further-title = What else we say, and nobody checked
letter-further-by-before = Stated on { $on } by { $by }, before we had your request:
letter-further-by = Stated on { $on } by { $by }:
letter-number-title = What the number means
letter-number-game = Picture two models, both made and updated the way we do it. For one we had { $data } until it was erased. For the other we never had it. Someone gets one of the two, by the toss of a coin, and has to say which.
letter-number-declared = The number is the limit that we set. { $count ->
    [0] The audit calculates that it is kept.
   *[other] The audit calculates that it is kept, provided that the statements above are true.
} The report on the whole audit may give a lower one, since it counts what all requests used of the limit.
letter-number-retrained = The number rests on no limit that we set. { $count ->
    [0] By the audit's calculation, an update leaves nothing of { $data } in the model.
   *[other] By the audit's calculation, an update leaves nothing of { $data } in the model, if the statements above are true.
}
letter-number-derived = The number is not a limit that we set. { $count ->
    [0] The audit worked it out from the way we make and update the model.
   *[other] The audit worked it out from the way we make and update the model, if the statements above are true.
}
letter-number-useless = That is no useful promise: someone may be right nearly every time.
letter-number-person = { $count ->
    [one] It covers the one record that our log names for you.
   *[other] It covers the { $count } records that our log names for you, all of them together.
}
letter-number-own = { $count ->
    [one] It covers your one record in this request.
   *[other] It covers your { $count } records in this request, all of them together.
}
letter-number-request = { $count ->
    [one] It covers the one record of this request.
   *[other] It covers the { $count } records of this request, all of them together.
}
letter-number-not = It does not cover older versions of the model, or copies that others hold. And the model still knows what it learned from other people.
letter-found-title = What the audit found
letter-untrue = We stated this, and the audit found that it is not true: { $said }
letter-limits-title = What is still open
letter-limits-unsettled = The audit tested this, and could not settle it:
letter-limits-topics = The audit did not test this:
letter-limits-quick = This was a quick audit with small samples. A full one may find more.
letter-unchecked-made-before = Made from the model as it was before this erasure, according to our dates: { $names }.
letter-unchecked-made-unclear = Made from the model, and our dates do not say if that was before this erasure: { $names }.
letter-receipt = { $name } gave us a receipt for erasing data, dated { $on }. We keep it (SHA-256 { $sha256 }…); nobody checked what it says.
letter-made = { $name }, made from the model: { $said } So says { $by }.
letter-outside-said = What we say about places that nobody checked:
letter-outside-until = { $name }: { $what }. Gone by { $until }, says { $by }.
letter-outside-before = { $name }: { $what }. Gone by { $until }, says { $by }. Our log dates the erasure after that day, so nobody says when the last copy there is gone.
letter-outside-found = { $name }: { $what }. Gone by { $until }, says { $by }. But the audit found { $data } again. Copies made since then may hold it too, and that date does not cover them.
letter-outside-marked = { $name }: { $what }. Gone by { $until }, says { $by }. But { $data } is only marked as erased. Copies made since then may hold it too, and that date does not cover them.
letter-outside-unknown = { $name }: { $what }. Gone by { $until }, says { $by }. But it is not known if { $data } was overwritten. Copies made since then may hold it too, and that date does not cover them.
letter-outside-short = { $name }: { $what }. Gone by { $until }, says { $by }. Counted from { $erased }, which our log has as the day of the erasure, that day is too early, so the last copy there may be gone later.
letter-outside-plain = { $name }: { $what }. So says { $by }.
letter-own-title = What our log says against itself
letter-check-title = About this letter
letter-run-by-self = We ran the audit ourselves.
letter-run-by-internal = Colleagues in our own organisation ran the audit.
letter-run-by-third-party = Another organisation ran the audit.
letter-run-by-unsaid = It is not recorded who ran the audit.
letter-limits-declared = The audit used limits that we declared. It cannot tell when we chose them, so we may have chosen them to fit.
letter-not-advice = This letter does not say that nobody can recognise you in the model, and it is not legal advice.
letter-only-yours = It says nothing about any other request.
letter-verify = Anyone can check it with the program “auditor verify”, which reads the file letter.json in the PDF. The report on the whole audit is about other people's requests too. The authority can ask us for it, and for the evidence.
letter-legend = ● examined ◐ in part, or on our word ■ not in order ◇ not decided ○ not checked
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
letter-finding-STATUS_CONTRADICTED = Our log gives a date of erasure, and a status that says otherwise.
letter-finding-DUE_BEFORE_RECEIVED = Our log says that the answer was due before the request reached us.

# Statements, by the name that is attested, or by the fact that has none

letter-statement-log-complete = Our list of erasure requests is complete.
letter-statement-requests-fixed = Nobody chose what to have erased after seeing a model that we had published.
letter-statement-requests-fixed-number = Nobody chose what to have erased after seeing a model that we had published. Such a choice may reveal more than the number allows for.
letter-statement-own-request-fixed = You did not choose what to have erased after seeing a model that we had published.
letter-statement-seen-releases = Those who asked had seen no more of our models than we say.
letter-statement-preprocessing-clean = No earlier step of preparing the data keeps a trace of erased data, and nothing that we keep was made from erased data.
letter-statement-seed-secret = The secret number behind the noise was drawn at random, and only we know it.
letter-statement-residual-independent = What is left in the model after an update does not depend on the secret noise. No test can check this.
letter-statement-settings-fixed = We chose the noise and the limits without looking at the data.
letter-statement-release-reproduced = The model in use is the one that our updates produce.
letter-statement-code-clean = Nothing in the program itself was made from erased data.
letter-statement-answers-genuine = The answers that were audited are those of the system in use.
letter-statement-embedding-genuine = The function that was audited is the one that computes the stored vectors.
letter-statement-procedure-honest = The program does the same in an audit as in real use.
letter-statement-copies-are-others = Records that look like erased ones belong to other people.
letter-statement-store-holds-no-copies = What the audit could not read in our data store holds no erased data.
letter-statement-nothing-held = Where we told somebody that we hold nothing about them, that is true.
letter-statement-refusals-grounded = The law allowed us to refuse each request that we refused, and each request that was withdrawn was withdrawn by the person who made it.
letter-statement-extractor-private = The step that prepares the data was trained with enough noise to hide each person.
letter-statement-every-extractor = The limit would have been kept whatever that noise had been.
letter-statement-subjects-complete = For each person who asked, our log names all the data of theirs that the training used.
letter-statement-subjects-complete-places = For each person who asked, our log names all of their records.
letter-statement-loss-convex = The model keeps to the mathematical limits that we state for it.
letter-statement-loss-constants = The model keeps to the mathematical limits that we state for it.
letter-statement-dp-per-subject = Nobody else knows the secret number behind the noise, and our log names all data of each person.
letter-statement-dictionary-before = Before the training, the place where the data lay kept no trace of what was taken out.
letter-statement-nothing-before-training = Nothing was given out before the training, and the model was trained once.
letter-statement-training-data-destroyed = We have destroyed the training data, and all that was made from them but the model.
letter-statement-strongly-history-independent = What our system keeps depends on the data that are there, and not on how they came to be there.
letter-statement-controller-is-implementation = The program that the audit saw is all that keeps any of the data.
letter-statement-logical-deletion = To erase means: as if that person had never said anything.
letter-statement-answers-from-own-data = What we answer a person does not depend on what other people gave us.
letter-statement-ids-in-dictionary = The list of people lies in a place that keeps no traces.
letter-statement-one-release-channel = Nobody can make us publish something by asking for an erasure.
letter-statement-first-part-strongly-history-independent = What the first half of our system keeps depends on the data that are there, and not on how they came to be there.
letter-statement-first-part-answers-without-chance = What the first half of our system answers owes nothing to chance.
letter-statement-second-part-strongly-history-independent = What the second half of our system keeps depends on the data that are there, and not on how they came to be there.
letter-statement-parts-share-nothing = The two halves of our system share nothing that either keeps.
letter-statement-parts-answer-the-asker = Our system answers those who ask it, and sends nothing to anybody else.
letter-statement-lineage-complete = We named everything that was made from the model.
letter-statement-no-model-trained = No model was trained on the data that was audited, and we named every place that holds it.
letter-statement-no-model-trained-kept = No model was trained on the data that was audited, and we named every place that holds it. What we keep (see the first page) may lie elsewhere.
letter-statement-people-declared = Our list says correctly whose each record is.
letter-statement-derivations-declared = Our list says correctly which records were made from which.
letter-statement-backups-clean = None of our backups still holds erased data.
letter-statement-backups-by = None of our backups keeps erased data beyond the day that we declared.
letter-statement-unsaid = { $said } We have not stated this to the audit.
letter-statement-other = A further technical point holds, which the full report names.
