# Sentences of `data.erased`.

reason-data-erased-looked-for = { $records } deleted records were looked for in { $places } places.
reason-data-erased-looked-for-ids = { $ids ->
    [1] 1 further id of the log, of which the training data hold no record, was
   *[other] { NUM($ids) } further ids of the log, of which the training data hold no record, were
} looked for as well.
reason-data-erased-limits = Copies that are encrypted, lossy, or changed by more than scaling, shifting and exchanging columns, and backups elsewhere, are not found.
reason-data-erased-nothing-deleted = No executed request names a record of the training data, so there was nothing to look for.
reason-data-erased-controller = Of people who were there and were deleted, { $words } words were looked for in everything that the controller keeps: { NUM($bytes, as: "g") } bytes.
reason-data-erased-controller-cut = Some of what the controller holds could not be looked into.
reason-data-erased-controller-beyond = What its object or its files hold depends on whether the deleted people were there, though what state() returns does not: state() is not all that it keeps.
reason-data-erased-controller-not-recognised = Not even words of people who stayed were recognised: the form in which the controller keeps its data may hide any word.
reason-data-erased-controller-same = State, objects and files are the same, byte for byte, as if they had never been there. Not compared are times of files, the spare room of lists and tables, and part of what the kernel keeps.
reason-data-erased-controller-recognised = Words of people who stayed were recognised, and none of those who were deleted. Words that are encrypted, or split up, are not found.
reason-data-erased-controller-not-played = The controller could not be examined.
reason-data-erased-no-store = No data store was given: that part is skipped.
reason-data-erased-by-identifier-only = { $records } of them were looked for by identifier only: their values single out nobody.
reason-data-erased-copies = { $records } of { $of } deleted training records have a near copy, equal or nearly so, among the retained ones under another id: more than records deleted at random, of which a share of { NUM($share, as: ".3g") } would. If these are other people's, the controller can attest copies-are-others.
reason-data-erased-copies-few = { $records } of { $of } deleted training records have a near copy, equal or nearly so, among the retained ones under another id, and so few are deleted that no test could say more. From { $enough } on it could. If the copies are other people's, the controller can attest copies-are-others.
reason-data-erased-copies-singled = { $records } of { $of } deleted training records equal a retained one under another id in every column, among them dates or text of a person's own. If these are other people's, the controller can attest copies-are-others.
reason-data-erased-copies-singled-attested = { $records } of { $of } deleted training records equal a retained one in every column, dates or text of a person's own among them: another person's, by the controller's word (copies-are-others).
reason-data-erased-copies-attested = { $records } of { $of } deleted training records have a near copy, equal or nearly so, among the retained ones: another person's, by the controller's word (copies-are-others).
reason-data-erased-derived = { $records } of { $of } deleted training records have a retained one improbably near, compared with how near rows are to each other there { $view ->
    [mirrored] , where their columns are reversed or their pictures mirrored
    [sorted] , where the values of each row are sorted
   *[given] , in the columns as they are
}: rows may have been derived from them, as by noise or interpolation. If they are other people's own, the controller can attest copies-are-others.
reason-data-erased-derived-declared = { $rows } rows are left out of the comparison: the controller declares them made from other records ([data] derived_from), and nothing shows from which.
reason-data-erased-derived-attested = { $records } of { $of } deleted training records have a retained one improbably near: another person's own row, by the controller's word (copies-are-others).
reason-data-erased-copies-usual = { $records } of { $of } deleted training records have a near copy, equal or nearly so, among the retained ones, as usual records do: a share of { NUM($share, as: ".3g") } of those has one too.
reason-data-erased-related-more = { $records } of { $of } deleted records share their value of "{ $column }" with retained ones: more than records deleted at random, of which a share of { NUM($share, as: ".3g") } would. They may be the same people's. Say whose a record is ([data] person); if they are other people's, the controller can attest copies-are-others.
reason-data-erased-related-alone = { $records } of { $of } deleted records share their value of "{ $column }" with retained ones, and no two other records share one. They may be the same people's. Say whose a record is ([data] person); if they are other people's, the controller can attest copies-are-others.
reason-data-erased-related-usual = { $records } of { $of } deleted records share their value of "{ $column }" with retained ones, as usual records do: a share of { NUM($share, as: ".3g") } of those shares one too.
reason-data-erased-related-person = { $records } of { $of } deleted records share their value of "{ $column }" with retained ones: another person's, as the column of [data] person says.
reason-data-erased-related-attested = { $records } of { $of } deleted records share their value of "{ $column }" with retained ones: another person's, by the controller's word (copies-are-others).
reason-data-erased-open-place = { $place }: { $why }
reason-data-erased-open-not-recognised = not even a kept record is recognised in it
reason-data-erased-open-hidden = neither values nor id of { $records } record(s) would be recognisable in it
reason-data-erased-open-unknown-form = its form is not known, so it was searched as plain bytes only
reason-data-erased-open-coding = columns kept as { $name } were not read
reason-data-erased-open-postgresql = of PostgreSQL’s files, these are searched and not accounted for: { $catalogs } bytes of catalogs, { $indexes } of indexes, { $dead } of dead rows and free space, { $log } of the write-ahead log, { $other } of other files
reason-data-erased-open-postgresql-running = the PostgreSQL server was not stopped, so its files may change and hold less than it keeps
reason-data-erased-open-other-units = in other units it may hold { $records } record(s) that carry too little information to be recognised there
reason-data-erased-open-other-order = rows of it hold the values of { $records } deleted record(s) in another order of columns; others might hold the same
reason-data-erased-open-holdout = it holds { $records } deleted record(s) by values that hardly anybody else has, next to so many retained records that it may have been drawn from the same table: a holdout without training records decides
reason-data-erased-open-made = it holds { $records } deleted record(s) by values that others may have as well: what generates records may hit on them by chance
reason-data-erased-open-shut = something encoded or packed in it was not opened: broken, nested too deeply, too large, or of an unknown kind
reason-data-erased-place-data-store = data store
reason-data-erased-place-store = store { $path }
reason-data-erased-place-holdout = holdout { $path }
reason-data-erased-in-holdout = { $records } deleted records are in the holdout by their values, and { $retained } retained ones. Where more than 1 % of the retained ones are, or the values say little, that may be chance, and counts for nothing. Rows that equal training records are never taken for unseen.
reason-data-erased-place-model = model file { $path }
reason-data-erased-place-made = { $path }, made from the model
reason-data-erased-place-code = code { $path }
reason-data-erased-place-input = file { $path }, which the procedure may read
reason-data-erased-place-derived = retained training records that are declared to be made from others
reason-data-erased-place-state = what the rerun keeps (state())
reason-data-erased-place-saved = what the rerun saves (save())
reason-data-erased-place-parameters = parameters that depend on what the deleted records held
reason-data-erased-place-object = { $name } in the procedure's process
reason-data-erased-place-more-objects = { $items } further items in the procedure's process
reason-data-erased-place-not-walked = objects in the procedure's process that could not be taken apart
reason-data-erased-how-bytes = bytes of values and identifiers, as they are, encoded or packed
reason-data-erased-how-derived = ids in the column that [data] derived_from names, through any number of rows
reason-data-erased-how-rows = identifiers, and values row by row
reason-data-erased-how-lines = identifiers, and numbers line by line
reason-data-erased-absent-store = the case names none ([data] store)
reason-data-erased-absent-made-in-part = not all of it could be read; nothing else is known of what it learned
reason-data-erased-absent-not-offered = the procedure does not offer it
reason-data-erased-unreadable-no-file = no regular file
reason-data-erased-unreadable-too-large = larger than { NUM($bytes, as: "g") } bytes
reason-data-erased-unreadable-compressed = packed in a way that cannot be opened, broken, or too large once unpacked
reason-data-erased-unreadable-archive = looks like an archive and cannot be read as one
reason-data-erased-unreadable-text = not readable as { $coding }
reason-data-erased-unreadable-no-text = not plain text: it holds NUL bytes
reason-data-erased-unreadable-unpacks-too-large = unpacks to more than { NUM($bytes, as: "g") } bytes
reason-data-erased-unreadable-zip = looks like a zip archive and cannot be read as one
reason-data-erased-unreadable-numpy = not readable as NumPy arrays without unpickling: { $error }
reason-data-erased-unreadable-kind = an array whose elements are neither text nor numbers (kind { $kind })
reason-data-erased-unreadable-safetensors = not readable as safetensors
reason-data-erased-unreadable-parquet = not readable as Parquet: { $error }
reason-data-erased-unreadable-sqlite = not readable as an SQLite database
reason-data-erased-unreadable-memory = cannot be read within { NUM($bytes, as: "g") } bytes of memory
reason-data-erased-unreadable-time = cannot be read within { $seconds } s
reason-data-erased-unreadable-untried = not read: too many files before it crashed the process that reads them
reason-data-erased-unreadable-ended = cannot be read: it crashes the process that reads it
reason-fact-store-erased-none-found = data.erased: none of the deleted records was found
reason-fact-store-erased-by-word = data.erased: none of the deleted records was found; that content which nothing accounts for holds none is the controller's word
reason-fact-store-erased-found = data.erased: deleted records were found
reason-fact-controller-keeps-deleted = data.erased: words of deleted people were found in what the program keeps
reason-fact-controller-keeps-beyond = data.erased: what the program holds outside state() depends on people who were deleted
reason-data-erased-kept = What is kept in { NUM($places) } { $places ->
    [1] place
   *[other] places
} comes to { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes, as: "g") } bytes
}. Not accounted for by rows of people who may be kept, by parameters or declared labels, or by a run that never held the deleted records or held others in their place: { $unexplained ->
    [1] 1 byte
   *[other] { NUM($unexplained) } bytes
} of all that was checked.
erased-open = Open: { $places }.
erased-item = { $place } ({ $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes, as: "g") } bytes
})
erased-people = The store holds { $parts }: the audit takes these as given.
erased-people-strangers = { $count ->
    [1] 1 row
   *[other] { NUM($count) } rows
} of people who are not in the training data
erased-people-changed = { $count ->
    [1] 1 row
   *[other] { NUM($count) } rows
} of retained people with other values than in training
erased-people-declared = { $count ->
    [1] 1 byte
   *[other] { NUM($count) } bytes
} in columns that the controller declares
erased-unexplained = Unexplained: { $items }. It may hold a deleted record in a form that no search knows.
erased-unexplained-words = Unexplained: { $items }. It may hold a deleted record in a form that no search knows. The controller can attest, if it is true: { $words }.
erased-spare = Nothing else in these files determines some of a database's own numbers, or how cells are spelled: { $items }. This could carry parts of a record where it has more than { $each } bits in one file, or { $all } in all.
erased-spare-item = { $place }, { NUM($bits) } bits, most of them in { $names }
erased-unread = Code that no audit accounts for: { $items }. No deleted record was recognised in it. Of { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes, as: "g") } bytes
}, { NUM($constants) } are text, numbers and comments, where data would stand. Anyone who has read it can attest, if it is true: code-clean.
erased-controller-found = { $found ->
    [one] One word of deleted people is
   *[other] { $found } words of deleted people are
} still there: { $places }.
erased-controller-place = { $place ->
    [state] what state() returns
    [files] its files
   *[objects] its object and modules
} ({ $named })
erased-by-word = On the controller's word alone ({ $word }): { $items }.
erased-beyond = Apart from parameters and predictions, these depend on what the deleted records held: { $names }.
erased-beyond-item = { $kind ->
    [state] state()
    [saved-file] the saved file
   *[other] { $name }
} ({ $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes, as: "g") } bytes
})
erased-named = The store names deleted people by numbers that the training data link to their records: { $places }.
erased-named-place = { $column ->
    [none] { $place }, which holds a "{ $links }" of theirs
   *[other] { $place }, column { $column }, by their "{ $links }"
}
erased-parted = For { $count ->
    [one] request { $named }, another record of the same person is kept. Its erasure was asked for and is not carried out
   *[other] requests { $named }, further records of the same people are kept. Their erasure was asked for and is not carried out
}.
