# The reply to one person, which the letter goes with. $data is "your data" or "the data of this request", $law "of the GDPR".

reply-document = Reply to erasure request { $request }
reply-note = Draft reply. A program wrote it from the log and from what an audit found. Fill in the [brackets]: each ends with the log column or the audit.toml key that fills it, or begins with “by hand”. Check the rest, and delete this paragraph. It can be edited, is not signed and is not evidence.
reply-foot = Draft reply · not evidence
reply-title = Your request for erasure, which we received on { $on }
reply-title-part = Your request for erasure, which we received on { $on }: what we erased, and what we keep
reply-date = Date
reply-dear = Dear
reply-sincerely = Yours sincerely,
reply-enclosure = Enclosure: letter about erasure request { $request }, with what an audit found
reply-enclosed = The enclosed letter says what an audit examined, what it found, and what nobody checked.

reply-title-reason = Why we refused
reply-title-ground = The ground of your request
reply-title-erased = What we erased, and when
reply-title-logged = What our records say of the erasure
reply-title-kept = What we keep, and why
reply-title-received = Who received it
reply-title-places = Backups and other places
reply-title-places-made = Backups, other places, and what was made from the model
reply-title-california = What the law of California asks us to tell you
reply-title-identity = How we know who you are
reply-title-identity-unproven = How we tried to check who you are
reply-title-needed = What we need from you
reply-title-next = What we will do

# What became of it: of an erasure in two sentences, what was erased, and what an audit says. $it is "it" or "what we erased".

reply-also-asked = Our records say that you also asked for something else: { $said }. What we write here is about the erasure alone.
reply-erased = According to our records, we have erased { $data }.
reply-erased-part = According to our records, we have erased { $data }, except for what we keep: { $kept }.
reply-erased-part-listed = According to our records, we have erased { $data }, except for what we keep and list below.
reply-erased-unknown = They do not tell whether it was overwritten.
reply-it = it
reply-it-part = what we erased

reply-decision-confirmed = An audit searched for { $it }, and did not find it again.
reply-decision-places = An audit searched for { $it } in the places that we named, and did not find it there. It checked no model.
reply-decision-marked = According to our records, { $data } is marked as erased, and not yet overwritten. An audit searched for { $it }, and did not find it where it searched.
reply-decision-in-doubt = An audit searched for { $it }, and did not find it again. Whether we were in time is not settled.
reply-decision-late = We did so late. An audit searched for { $it }, and did not find it again.
reply-decision-updated-late = We updated the model late. An audit searched for { $it }, and did not find it again.
reply-decision-answered-late = An audit searched for { $it }, and did not find it again.
reply-decision-untested = An audit searched for { $it }, and did not find it again. What the model still shows is not decided.
reply-decision-search-open = An audit could not tell if all of { $it } is gone.
reply-decision-search-doubt = An audit searched for { $it } and found no copy. Some of it may still be left in what the audit could not examine:
reply-decision-search-said = An audit searched for { $it }, and found something that may be part of it. That it is other people's is what we say; nobody checked it.
reply-decision-search-none = An audit did not search for { $it }.
reply-decision-forgot-open = An audit could not decide how well our model forgot { $it }.
reply-decision-forgot-none = An audit did not check how well our model forgot { $it }.
reply-decision-model-unseen = An audit did not see our model itself.
reply-decision-model-part = An audit saw only a part of our model.
reply-decision-model-open = An audit could not tell if our model is the right one.
reply-decision-other = But an audit found that our model is not the one that our updates give. It may still hold what it learned from { $data }.
reply-decision-refuted = But an audit found that our model did not forget erased data as it should.
reply-decision-prepared = But an audit found that the data on which we train was prepared with erased data. Something of { $it } may be left in it.
reply-decision-untrue = But an audit found that something that we stated is not true.
reply-decision-given-away = But an audit found a way to learn about erased data.
reply-decision-failed = But an audit did not confirm that our model forgot { $it }.
reply-decision-found = Our records say that we erased { $data }. But an audit found it again in what we still keep.
reply-decision-found-part = Our records say that we erased { $data }, except for what we keep and list below. But an audit found data again that these records call erased.
reply-decision-contradicted = An audit could not tell from our records what was done.
reply-decision-open = We have not erased { $data } yet.
reply-decision-open-late = We have not erased { $data } yet.
reply-decision-open-missing = Our records show no erasure of { $data }. But an audit did not find it where it found other people's data.
reply-decision-open-missing-late = Our records show no erasure of { $data }. But an audit did not find it where it found other people's data.
reply-decision-open-erased = According to our records, we have erased { $data } from what we store. Your request is still open.
reply-decision-open-erased-late = According to our records, we have erased { $data } from what we store. Your request is still open.
reply-decision-open-erased-part = According to our records, we have erased { $data } from what we store, except for what we keep and list below. Your request is still open.
reply-decision-open-erased-late-part = According to our records, we have erased { $data } from what we store, except for what we keep and list below. Your request is still open.
reply-decision-open-marked = According to our records, { $data } is marked as erased, and not yet overwritten. Your request is still open.
reply-decision-open-marked-late = According to our records, { $data } is marked as erased, and not yet overwritten. Your request is still open.
reply-denied-unverified = We could not verify who you are, so we denied your request (11 CCR 7022(a)).
reply-decision-denied = We have refused to erase { $data }, for the reason below.
reply-decision-denied-bare = We have refused to erase { $data }, for the reason below.
reply-decision-denied-groundless = We have refused to erase { $data }, for the reason below.
reply-decision-revoked = According to our records, you took this request back, so nothing was erased because of it. If you did not take it back, please tell us.
reply-decision-no-match = According to our records, we looked for data about you, and found none.
reply-decision-no-match-found = Our records say that we hold no data about you. But an audit found data that they name for this request.
reply-decision-not-located = Our records name data for this request. An audit did not find it in the training data.
reply-decision-unknown = An audit could not tell what became of this request.
reply-searched = Our records say of the search: { $said }.
reply-withdrew = Our records say of this: { $said }.

# When: what held an answer up, and whether it is late

reply-late-dated = This answer is late, and we should have told you sooner. It was due by { $on }.
reply-late-open = We should have done what you ask, or told you why not, by { $on }.
reply-late-perhaps = Our records show no answer by that day. If you have had none, we are late, and should have told you sooner.
reply-late-by-perhaps = { $days ->
    [one] In that case, we were 1 day late when the audit ended, on { $ended }.
   *[other] In that case, we were { $days } days late when the audit ended, on { $ended }.
}
reply-late-by = { $days ->
    [one] When the audit ended, on { $ended }, we were 1 day late.
   *[other] When the audit ended, on { $ended }, we were { $days } days late.
}
reply-late-counted = That counts all of the time in which we waited for you.
reply-late-reason = Our reason: { $reason }.
reply-answered = We first answered you on { $on }.
reply-wrote = We wrote to you about it on { $on }.
reply-is-due = The law gives us until { $on } to answer you.
reply-waited-identity = From { $on } to { $until } we waited for you to confirm who you are.
reply-waited-fee = From { $on } to { $until } we waited for you to pay a fee.
reply-waited-details = From { $on } to { $until } we waited for details from you.
reply-waited-unsaid = From { $on } to { $until } we waited for you.
reply-waited-in-vain = That did not give us more time to answer.
reply-asked-identity = On { $on } we asked you to confirm who you are.
reply-asked-fee = On { $on } we asked you for a fee.
reply-asked-details = On { $on } we asked you for details that we need.
reply-asked-unsaid = Since { $on } we have waited for you.
reply-asked-reason = Our records say of this: { $said }.
reply-still-waiting = { $awaits ->
    [identity] According to our records, we have not received any proof yet.
    [fee] According to our records, we have not received the fee yet.
    [details] According to our records, we have not received these details yet.
   *[several] According to our records, we have not received all of this yet.
}
reply-began = According to our records, our time to answer began on { $on }, when we had { $awaits ->
    [identity] your proof
    [fee] the fee
   *[several] both your proof and the fee
} (Article 12A of the UK GDPR).
reply-doubt-due = An answer was due by { $on }, unless this wait gave us more time. Whether it did is not decided.
reply-doubt = { $awaits ->
    [identity] It did only if we had reasonable doubts about who you are, and asked you without undue delay (Article 12(6) { $law }).
    [fee] It did only if your request was manifestly unfounded or excessive, so that we could ask for a fee (Article 12(5) { $law }).
   *[several] It did only if we had reasonable doubts about who you are and asked you without undue delay, or could ask for a fee (Article 12(5) and 12(6) { $law }).
}
reply-doubt-uk = By Article 12A of the UK GDPR our time begins when we have what we asked you for. Our records do not say that we ever had it.

reply-needed-identity = Please send us proof of your identity, so that nobody else can have your data erased. We may ask for it where we have reasonable doubts (Article 12(6) { $law }).
reply-needed-identity-ccpa = Please show us that the data is about you, so that nobody else can have it deleted. This does not stop our time to answer, which is counted from the day on which we received your request (11 CCR 7021(b)).
reply-needed-unverified = If we cannot verify in that time who you are, we may deny your request, and then have to tell you so (11 CCR 7021(b) and 7022(a)).
reply-needed-fee = If you think that we may not charge the fee, please tell us why. Otherwise, please pay it.
reply-needed-details = Please send us the details that we asked you for.
reply-needed-contact = You can reach us here:

reply-refused-reason = Our reason
reply-refused-exception = Exception that we rely on
reply-refused-unverified = Rule that we rely on
reply-refused-law = Legal ground

# Article 17(1) and (3), in our words

reply-ground-a = We no longer need the data for what we collected it for (Article 17(1)(a) { $law }).
reply-ground-b = You withdrew your consent, and nothing else allows us to use the data (Article 17(1)(b) { $law }).
reply-ground-c = You objected to our use of the data (Article 17(1)(c) { $law }).
reply-ground-d = The data was used unlawfully (Article 17(1)(d) { $law }).
reply-ground-e = The law obliges us to erase the data (Article 17(1)(e) { $law }).
reply-ground-f = The data was collected when an online service was offered to a child (Article 17(1)(f) { $law }).
reply-ground-ccpa = You asked under section 1798.105 of the California Civil Code. It asks for no ground.
reply-ground-part = This is so for what we erased. For what we keep there are other reasons: see below.
reply-exception-a = This is needed for free expression and information (Article 17(3)(a) { $law }).
reply-exception-b = The law obliges us to keep this, or a public task needs it (Article 17(3)(b) { $law }).
reply-exception-c = Public health needs this (Article 17(3)(c) { $law }).
reply-exception-d = Archiving in the public interest, research or statistics need this (Article 17(3)(d) { $law }).
reply-exception-e = This is needed to bring or to defend legal claims (Article 17(3)(e) { $law }).

reply-stored = Stored data: erased on { $on }, according to our records.
reply-stored-part = Stored data, but for what we keep: erased on { $on }, according to our records.
reply-stored-marked = Stored data: marked as erased on { $on }, according to our records, and not yet overwritten.
reply-stored-undated = Stored data: according to our records, erased on
reply-stored-unknown = Stored data: erased on { $on }, according to our records. They do not tell if it was overwritten.
reply-model = The model: updated on { $on }, according to our records.
reply-model-open = The model: not updated for this request yet. It may still hold what it learned from { $data }.
reply-open-unsearched = An audit did not search for this data, since your request is still open.
reply-open-noticed = But it noticed that the data is missing from places where it found other people's data.
reply-model-unseen = An audit was shown no model.
reply-model-undated = The model: updated on
reply-kept = { $what }: { $why }.
reply-kept-under = We may keep this under
reply-kept-until = We keep this until { $on }.
reply-kept-until-open = We keep this until
reply-kept-nothing = According to our records, we keep none of { $data }, apart from the record of your request.
reply-kept-nothing-places = According to our records, we keep none of { $data }, apart from the record of your request and what may still lie in backups and other places (see below).
reply-california-record = We have to keep a record of your request, and what we did about it (11 CCR 7022(e) and 7101(a)).
reply-california-refused = We have to erase everything that no exception covers, and may use what we keep only as the exception allows. Our service providers and contractors have to do the same (11 CCR 7022(f)).
reply-place-until = { $name }: { $what }. Gone by { $until }.
reply-place-open = { $name }: { $what }. Gone by
reply-receipt = { $name } gave us a receipt for erasing data, dated { $on }.
reply-recipients-none = Nobody else received it, according to our records.
reply-recipients-outside = Our records say of those who receive data from us: { $what }.
reply-recipient-told-on = { $name } was notified of the erasure on
reply-recipients-told-on = According to our records, everyone who received it was notified of the erasure on
reply-recipients-are = They are
reply-identity = On { $on } we checked who you are:
reply-identity-undated = How we know that the request is yours:
reply-identity-unproven = On { $on } we tried to check who you are:
reply-identity-unproven-undated = How we tried to check who you are:
reply-identity-article = We may ask for more only where we have reasonable doubts (Article 12(6) { $law }).

# What was made from the model, and what its dates come to

reply-made-nothing-deleted = { $name }: made from the model. Nothing was erased since.
reply-made-after = { $name }: made from the model on { $day }, after we had updated the model.
reply-made-remade = { $name }: made from the model, and made again on { $day }, after we had updated the model.
reply-made-retired = { $name }: made from the model. We have neither used nor kept it since { $day }.
reply-made-earlier = { $name }: last made on { $day } from the model as it was before this erasure. We have not made it again or retired it since.
reply-made-same-day = { $name }: made on the day on which the model was updated or came into use. It may come from the model before that.
reply-made-undated = { $name }: made from the model. We do not know when.
reply-made-other-release = { $name }: made from another release of the model.
reply-made-not-replaced = { $name }: made from the model. We do not know if that was before it was updated.
reply-made-planned = { $name }: last made from the model on { $day }. According to our dates, it may still depend on the data.
reply-made-planned-undated = { $name }: made from the model. We do not know when.
reply-made-source = { $name }: made from something that may itself hold erased data.
reply-plan-remade = We plan to make it again on { $on }.
reply-plan-retired = We plan to retire it on { $on }.

# Blanks: what nobody declared, and what fills it

reply-by-hand = by hand: { $what }
reply-blank-controller = name of the controller
reply-blank-contact = address of the controller
reply-blank-authority = name and address of the supervisory authority
reply-blank-addressee = name and address of the person
reply-blank-name = name
reply-blank-date = date of this reply
reply-blank-day = which day
reply-blank-doubt = what you decided about this, and why
reply-blank-done = what was done, and when
reply-blank-also = when and how you answered that, or will; it has a due date of its own
reply-blank-late = why it is late
reply-blank-late-perhaps = if it is late: why
reply-blank-answered = on which day you answered, if you did
reply-blank-reason = the reason for refusing
reply-blank-exception = the exception of the law, or that there is none
reply-blank-searched = where you looked for the person, and under which names, addresses or numbers
reply-blank-withdrew = how the person took the request back
reply-blank-ground = which ground of Article 17(1) { $law } applies: (a) to (f)
reply-blank-in-use = since when this version is in use: the day that is declared lies before its update
reply-blank-kept = what of the data is kept, why, and until when; or that nothing is
reply-blank-kept-still = what is kept, and why: the log says that nothing is, but data is still there
reply-blank-kept-marked = when what is marked as erased will be overwritten; or what of it is kept, and why: the log says that nothing is
reply-blank-overwritten = by when what is marked as erased will be overwritten
reply-blank-overwritten-unknown = if the data was overwritten, or by when it will be
reply-blank-kept-unknown = if the data was overwritten, and when; or what of it is kept, and why: the log says that nothing is
reply-blank-point = which point of Article 17(3) { $law }: (a) to (e)
reply-blank-point-ccpa = which exception of section 1798.105(d) of the California Civil Code, or which other law, and why it applies
reply-blank-model = what this was: the log dates an update of a model, on { $on }, and we stated that no model was trained
reply-blank-unknown = which day: it is not known if the data was overwritten, so copies that were made since may hold it too
reply-blank-unverified = whether you deny the request, since you could not verify in time who the person is
reply-blank-refused-rest = what of the data no exception covers, and when it was erased; and that service providers and contractors were told
reply-blank-opt-out = if you sell or share data, and the person has not opted out: ask if they want to, and add the notice of that right, or a link to it (11 CCR 7022(g) and 7013)
reply-blank-found = which day: the audit found the data again, so copies made since then may hold it too
reply-blank-marked = which day: the data is only marked as erased, so copies made since then may hold it too
reply-blank-checked-after-answer = when that was: the day that is declared lies after the answer
reply-blank-checked-in-wait = when that was: according to the log, you still waited for the person on that day
reply-blank-short = which day: by the time that is named for copies, the one that is declared is too early for this erasure
reply-blank-before = which day: the one that is declared lies before the erasure
reply-blank-recipients = who received the data, by name, and when they were notified; or that nobody did
reply-blank-recipients-others = who else of these received the data, and when they were notified; or that nobody else did
reply-blank-recipients-against = who received the data, by name, and when they were notified: the log says that nobody received it, but these are named: { $named }
reply-blank-recipient-against = if { $named } was notified, and when: the log says not yet, but we have a receipt of theirs
reply-blank-recipient-impossible = when they were notified: the day in the log lies before the request
reply-blank-recipient-early = which day: the log has { $told }, after their receipt of { $on }
reply-blank-made = when it will be made again or retired
reply-blank-names = their names
reply-blank-backups = by when the last backup that holds the data is gone; or that there is none
reply-blank-identity = how and when the person's identity was checked; or why there was no doubt about it
reply-blank-identity-unproven = how and when you tried to check who the person is
reply-blank-how = how
reply-blank-next = what you will do about this, and by when
reply-blank-notify = when you will notify those who have not been notified yet; or why that is not possible
reply-blank-passed = that day has passed: what holds now
reply-blank-by = by when
reply-blank-kept-passed = which day: { $on }, which is declared, has passed; or that it is no longer kept
reply-blank-beyond-exception = what of the data this exception does not cover, and when it was erased; or that it covers all of it
reply-blank-beyond = an earlier day; or the notice of more time that the person had, with its reason: the log has none that allows this day
reply-blank-left = what of this is still to be done, and by when; or that it is done
reply-blank-signatory = name and office of who signs
