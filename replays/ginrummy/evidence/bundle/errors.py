"""What can be wrong with a bundle before anything in it is judged."""

__all__ = ["BundleTooLargeError", "NothingToBundleError", "UnusableBundleError"]


class UnusableBundleError(Exception):
    """A file that is no bundle, or so damaged that nothing in it can be judged."""


class BundleTooLargeError(Exception):
    """A match that is too long to be put in a bundle."""


class NothingToBundleError(Exception):
    """A dispute, an event or a hand that a match does not have."""
