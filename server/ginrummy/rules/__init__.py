"""The rules engine: pure values and functions. No I/O, clock, randomness, logging or protobuf."""
