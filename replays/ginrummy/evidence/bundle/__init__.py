"""The evidence bundle: all that it takes to judge a dispute over a match, as one file.

    log, receipt, key, hashes that were kept ──> members ──> make_bundle ──> one zip
    one zip ──> read_archive ──> check_bundle: intact? what the log makes? what of the claim?

It is checked without a database, a server or a network, by this program and by another one that
shares no code with it (replay/bundle.mjs). What stands in it, and how it is judged, is written down
for both in docs/disputes.md.
"""
