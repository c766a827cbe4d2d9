# Lines of `auditor canonical`.

cli-canonical-file = { $path }: { $parameters } parameters, { $kind }, { $bytes } bytes, SHA-256 { $sha256 }
cli-canonical-skops = Written: { $path }, { NUM($bytes) } bytes without addresses, dates and gaps, SHA-256 { $sha256 }
cli-canonical-from = from { $path }: { $bytes } bytes, SHA-256 { $sha256 }
cli-canonical-dropped = dropped: { $what }
cli-canonical-rounded = rounded to multiples of { $grid }: { $rounded } parameters, by { $largest_change } at most
cli-canonical-declare = Declare it in audit.toml: [model] grid = "{ $grid }"
cli-canonical-unchanged = nothing changed: the file was canonical
