# Lines of `auditor log`, and of `auditor init` about an export.

cli-log-mapped = { $source } → { $target }
cli-log-mapped-person = { $identity } → subject, as a keyed pseudonym; { $records } → record_ids
cli-log-not-taken = Columns left out: { $names }.
cli-log-left-out = { $count } row(s) left out, as they are not erasure requests: { $what }.
cli-log-unsaid = { $count } row(s) do not say what was asked for, and are taken as erasure requests.
cli-log-undated = { $count } row(s) count as executed but have no time of execution: use --map COLUMN=executed_at, or log.consistency fails.
cli-log-not-written = Nothing was written: { $problems } problem(s) below; --partial writes the rows that have none.
cli-log-written = { $path }: { $rows } rows, head { $head }
cli-log-keep-head = Keep the head in another place: comparing it with the log reveals a later change.
cli-log-then-check = Next: auditor log check { $path }
cli-log-summary = { $requests } requests ({ $states }), { $problems } problem(s).
cli-log-chain = Hash chain: head { $head }
cli-log-chain-none = The log has no hash chain.
cli-log-appended = { $path }: { $rows } row(s) added, { $total } in all. The line above is the new head: keep it in another place.
