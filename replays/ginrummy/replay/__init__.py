"""Recorded matches and scripted hands, stepped through and shown: pure over stored lines."""
