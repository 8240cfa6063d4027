"""What a server has refused, in the words of somebody at a command line."""

from ginrummy.client import GinRummyError, NotSignedInError

__all__ = ["refusal"]


def refusal(error: GinRummyError) -> str:
    """Return why; where the server does not know who asks, with the options that say it."""
    if isinstance(error, NotSignedInError):
        return f"{error}: check --token or GINRUMMY_TOKEN"
    return str(error)
