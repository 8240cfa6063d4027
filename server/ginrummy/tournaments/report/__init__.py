"""A tournament as a static site: pages to read, and the logs that they follow from.

    write_report(lines of the tournament, lines of a match by its id, directory)

Everything in it comes from the logs: no clock, no server, no file from elsewhere. It needs no
script and is read from the disk as well as from any web server.
"""

from ginrummy.tournaments.report.errors import ReportError
from ginrummy.tournaments.report.writing import write_report

__all__ = ["ReportError", "write_report"]
