"""What results tell, and how surely. Pure: results come in as values, and no clock or log is read.

`pairs` holds the values that add up; `intervals`, `ratings` and `sprt` draw conclusions from them.
The formulas stand in docs/statistics.md.
"""
