"""A match as one page of HTML that needs no network: stepped through, checked, printed.

    Replay -> model (layers: what everybody sees, what each seat sees beside it) -> page

Every position is worked out here, by the rules; the page's script only puts layers on each other
and draws them. So a perspective that the page does not have is not in the file.
"""

from ginrummy.replay.html.judged import Analysis, Data
from ginrummy.replay.html.page import write_page

__all__ = ["Analysis", "Data", "write_page"]
