"""Notes signed and checked by Ed25519 keys.

text, SigningKey ──> signed ──> the note's bytes ──> read_note ──> Note ──> check_signed
"""

import msgspec

from ginrummy.log.ed25519 import is_signed, public_key, sign
from ginrummy.log.notes import Note, NoteSignature, VerifierKey, write_note

__all__ = ["SigningKey", "UnsignedNoteError", "check_signed", "signed"]


class UnsignedNoteError(ValueError):
    """A note that the key in question has not signed, or that was changed since."""


class SigningKey(msgspec.Struct, frozen=True):
    """An Ed25519 key that signs notes."""

    name: str
    secret: bytes
    """32 bytes, and nobody else's."""

    @property
    def verifier(self) -> VerifierKey:
        """Its public half."""
        return VerifierKey(self.name, public_key(self.secret))

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"


def signed(text: str, key: SigningKey) -> bytes:
    """Return the note of a text, which ends with a newline, under one key's signature."""
    signature = sign(key.secret, text.encode())
    return write_note(text, NoteSignature(key.name, key.verifier.key_id, signature))


def check_signed(note: Note, key: VerifierKey) -> None:
    """Check that the note's text is what this key has signed.

    Raises UnsignedNoteError where no signature is this key's, or one of them does not hold.
    """
    own = [each for each in note.signatures if (each.name, each.key_id) == (key.name, key.key_id)]
    if not own:
        raise UnsignedNoteError(f"it is not signed by {key}")
    message = note.text.encode()
    if not all(is_signed(key.public, message, each.signature) for each in own):
        raise UnsignedNoteError(f"the signature by {key.name} does not hold: it was changed")
