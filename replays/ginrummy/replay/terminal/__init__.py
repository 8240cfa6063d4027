"""A match stepped through on a terminal that shows it all: the table, the moves, the proof.

    Replay ──> Course ──> Scene ──> lines of text ──> widgets (the extra `tui`)

All but the application and its widgets (`app`, `screens`, `widgets`) is made of values and pure
functions, and needs no more than the replay itself. What is drawn is drawn from the `MatchView` of
the perspective that is shown, so that no hidden card gets as far as a widget.
"""
