"""Recorded hands judged: what each decision was worth by what the seat could know.

    positions -> deciding -> knowledge -> worlds -> playing on -> weighing -> report
                     └──────────> sight (did a seat play as if it saw hidden cards?)

Pure over stored lines; what is drawn at random follows from a seed.
"""
