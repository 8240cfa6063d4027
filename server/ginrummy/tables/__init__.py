"""The tables: commands in, events out, one command at a time for each match."""
