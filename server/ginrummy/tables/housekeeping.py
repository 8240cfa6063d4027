"""What the server itself does at a table: nonces that it drew, deals, reveals, moves taken over."""

from ginrummy.log.boards import secret_number
from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Decks
from ginrummy.rules.commands import Command, Deal, RevealNonce, RevealSecret
from ginrummy.rules.match import (
    Gathering,
    Match,
    Playing,
    due,
    hands_dealt,
    is_position_hidden,
    nonce_to_reveal,
)
from ginrummy.store import Store
from ginrummy.tables.errors import LogDamagedError
from ginrummy.tables.forks import next_copy, position_reveal

__all__ = ["Housekeeping", "nonce_name"]


def nonce_name(commitment: str) -> str:
    """Return the name under which the store keeps a nonce that the server drew."""
    return f"nonce:{commitment}"


class Housekeeping:
    """The server's own acts at one match, each with the secret that it takes."""

    __slots__ = ("_decks", "_match_id", "_secrets", "_store")

    def __init__(self, match_id: str, store: Store, secrets: SecretChain, decks: Decks) -> None:
        self._match_id = match_id
        self._store = store
        self._secrets = secrets
        self._decks = decks

    def due(self, match: Match) -> Command | None:
        """Return what the server has to do next; None where it is somebody else's turn."""
        match due(match):
            case None:
                return None
            case "nonce":
                assert isinstance(match, Gathering)
                return self._own_nonce(match)
            case "copy":
                assert isinstance(match, Playing)
                return next_copy(self._store, self._match_id, match)
            case "position":
                return position_reveal(self._match_id, self._secrets)
            case "reveal":
                return self._secret(match)
            case "deal":
                hand = hands_dealt(match) + 1
                shuffled = self._decks(match, self._match_id, hand, self._secrets)
                assert shuffled is not None
                return Deal(shuffled.deck, shuffled.first_dealer)

    def reveal(self, match: Match) -> Command:
        """Return what lets out the position that a fork began in, or else the last secret."""
        if is_position_hidden(match):
            return position_reveal(self._match_id, self._secrets)
        return self._secret(match)

    def _secret(self, match: Match) -> RevealSecret:
        """Return the command that lets the last hand's secret out."""
        hand = hands_dealt(match)
        secret = self._secrets.secret(secret_number(match.terms, hand))
        return RevealSecret(hand, secret.hex())

    def _own_nonce(self, match: Gathering) -> Command:
        seat = nonce_to_reveal(match)
        assert seat is not None
        seated = match.seats[seat]
        assert seated is not None
        assert seated.nonce_commitment is not None
        nonce = self._store.secret(self._match_id, nonce_name(seated.nonce_commitment))
        if nonce is None:
            raise LogDamagedError(self._match_id, f"the nonce drawn for seat {seat} is lost")
        return RevealNonce(seat, nonce.hex())
