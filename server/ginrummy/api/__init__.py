"""The API: the wire contract's messages in, calls to the tables and the log, messages out."""
