"""Tournaments: who meets whom, what it was worth, and who is ahead. Pure values and functions."""
