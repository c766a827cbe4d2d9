reason-acme-backlog-counted = { NUM($requests) } requests were logged for { NUM($records) } training records.
reason-fact-acme-backlog-short-counted = { NUM($requests) } requests in the log
fact-acme-backlog-short = At most a hundred requests wait at a time.
