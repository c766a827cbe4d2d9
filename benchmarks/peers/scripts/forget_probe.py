"""vector-forget on a running server: deletes people where asked, and says of each what it verifies. Runs in its environment."""

import json
import sys
import time
from pathlib import Path

import psycopg
from vector_forget import forget, verify
from vector_forget.pgvector import PgVectorStore


def main(_given, answer, settings):
    """Count the people of whom the report is good, and name what it says of what is left of the others."""
    asked = json.loads(settings)
    began = time.perf_counter()
    with psycopg.connect(asked["server"]) as connection:
        store = PgVectorStore(connection, table=asked["table"], subject_col="id", embedding_col="vector")
        if asked["how"] == "verify":
            reports = [verify(each, store) for each in asked["people"]]
        else:
            reports = [forget(each, store, deep=asked["how"] == "deep") for each in asked["people"]]
    said = {
        "good": sum(each.ok for each in reports),
        "residue": sorted({each.residue for each in reports}),
        "seconds": time.perf_counter() - began,
    }
    Path(answer).write_text(json.dumps(said), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
