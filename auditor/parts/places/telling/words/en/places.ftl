# Sentences of `places.erased`.

reason-places-alone = Does not apply: places alone were searched, and no model was examined.
reason-places-erased-place = { $name }
reason-places-erased-file = { $path }
reason-places-erased-scope = { $places ->
    [one] Only one place was searched
   *[other] Only { $places } places were searched
}: no model was examined, and no other place.
reason-places-erased-nothing-deleted = The log has no request that was carried out: there is nobody to look for.
places-found = { $place }: { $found ->
    [one] one deleted record was found
   *[other] { $found } deleted records were found
}{ $lies ->
    [all] , in data that was deleted but is still there
    [some] , { $deleted } of them only in data that was deleted but is still there
   *[none] { "" }
}.
reason-places-erased-before = A baseline of { $day } was compared: { $requests ->
    [one] of one request
   *[other] of { $requests } requests
} { $there } had something there before, and { $gone } of these have nothing of it there now.
reason-places-erased-before-still = { $place }: { $people ->
    [one] one person is still there
   *[other] { $people } people are still there
}, by { $forms ->
    [one] one exact form
   *[other] { $forms } exact forms
} of an id, number, row or value.
reason-places-erased-before-absent = { $people ->
    [one] One request was not there before: that nothing is there now
   *[other] { $people } requests were not there before: that nothing is there now
} says nothing about erasure.
reason-places-erased-before-added = { $people ->
    [one] One request came after the baseline
   *[other] { $people } requests came after the baseline
}: whether anything was there before is not known.
reason-places-erased-before-planted = { $before } of { $planted ->
    [one] 1 planted record was
   *[other] { $planted } planted records were
} found before, { $after } after.
reason-places-erased-before-same = { $place }: its files are the very same as before.
reason-places-erased-before-by-id = { $files ->
    [one] One file has
   *[other] { $files } files have
} no rows or lines that can be compared: ids, names and numbers alone were.
reason-places-erased-before-nobody = Not shown: nobody was found in the places before, so the comparison shows nothing.
reason-places-erased-before-blind = Not shown: { $missed } of { $planted ->
    [one] 1 planted record was
   *[other] { $planted } planted records were
} not found before, so the comparison may miss people likewise.
reason-places-erased-before-shared = { $people ->
    [one] A name or value of one person is
   *[other] Names or values of { $people } people are
} still there, which another person may have.
reason-places-erased-before-unread = { $before ->
    [one] One file could not be read before
   *[other] { $before } files could not be read before
}, { $now } now.
reason-places-erased-planted = { $found } of { $planted ->
    [one] 1 planted record was
   *[other] { $planted } planted records were
} found; they are nobody’s, and in no other count.
reason-places-erased-unrecorded = { $place } lacks { $requests ->
    [one] the row of one request that the log does not record as carried out
   *[other] the rows of { $requests } requests that the log does not record as carried out
}; it has those of most others.
reason-places-erased-planted-here = { $records ->
    [one] one planted record is still there
   *[other] { $records } planted records are still there
}
reason-places-erased-looked-for = Looked for: { $records ->
    [one] one deleted record
   *[other] { $records } deleted records
}, by { $ids ->
    [one] one id
   *[other] { $ids } ids
} in any text or bytes{ $short ->
    [0] {""}
    [one] , one short id in columns of ids
   *[other] , { $short } short ids in columns of ids
}{ $terms ->
    [0] {""}
    [one] , one name or number
   *[other] , { $terms } names and numbers
}, and { $values ->
    [0] no values
   *[other] the values of { $values }
}.
reason-places-erased-looked-for-ids = Of these ids, { $ids ->
    [one] one is of a request
   *[other] { $ids } are of requests
} of which the log says that nothing is held: no deletion was looked for under { $ids ->
    [one] it
   *[other] them
}.
reason-places-erased-blind = Not shown: no id of anybody else was recognised, so the search may not see how ids are written there. Declare the column of ids, or give a table of the people.
reason-places-erased-open = { $place }: { $why }
reason-places-erased-unread = { $place } was not read: { $why }
reason-places-erased-not-recognised = no id of anybody else, and no whole row of theirs, is recognised in it
reason-places-erased-empty = nothing lies there; is it the right place, and mounted?
reason-places-erased-strangers = { $strangers ->
    [one] One row is
   *[other] { NUM($strangers) } rows are
} of people whom the table does not have, and { $changed ->
    [one] one row has
   *[other] { NUM($changed) } rows have
} other values than the table: nothing was compared there.
reason-places-erased-answers-unsaid = nobody says that the recorded answers are those of the system in use
reason-places-erased-without-terms = { $records ->
    [one] the log gives no name or number of one record, which an answer may hold
   *[other] the log gives no name or number of { $records } records, which an answer may hold
}
reason-places-erased-named = { $records ->
    [one] it has a name or value of one deleted record, which another person may have
   *[other] it has names or values of { $records } deleted records, which other people may have
}
reason-places-erased-texts-left-out = people’s texts are too many to be compared
reason-places-erased-text-shared = { $records ->
    [one] the text of one deleted record is in rows of several people who stay, who may have it too
   *[other] texts of { $records } deleted records are in rows of several people who stay, who may have them too
}
reason-places-erased-text-untold = { $requests ->
    [one] texts of one request
   *[other] texts of { $requests } requests
} cannot be distinguished from those of people who stay
reason-places-erased-quoted-untested = { $records ->
    [one] a text of one deleted record may be quoted
   *[other] texts of { $records } deleted records may be quoted
}, and { $others ->
    [0] no texts of people who stay are as long: not examined
    [one] one text of people who stay is too few to tell that from chance: not examined
   *[other] { NUM($others) } texts of people who stay are too few to tell that from chance: not examined
}
reason-places-erased-quoted = { $records ->
    [one] a text of one deleted record may be quoted
   *[other] texts of { $records } deleted records may be quoted
}, as those of { $others ->
    [one] one person
   *[other] { NUM($others) } people
} who stay may be, which the test cannot tell apart
reason-places-erased-alike = { $records ->
    [one] an id in it looks like that of a deleted record
   *[other] ids in it look like those of { $records } deleted records
}
reason-places-erased-copied = { $rows ->
    [one] one row of it is, under another id, a deleted person’s row of numbers
   *[other] { NUM($rows) } rows of it are, under other ids, deleted people’s rows of numbers
}: equal, moved, scaled or in another order
reason-places-erased-others = rows are not those of the table ({ NUM($strangers) } of people whom it does not have, { NUM($changed) } with other values), and may be a deleted person’s
reason-places-erased-unexplained = { $bytes ->
    [one] one byte is explained by nothing
   *[other] { NUM($bytes) } bytes are explained by nothing
}
reason-places-erased-room = { $bits ->
    [one] one bit has
   *[other] { NUM($bits) } bits have
} room in the order, choice and labels of rows, their spelling, words between values and a database’s own numbers; a file may have { $file }, all places together { $all }
reason-places-erased-room-in = { $bits ->
    [one] one bit has
   *[other] { NUM($bits) } bits have
} room in { $what ->
    [row-numbers] the numbers of its rows, which have gaps or are in no known order
    [spelling] how its cells are written, in several ways: numbers, quotes, what is missing
    [encoding] how its Parquet files pack, encode and describe their columns, each in another way
   *[order] which rows it has and in what order
}; a file may have { $file }, all places together { $all }
reason-places-erased-short = { $records ->
    [one] one deleted id is too short to tell from chance outside a column of ids
   *[other] { $records } deleted ids are too short to tell from chance outside a column of ids
}
reason-places-erased-changed = it changed while it was searched
reason-places-erased-unlisted = { $why }
reason-places-erased-no-answers = a line is no JSON object with a query and its answer
reason-places-erased-no-values = No values were given, so copies under another id, scaled or rounded were not looked for.
reason-places-erased-some-values = { $records ->
    [one] Of one deleted record
   *[other] Of { NUM($records) } deleted records
} no values were given, so copies of them under another id, scaled or rounded were not looked for.
reason-places-embedding-failed = the function that embeds failed, or returned no row of numbers for each record: no vectors were looked for
reason-places-embedding-named = { $records ->
    [one] the files of the function that embeds hold one deleted record
   *[other] the files of the function that embeds hold { $records } deleted records
}, by id, name, value or digest
reason-places-embedding-unread = { $files ->
    [one] one file
   *[other] { $files } files
} of the function that embeds could not be searched
reason-places-embedding-varies = the function that embeds gives other vectors in another order or batch
reason-places-embedding-apart = the function that embeds jumps at deleted records, as if it knew them
reason-places-embedding-rough = the function that embeds moves too unevenly to show whether it treats deleted records apart, and nobody says that it does not
reason-places-embedding-uneven = { $people ->
    [one] the vector of one person who stays explains
   *[other] the vectors of { $people } people who stay explain
} no row, for the function that embeds moves them far where an eighth of a record changes
reason-places-embedding-unknown = its vectors of { $width } numbers are not examined: give the table of the people and the function that embeds them (`[places] embed`), or a table of numbers with at least five people who stay for each column
reason-places-embedding-coded = { $records ->
    [one] the code of one deleted record is in it, which another record may have
   *[other] the codes of { $records } deleted records are in it, which others may have
}

places-found-at = In { $place }: { $items }.
places-quoted-at = In { $place }, texts of these people may be quoted: { $items }.
places-named-at = In { $place }, these names or values were met: { $items }.
places-found-of = { $request } in { $spots }
places-found-spot = { $file }{ $lies ->
    [line] , line { $number }
    [row] { $table ->
        [none] { "" }
       *[other] , table { $table }
    }, row { $number }
    [byte] , at byte { NUM($number) }
    [named] , by its name or an attribute
   *[file] { "" }
}{ $columns ->
    [none] { "" }
   *[other] { " " }({ $columns })
}{ $under ->
    [yes] , under another person’s id
   *[no] { "" }
}{ $deleted ->
    [yes] , in what was deleted
   *[no] { "" }
}

places-left-open = { $place } stays open: { $whys }.
places-item = { $place } ({ NUM($bytes) } bytes)
places-account = Not explained by the data of anyone who stays: { $items }.{ $word ->
    [none] { "" } This may be a deleted person's data in a form that the search does not recognise.
   *[other] { "" } The statement { $word } says that it holds no deleted person's data.
}
places-own-rows = Rows that were found hold these people’s own values and nothing else: { $items }. They say nothing of anybody else.
places-spots = In { $place }, nothing explains { $items }.
places-spot = { $file }{ $line ->
    [0] { "" }
   *[other] , line { $line }
} ({ $bits ->
    [0] { NUM($bytes) } bytes
   *[other] room for { NUM($bits) } bits
}: { $why ->
    [wording] words around values
    [packed] the order and times of what is packed in it
    [shapes] which form each line or message has
    [encoding] a text that is not in UTF-8
    [file] not read as text
    [name] what it is called
    [piece] a text is cut elsewhere than in the lines like it
    [number] a number follows no rule
    [words] it has words of a deleted person
    [header] names of columns that the table lacks
    [time] a time that the table lacks
    [vectors] a list of numbers
    [rows] not read as rows
   *[other] few people have such a line
}{ $more ->
    [0] { "" }
    [one] ; one more line is like it
   *[other] ; { NUM($more) } more lines are like it
})
places-graphs = Not examined in { $places }: which rows a graph links, and the order in which threads added rows, random numbers among it. { NUM($bits) } bits have room there.
places-most-in = { $said }, { NUM($bytes) } of them in { $file }
places-all-in = { $said }, all in { $file }
places-pointing = in { $columns }, people who stay have numbers or values of { $records ->
    [one] one deleted record
   *[other] { $records } deleted records
}, more than by chance
places-documents = { $said }; the table has no column document, as Chroma calls its texts
places-columns = { $said }; { $count ->
    [one] the table has no column { $columns }
   *[other] the table has no columns { $columns }
}
places-text-index = { $said }; SQLite’s full-text index { $index } differs from the one that its texts give
places-missing = Declared and not searched: { $names }.

remedy-places-unrecorded-found = { $requests ->
    [one] The row of one request is
   *[other] The rows of { $requests } requests are
} gone from { $place }, and the log does not record { $requests ->
    [one] it
   *[other] them
} as carried out.
remedy-places-unrecorded = Record in the log that { $count ->
    [one] the request { $names } was carried out, if it was
   *[other] the requests { $names } were carried out, if they were
} (“auditor log amend” if chained). If not, find out why { $count ->
    [one] its row is gone.
   *[other] their rows are gone.
}
remedy-places-unrecorded-dated = { $count ->
    [one] The log dates the erasure of { $names }, and calls the request open: record that it was carried out, once nothing of it
   *[other] The log dates the erasures of { $names }, and calls the requests open: record that they were carried out, once nothing of them
} is left to do (“auditor log amend” if chained).
remedy-places-found = { $count ->
    [one] One deleted record was found in { $place }.
   *[other] { $count } deleted records were found in { $place }.
}
remedy-places-found-at = { $found } { $spots }.
remedy-places-erase = Erase the data of the people found in { $place }. Rebuild its indexes and caches as well, and compact or rewrite what it keeps of erased data: a delete alone may leave that in the file.
remedy-places-delete = Delete { $count ->
    [one] the row of the person found in { $place }: it holds this person’s own values alone
   *[other] the rows of the people found in { $place }: they hold these people’s own values alone
}. Rebuild its indexes and caches as well.
remedy-places-compact = Have { $place } reclaim the space of what was deleted: compact, vacuum or rebuild it. A delete that only marks rows leaves them on disk.
remedy-places-open-found = { $place } could not be cleared: { $why }.
remedy-places-values = Give a table with the values of the people, deleted ones included (`--data TABLE`). What people who stay have is then explained. If somebody can answer for the rest, attest store-holds-no-copies.
remedy-places-columns = Have the table explain { $spots ->
    [none] what lies there
   *[other] { $spots }
}{ $table ->
    [none] { "" }
   *[other] , table { $table }
}: give it { $columns ->
    [none] the columns and rows that it lacks
   *[other] { $count ->
        [one] the column { $columns }, with what each person has in it
       *[other] the columns { $columns }, with what each person has in them
    }
}, or name the column of record ids as `ids` under [places] in audit.toml. If somebody can answer for the rest, attest store-holds-no-copies.
remedy-places-spot = { $file }{ $line ->
    [0] { "" }
   *[other] , line { $line }
}{ $bits ->
    [0] { "" }
   *[other] { " " }({ NUM($bits) } bits)
}
remedy-places-more = { $more ->
    [one] one more line
   *[other] { NUM($more) } more lines
} like { $more ->
    [one] it
   *[other] them
}
remedy-places-header = Rename the columns of { $spots } as the table calls them, or give `--data` columns of these names.
remedy-places-times = Leave the times out of { $spots }, or give `--data` a column that has each of them.
remedy-places-vectors = Save the vectors of { $spots } as Parquet with a column of ids, or as the arrays `features` and `ids` of an npz file, with the very numbers that `--data` has, not with fewer digits: no list of numbers in a text is explained.
remedy-places-pickled = Save what is in { $spots } as Parquet with a column for the person’s id, or vectors as the arrays `features`, of shape (n, d), and `ids`, as text, of an npz file, and scan that in its place: pickles, files of PyTorch and safetensors are searched, and explained by nothing.
remedy-places-records = Write each record of { $spots } on one line, as CSV or JSON lines with the person’s id, and scan that in its place: no record over several lines is explained.
remedy-places-arrays-embedded = Save the vectors of { $spots } as an index of faiss or hnswlib, or in Chroma, with ids: under `--embed`, an npz file is explained by nothing.
remedy-places-vacuum = Write back the log of { $place } and run VACUUM, with no other program using it: its pages hold more than its rows.
remedy-places-chroma = Add the records that stay to a Chroma in a new folder, run `chroma vacuum` and then VACUUM, and set the memory that Chroma never filled to zero: data_level0.bin behind its rows (as many bytes as the two numbers of eight bytes at byte 20 of header.bin multiplied), and all of length.bin, or what is behind its rows where vectors are normalised. Texts and other fields are explained by columns of a table, which an npz file does not have.
remedy-places-lance = Write the table again with `mode="overwrite"`, then remove its old versions with `optimize(cleanup_older_than=timedelta(0), delete_unverified=True)`. Texts and other fields are explained by columns of a table, which an npz file does not have.
remedy-places-index = Build { $place } again from the people who stay, with ids or row numbers as labels, as a flat index, IVF flat, or in eight bits without IVF: an index in eight bits under IVF stays open. So does whatever else was learned from rows, such as centroids and codebooks, unless it follows from theirs.
remedy-places-rename = Rename what is called by other words than the table’s, and scan again: { $spots }.
remedy-places-words = Take words, dates and numbers of deleted people out of { $spots }, and give `--data` none of them in a column of other people’s.
remedy-places-wording = Leave some of the words and numbers around values out, or give `--data` columns that hold them, the same for everybody: { $spots }. An ordinary word counts as 13 bits at most, another as 5 a letter.
remedy-places-packed = Pack what is in { $spots } again, its files sorted by name and with one time; `shutil.make_archive` does not sort them.
remedy-places-pieces = Give all texts whole, or cut all of them by one rule: so many characters, words, sentences or paragraphs, or what fits: { $spots }.
remedy-places-numbers = Leave out the numbers in { $spots }, or write them as the person’s own row of the table has them, one way for all.
remedy-places-file = Export { $spots ->
    [none] what is named
   *[other] { $spots }
} as CSV, JSON or Parquet with a column for the person’s id, and scan the export in its place. DuckDB: `COPY people TO 'people.parquet' (WRITE_BLOOM_FILTER false)`. Mail in parts, pictures and other documents: as text or as a table.
remedy-places-duckdb = Export { $spots } with `COPY people TO 'people.parquet' (WRITE_BLOOM_FILTER false)` for each table, and scan these files in its place. DuckDB keeps deleted rows until it writes a block again, and no reader takes its own file apart.
remedy-places-table = Give `--data` the columns and rows that { $spots } has, under the same names, as CSV or Parquet, with a column for each number of a vector: neither an npz table nor a column of lists will do. If somebody can answer for the rest, attest store-holds-no-copies.
remedy-places-encoding = Save { $spots } in UTF-8 (Excel: “CSV UTF-8”; pandas: `encoding="utf-8"`), and scan that in its place.
remedy-places-dump = Scan the database itself in place of { $spots } (SQLite: the file), or export its tables as CSV with a column for the person’s id.
remedy-places-unpack = Unpack { $spots }, and scan what was in it in its place. What does not compress to the same bytes again may hold more than its files.
remedy-places-fulltext = Build the full-text index of { $spots } again, and scan a copy without it (DROP TABLE, then VACUUM): no table explains an index’s own tables. If somebody can answer for it, attest store-holds-no-copies.
remedy-places-document = Save { $spots ->
    [none] the document
   *[other] { $spots }
} as CSV or as plain text, and scan that in its place: a sheet with the columns of `--data`, and one for the person’s id.
remedy-places-markup = Save { $spots ->
    [none] the page
   *[other] { $spots }
} without its tags, as plain text, CSV or JSON, and scan that in its place.
remedy-places-arrays = Save { $spots ->
    [none] the arrays
   *[other] { $spots }
} again, with the vectors of the people who stay as the array `features`, of shape (n, d), and their ids as the array `ids`, as text, with the numbers that `--data` has. Vectors that are computed from the table need the function that does (`--embed`), and an index of faiss or hnswlib, or Chroma, in place of the file.
remedy-places-shapes = Write all lines or messages of { $spots } in one form, the same for everybody: the same fields and headers, mail with one Content-Transfer-Encoding. Write a record over several lines on one line, as CSV or JSON lines with the person’s id.
remedy-places-pointing = Leave out the columns that hold deleted people’s numbers or values, here and in `--data`, or empty the cells that do. If whole rows are alike and are other people’s, attest copies-are-others.
remedy-places-room = Write the rows in the table’s order, or in that of a column, each once, without times and counts that the table lacks, or give `--data` a column that has them for each person; or give `--data` the people of this place in its order. A database: set `PRAGMA user_version` to 0. Places that are open only together can be scanned one by one.
remedy-places-row-numbers = Number the rows of { $place } again, { $database ->
    [yes] as `to_sql(index=False)` does, or `sqlite3 OLD .dump | sqlite3 NEW` and then `VACUUM`
   *[no] in pandas by `reset_index(drop=True)`
}, or give `--data` as it was before the deletion, each row in its place.
remedy-places-unlabelled = Leave the index of { $place } out, or number its rows again: in pandas `index=False` or `reset_index(drop=True)`.
remedy-places-json = Write { $spots } as JSON lines, an object for each person, all with the same fields: in pandas `to_json(orient="records", lines=True)`.
remedy-places-spelling = Write all cells of a column in { $place } in one way, with one word for what is missing, or as `--data` has them: in pandas, read it with `read_csv` and write it again with `to_csv(index=False)`.
remedy-places-parquet = Write the Parquet files of { $place } again, all columns with one compression and encoding: in pandas, read each with `read_parquet` and write it with `to_parquet(index=False)`.
remedy-places-named = See whose names or values these are, and take out what is the deleted people’s; if all of it is other people’s, attest copies-are-others.
remedy-places-alike = Compare the ids that look alike. If they are other people’s, attest copies-are-others.
remedy-places-copied = Delete the rows that are deleted people’s under other ids, here and in `--data`; if they are other people’s, attest copies-are-others.
remedy-places-others = Give `--data` the rows as they are now, or attest copies-are-others.
remedy-places-ids = If people’s data lies in { $place }, name its column of ids (`--id`), or give `--data` what it holds. If not, search it together with a place that holds people, and have somebody attest store-holds-no-copies.
remedy-places-empty = Name the place that holds the data, or mount it: nothing lies in { $place }. If it should be empty, leave it out.
remedy-places-planted = Erase the planted record as people are erased, and find out why that missed it.
remedy-places-uneven = Attest store-holds-no-copies for the rows of people whose vectors the function moves unevenly, or give one that moves little where a text changes little: embedding-genuine does not cover such rows.
remedy-places-rough = Have who made the function that embeds attest embedding-genuine.
remedy-places-embed = Give the function that embeds (`--embed FILE.py:FUNCTION`).
remedy-places-open = Give { $spots ->
    [none] { $place }
   *[other] { $spots }
} in a form that can be read row by row, with its column of ids; or have somebody answer for it by name.
remedy-places-terms = Add the names and numbers of { $records ->
    [one] one deleted record
   *[other] { $records } deleted records
} to the log as `terms`, for { $place } to be searched for them.
remedy-places-genuine = Have somebody attest answers-genuine: that { $place } holds answers of the system in use.
remedy-places-quoted = See whether deleted people are quoted in { $spots ->
    [none] { $place }
   *[other] { $spots }
}, and take out what is theirs; if all of it is other people’s, attest copies-are-others.
remedy-places-quoted-found = { $found } Texts of { $count ->
    [one] one more
   *[other] { $count } more
} may be quoted{ $spots ->
    [none] { "" }
   *[other] : { $spots }
}.
remedy-places-nobody = Add the requests that were carried out to the log, with `executed_at`.
remedy-places-nobody-found = The log has no request that was carried out.
