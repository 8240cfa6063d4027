"""Tournaments being run: their streams, who attends, and the runner that pairs, calls and records.

hall ── desk (one a tournament: the stream, one command at a time)
      ├─ attendance (which programs are there, and which tables they were called to)
      └─ runner (what is due, which sitting is next, who is lost) ──> card room ──> tables
"""
