# Lines of `auditor log`, and of `auditor init` about an export.

cli-log-mapped = { $source } → { $target }
cli-log-mapped-person = { $identity } → subject, as a keyed pseudonym; { $records } → record_ids
cli-log-not-taken = Columns left out: { $names }.
cli-log-laws = “{ $column }” names the law of each request: with --map { $option } its deadlines count; otherwise every request has the EU's.
cli-log-separated = Cells are separated by { $mark }.
cli-log-decimals = { $column }: whole numbers with a decimal comma; 12,0 is read as 12.
cli-log-kinds = What was asked for is read from { $columns }: erasure requests alone become rows.
cli-log-answered = { $count } closed ticket(s) with state { $state }: answered when closed, and not carried out.
cli-log-unmatched = { $count } request(s) of people or records that are not known are logged as no_match; their tickets were: { $states }.
cli-log-twice = Row { $row }, column { $column }: the clocks showed { $text } twice; read as { $read }, which is stricter with you.
cli-log-provenance = { $path }: what of the export is not in the log, and how it was read.
cli-log-left-out = { $count ->
    [one] 1 row left out, as nothing says that it asks
   *[other] { $count } rows left out, as nothing says that they ask
} for erasure (--erasures names what does): { $what }.
cli-log-left-out-all = In all { $count } of { $rows } rows left out.
cli-log-also-asked = { $count } request(s) also ask for { $what }: the log keeps that in also_asked, and the reply says that it is answered apart. Answer it before you erase what it is about.
cli-log-speaking = { $count } request(s) came in as erasures and name access or another right in “{ $column }”: read them, and write what else they ask for into also_asked (“auditor log amend”). Other words are not looked for.
cli-log-regime-empty = regime is empty in { $count } row(s), which are taken as eu; other rows name a law.
cli-log-unsaid = { $count ->
    [one] 1 row does not say what was asked for, and is taken as an erasure request
   *[other] { $count } rows do not say what was asked for, and are taken as erasure requests
}.
cli-log-undated = { $count } row(s) count as executed but have no time of execution: use --map COLUMN=executed_at, or log.consistency fails.
cli-log-not-written = Nothing was written: { $problems } problem(s) below; --partial writes the rows that have none.
cli-log-written = { $path }: { $rows } rows, head { $head }
cli-log-keep-head = Keep the head in another place: comparing it with the log reveals a later change.
cli-log-more-rows = And { $count } more: auditor log check { $path }
cli-log-then-check = Next: auditor log check { $path }; in a case, auditor validate also compares it with the training data and with processors' receipts.
cli-log-summary = { $requests } requests ({ $states }), { $problems } problem(s).
cli-log-chain = Hash chain: head { $head }
cli-log-canaries = { $count ->
    [one] One row is a planted record, and in no other count.
   *[other] { $count } rows are planted records, and in no other count.
}
cli-log-chain-none = The log has no hash chain.
cli-log-appended = { $path }: { $rows } row(s) added, { $total } in all. The line above is the new head: keep it in another place.
cli-log-amended = { $path }: { $rows } row(s) added that amend earlier ones, { $total } request(s) in all. The line above is the new head: keep it in another place.
cli-log-again = row { $row }: { $request }: { $records }
cli-log-again-count = To carry out again: { $count } of { $requests } requests.
cli-log-again-waiting = Not carried out yet, and still to be: { $count } request(s).
cli-log-again-problems = The log contradicts itself in { $count } place(s), so that this list may lack some: auditor log check { $path }
