"""What convinces somebody who was not there: the audit report with every decision in it.

    lines ──> audit ─────────────────────> its checks, and why they follow ──┐
    lines ──> positions ──> decisions ──> hands, one at a time ──────────────┴──> text, JSON, HTML

It stands on the audit and on the replay, which know nothing of each other. Hands are made as they
are written, so a log of any length takes the same memory.
"""
