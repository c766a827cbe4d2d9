# Messages as they are worded where places alone were searched: the id of each ends in -places, after that of the usual one.

main-title-places = Report on a search of places
main-document-places = Search of places: { $name }
main-document-officer-places = Search of places, main part: { $name }
main-outside-title-places = The places, and what lies beyond them
main-outside-lede-places = Only what was searched is settled. For the rest, this page says who vouches for it.
main-people-lede-places = A request moves along a chain: the log records it, and a search looks for its data. Only what was found at each link counts.
main-todo-lede-fail-places = Tell nobody that their data was erased until the first steps are done. The most urgent comes first.
main-step-release-places = Until then
main-always-keep-places = Keep this report for as long as you must be able to show what was done, then erase it too. Store the digest of its evidence somewhere else, or sign it.
main-law-erasure-shows-places = What is left in the places; no backup was read
main-signatures-decided-places = Decided by
main-place-kind-derived-models-places = Models and data made from these data

remedy-late-done-places = Write into the log (late_reason) why these answers were late. No later step undoes that: as long as they are in the log, this check fails.
remedy-late-said-places = Take note that these answers were late: no step undoes that, and as long as they are in the log, this check fails. The log says why they were late.
remedy-tell-open-places = Do not confirm the erasure to these people yet. Tell them when you will know.
remedy-by-release-places = Before people are told.
remedy-release-besides-places = This is not what prevents a pass.
remedy-release-policy-places = Erasure does not depend on it. Meet it or change the policy, with a reason, before people are told.

annex-thresholds-none-places = The policy sets no threshold of its own: one deleted record that is found is one too many.
annex-limits-text-places = The audit covers the files whose digests it lists, as they were when they were read: another file or log needs another audit. A check that passes shows that its value met its threshold, not that no trace of a person remains anywhere. What is attested rests on the controller's word.
annex-not-run-places = { $count ->
    [one] One check that is not of places
   *[other] { $count } checks that are not of places
} did not run: places alone were searched, and no model was examined.
annex-containment-places = None of the case's code ran. Files were read in a process of limited memory and time, without network.

verdict-held-unexamined-places = nothing that passes searched the places whole
verdict-why-unexamined-places = Nothing that passes searched the places whole.
conclusion-reason-forgetting-places = nothing that passes searched the places whole

letter-head-search-said-places = An erasure is recorded. The audit found something that may be part of { $data }, and we say that it is other people's. No model was checked
reply-decision-search-said-places = An audit searched for { $it } in the places that we named, and found something that may be part of it. That it is other people's is what we say; nobody checked it. The audit checked no model.
letter-word-no-copy-places = no copy in these places
letter-searched-store-places = The audit searched places where we keep data for copies of { $data }. It found none there.
letter-searched-said-places = The audit searched places where we keep data for copies of { $data }. It found something there that may be part of it. That it is other people's is what we say (overleaf); nobody checked it.
letter-searched-by-id = { $whose ->
    [all] It
   *[some] Of some people’s data it
} looked only for ids and for names and numbers in our log. It could not find a copy that has none of these.
letter-unchecked-places = Any other place, such as a backup or a copy that others hold, and any model made from the same data. We named no such place.
letter-unchecked-rest-places = Any place that we did not name, and any model made from the same data.
letter-not-advice-places = This letter does not say that nobody can recognise you anywhere, and it is not legal advice.

pipeline-title-places = Search of places: { $policy }
