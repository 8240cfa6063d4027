"""The formats: each says who meets whom next, given the entrants and what has been played."""
