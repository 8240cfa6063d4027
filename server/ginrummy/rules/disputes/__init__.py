"""Disputes over a match that has ended: what is claimed, what is ruled, and what it changes.

An opened dispute waits for a director's ruling; once it is ruled it may be appealed, and then
waits for another director's, which is the last. No ruling alters what was recorded: each is a
further event, and where it changes the result, another one says what the result is from then on.
"""
