"""Stored matches checked: every line, link, card, move, score and time. Pure over stored lines."""
