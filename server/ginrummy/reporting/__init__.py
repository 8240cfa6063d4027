"""What checks of any stream say, and how it is put before people: as text, and as pages."""
