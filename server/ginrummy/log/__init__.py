"""The log: events as chained lines, the committed deck, and the forms that lines have had."""
