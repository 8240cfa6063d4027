"""What a notary cannot give.

NotaryError
├── NoSuchCheckpointError   nothing that was asked about is signed yet
└── TreeBrokenError         the log is not the one that was signed before
"""

__all__ = ["NoSuchCheckpointError", "NotaryError", "TreeBrokenError"]


class NotaryError(Exception):
    """Anything that a notary refuses."""


class NoSuchCheckpointError(NotaryError):
    """No checkpoint is of that size, or none covers that line, so far. Ask again later."""


class TreeBrokenError(NotaryError):
    """What is stored contradicts a checkpoint that was signed: lines were changed, or are lost.

    Nothing more is signed then. An audit with an old checkpoint says more.
    """
