"""What earlier versions judged otherwise than this one, whole: one folder a version, named after the last that judged so.

A folder `v0_3_0` holds modules with the constants that today's have, `CHECK` or `CHECKS`, `THEOREMS`, `CONCLUSION`, each entry
under the id of its successor and with its own `since`, a check with its card; `auditor.document.editions` takes the edition that
a document's version knows. Nothing here imports a judge, a theorem or a conclusion of today, so that these may change and the
documents do not.
"""
