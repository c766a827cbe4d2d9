# The reply to one person, which the letter goes with. $data is "your data" or "the data of this request", $law "of the GDPR".

reply-document = Reply to erasure request { $request }
reply-note = Draft of a reply. A program wrote it from the log and from what an audit found. Fill in the [brackets], check the rest, and delete this paragraph. It is editable, not signed, and no evidence.
reply-foot = Draft of a reply · no evidence
reply-title = Your request for erasure, which we received on { $on }
reply-date = Date
reply-dear = Dear
reply-sincerely = Yours sincerely,
reply-enclosure = Enclosure: letter about erasure request { $request }, with what an audit found
reply-enclosed = The enclosed letter says what an audit examined, what it found, and what nobody checked.
reply-late = This answer is late. It was due by { $on }.

reply-title-reason = Why we refused
reply-title-ground = The ground of your request
reply-title-erased = What we erased, and when
reply-title-kept = What we keep, and why
reply-title-received = Who received it
reply-title-places = Backups and other places
reply-title-identity = How we checked who you are
reply-title-next = What we will do

# What became of it

reply-decision-confirmed = By our records, we have erased { $data }. An audit searched for it, and did not find it again.
reply-decision-places = By our records, we have erased { $data }. An audit searched the places that we named for it, and did not find it again. It checked no model.
reply-decision-late = By our records, we have erased { $data }, but late. An audit searched for it, and did not find it again.
reply-decision-updated-late = By our records, we have erased { $data }, and updated the model late. An audit searched for the data, and did not find it again.
reply-decision-answered-late = By our records, we have erased { $data }. An audit searched for it, and did not find it again.
reply-decision-untested = By our records, we have erased { $data }. An audit searched for it, and did not find it again. What the model still shows is not decided.
reply-decision-search-open = By our records, we have erased { $data }. An audit could not tell if all of it is gone.
reply-decision-search-none = By our records, we have erased { $data }. An audit did not search for it.
reply-decision-forgot-open = By our records, we have erased { $data }. An audit could not decide how well our model forgot it.
reply-decision-forgot-none = By our records, we have erased { $data }. An audit did not check how well our model forgot it.
reply-decision-model-unseen = By our records, we have erased { $data }. An audit did not see our model itself.
reply-decision-model-part = By our records, we have erased { $data }. An audit saw only a part of our model.
reply-decision-model-open = By our records, we have erased { $data }. An audit could not tell if our model is the right one.
reply-decision-other = By our records, we have erased { $data }. But an audit found that our model is not the one that our updates give. It may still hold what it learned from { $data }.
reply-decision-refuted = By our records, we have erased { $data }. But an audit found that our model did not forget erased data as it should.
reply-decision-given-away = By our records, we have erased { $data }. But an audit found a way to learn about erased data.
reply-decision-found = Our records say that we erased { $data }. But an audit found it again in what we still keep.
reply-decision-failed = By our records, we have erased { $data }. But an audit did not confirm that our model forgot it.
reply-decision-contradicted = An audit could not tell from our records what was done.
reply-decision-open = We have not erased { $data } yet.
reply-decision-open-late = We have not erased { $data } yet.
reply-decision-denied = We have not erased { $data }, for the reason below.
reply-decision-denied-bare = We have not erased { $data }. Our records do not say why.
reply-decision-revoked = By our records, you took this request back, so we erased nothing. If you did not take it back, please tell us.
reply-decision-no-match = We looked under the names that we have for you, and found no data to erase.
reply-decision-no-match-found = Our records say that we hold no data about you. But an audit found data that they name for this request.
reply-decision-not-located = Our records name data for this request. An audit did not find it in the training data.
reply-decision-unknown = An audit could not tell what became of this request.

reply-refused-reason = Our reason
reply-refused-exception = Exception that we rely on
reply-refused-law = Legal ground

# Article 17(1) and (3), in our words

reply-ground-a = We no longer need the data for what we collected it for (Article 17(1)(a) { $law }).
reply-ground-b = You withdrew your consent, and nothing else allows us to use the data (Article 17(1)(b) { $law }).
reply-ground-c = You objected to our use of the data (Article 17(1)(c) { $law }).
reply-ground-d = The data was used unlawfully (Article 17(1)(d) { $law }).
reply-ground-e = The law obliges us to erase the data (Article 17(1)(e) { $law }).
reply-ground-f = The data was collected when an online service was offered to a child (Article 17(1)(f) { $law }).
reply-ground-ccpa = You asked under section 1798.105 of the California Civil Code. It asks for no ground.
reply-exception-a = This is needed for free expression and information (Article 17(3)(a) { $law }).
reply-exception-b = The law obliges us to keep this, or a public task needs it (Article 17(3)(b) { $law }).
reply-exception-c = Public health needs this (Article 17(3)(c) { $law }).
reply-exception-d = Archiving in the public interest, research or statistics need this (Article 17(3)(d) { $law }).
reply-exception-e = This is needed to bring or to defend legal claims (Article 17(3)(e) { $law }).

reply-stored = Stored data: erased on { $on }, by our records.
reply-stored-undated = Stored data: erased, by our records.
reply-model = The model: updated on { $on }, by our records.
reply-model-undated = The model: updated
reply-kept = { $what }: { $why }.
reply-kept-until = We keep it until { $on }.
reply-kept-nothing = By our records, we keep none of { $data }.
reply-place = { $name }: { $what }.
reply-place-until = { $name }: { $what }. Gone by { $until }.
reply-receipt = { $name } gave us a receipt on { $on }.
reply-made = { $name }, which was made from the model: { $said }
reply-recipients-none = Nobody else received it, by our records.
reply-recipients-outside = Of those who receive data from us we say: { $what }.
reply-recipient-told = { $name } was notified of the erasure.
reply-recipients-article = You can ask us about those who received it (Article 19 { $law }).
reply-identity = We checked on { $on } who you are:
reply-identity-undated = We checked who you are:
reply-identity-article = We may ask for more only where we have reasonable doubts (Article 12(6) { $law }).

# Blanks: what nobody declared

reply-blank-addressee = [name and address of the person]
reply-blank-name = [name],
reply-blank-date = [date of this reply]
reply-blank-day = [on which day].
reply-blank-done = [what was done, and when]
reply-blank-reason = [the reason for refusing]
reply-blank-exception = [the exception of the law, or that there is none]
reply-blank-law = [legal ground]
reply-blank-ground = [which ground of Article 17(1) { $law } applies: (a) to (f)]
reply-blank-kept = [what of the data is kept, why, and until when; or that nothing is]
reply-blank-kept-still = [what is kept, and why: the log says that nothing is, but data is still there]
reply-blank-until = [until when].
reply-blank-before = [by when it is gone: the day that is declared lies before the erasure].
reply-blank-recipients = [who received the data, by name, and when they were notified; or that nobody did]
reply-blank-names = [their names]
reply-blank-made = [when it will be made again or retired].
reply-blank-backups = [by when the last backup that holds the data is gone; or that there is none]
reply-blank-identity = [how and when the person's identity was checked; or that there was no doubt about it]
reply-blank-how = [how]
reply-blank-next = [what you will do about this, and by when]
reply-blank-passed = [that day has passed: what holds now].
reply-blank-by = [by when].
reply-blank-signatory = [name and office of who signs]
