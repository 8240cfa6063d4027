"""What may be decided about who takes part: entries, nonces, the start, coming and going."""

from hashlib import sha256
from typing import TypeAlias

from ginrummy.log.boards import mix_of
from ginrummy.log.deck import NONCE_BYTES
from ginrummy.tournaments.errors import (
    InvalidEntryError,
    NotNowError,
)
from ginrummy.tournaments.event.commands import (
    Enter,
    Leave,
    RevealNonce,
)
from ginrummy.tournaments.event.events import (
    EntrantCheckedIn,
    EntrantEntered,
    EntrantLeft,
    EntrantNonceRevealed,
    EntrantReturned,
    EntrantsSeeded,
    RegistrationClosed,
    TournamentEvent,
    TournamentStarted,
)
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.event.terms import TournamentTerms

__all__ = ["check_in", "close", "enter", "leave", "return_", "reveal_nonce", "seed", "start"]

Events: TypeAlias = tuple[TournamentEvent, ...]


def enter(tournament: Tournament, command: Enter) -> Events:
    """Take part, late where the format lets one. Raises InvalidEntryError, NotNowError."""
    _check_key(tournament.terms, command.key)
    if tournament.has_entered(command.entrant):
        raise InvalidEntryError(f"{command.name} has entered before")
    late = tournament.stage != "registration"
    if tournament.stage == "ended" or tournament.aborted:
        raise NotNowError("the tournament is over")
    if tournament.stage == "nonces":
        raise NotNowError("registration is closed, and the first round is about to be paired")
    if late and not tournament.terms.format.late_entry:
        raise NotNowError("registration is closed, and this format has no place for a late entry")
    seed = max((each.entrant.seed for each in tournament.entries), default=0) + 1
    entered = EntrantEntered(
        entrant=command.entrant,
        name=command.name,
        kind=command.kind,
        seed=seed,
        round=_next_number(tournament) if late else 1,
        spec=command.spec,
        nonce_commitment=command.nonce_commitment,
        nonce_by=command.nonce_by,
        key=command.key,
    )
    return (entered, EntrantCheckedIn(command.entrant)) if late else (entered,)


def _check_key(terms: TournamentTerms, key: str | None) -> None:
    """Let an entrant come with the key, or without one, that the boards ask for."""
    if terms.boards == 0:
        if key is not None:
            raise InvalidEntryError(
                "no boards are played here: one joins each match with one's key"
            )
    elif terms.signing == "off":
        if key is not None:
            raise InvalidEntryError("nobody signs their moves here: enter without a key")
    elif terms.signing == "required" and key is None:
        raise InvalidEntryError(
            "everybody signs their moves here: enter with your Ed25519 public key"
        )


def _next_number(tournament: Tournament) -> int:
    """Return the next round's number, 2 at the least: a late entrant is known by it."""
    return max(2, tournament.rounds[-1].number + 1 if tournament.rounds else 2)


def check_in(tournament: Tournament, entrant: str) -> Events:
    """Note that an entrant is there. Raises UnknownEntrantError, NotNowError."""
    entry = tournament.entry(entrant)
    if tournament.stage != "registration":
        raise NotNowError("one checks in before registration closes")
    return () if entry.checked_in else (EntrantCheckedIn(entrant),)


def seed(tournament: Tournament, order: tuple[str, ...]) -> Events:
    """Set the order of strength. Raises UnknownEntrantError, InvalidEntryError, NotNowError."""
    if tournament.stage != "registration":
        raise NotNowError("seeds are set before registration closes")
    for each in order:
        tournament.entry(each)
    if len(set(order)) < len(order) or len(order) < len(tournament.entries):
        raise InvalidEntryError("the order names every entrant once")
    return (EntrantsSeeded(order),)


def close(tournament: Tournament) -> Events:
    """Close registration; whoever had to check in and did not is left out. Raises NotNowError."""
    if tournament.stage != "registration":
        raise NotNowError("registration is closed already")
    terms = tournament.terms
    absent: Events = ()
    if terms.check_in:
        absent = tuple(
            EntrantLeft(each.id, "absent", "not checked in")
            for each in tournament.entries
            if each.here and not each.checked_in
        )
    ready = sum(each.here for each in tournament.entries) - len(absent)
    if ready < 2:
        raise NotNowError(f"a tournament takes two entrants at least, and {ready} would be there")
    if terms.sprt is not None and ready != 2:
        raise NotNowError(f"a sequential test is between two entrants, and {ready} have entered")
    return (RegistrationClosed(), *absent)


def reveal_nonce(tournament: Tournament, command: RevealNonce) -> Events:
    """Let an entrant's nonce out; one that comes too late for the boards changes nothing.

    Raises UnknownEntrantError, NotNowError, and InvalidEntryError for one not committed to.
    """
    entry = tournament.entry(command.entrant)
    if tournament.stage == "registration":
        raise NotNowError("a nonce is revealed once registration is closed")
    if tournament.stage != "nonces":
        # It is in no board any more; a late entrant's never is.
        return ()
    nonce = bytes.fromhex(command.nonce)
    if len(nonce) != NONCE_BYTES:
        raise InvalidEntryError(f"a nonce is {NONCE_BYTES} bytes, not {len(nonce)}")
    if sha256(nonce).hexdigest() != entry.nonce_commitment:
        raise InvalidEntryError("the nonce is not the one committed to when entering")
    return () if entry.nonce else (EntrantNonceRevealed(command.entrant, command.nonce),)


def start(tournament: Tournament) -> Events:
    """Fix the boards; whoever has not revealed a nonce is left out. Raises NotNowError."""
    if tournament.stage != "nonces":
        raise NotNowError("a tournament starts when registration has closed")
    silent = tuple(
        EntrantLeft(each.id, "absent", "the nonce was not revealed")
        for each in tournament.entries
        if each.here and each.nonce is None
    )
    # Whoever has left since may have shown a nonce already: every one that is out is in the mix.
    nonces = {each.id: bytes.fromhex(each.nonce) for each in tournament.entries if each.nonce}
    return (*silent, TournamentStarted(mix_of(nonces)))


# --- coming and going ---------------------------------------------------------------------------


def leave(tournament: Tournament, command: Leave) -> Events:
    """Take no further part. Raises UnknownEntrantError, NotNowError."""
    entry = tournament.entry(command.entrant)
    if tournament.stage == "ended":
        raise NotNowError("the tournament is over")
    if not entry.here:
        raise NotNowError(f"{entry.entrant.name} has left already")
    return (EntrantLeft(command.entrant, command.reason, command.why),)


def return_(tournament: Tournament, entrant: str) -> Events:
    """Take part again, from the next round on. Raises UnknownEntrantError, NotNowError."""
    entry = tournament.entry(entrant)
    if tournament.stage == "ended" or tournament.aborted:
        raise NotNowError("the tournament is over")
    if entry.here:
        raise NotNowError(f"{entry.entrant.name} has not left")
    if tournament.stage == "nonces":
        raise NotNowError("the first round is about to be paired: come back after that")
    if (
        tournament.stage == "playing"
        and entrant not in tournament.starters
        and entry.entrant.entered == 1
    ):
        raise NotNowError(f"{entry.entrant.name} had left before the tournament started")
    number = _next_number(tournament) if tournament.stage == "playing" else 1
    return (EntrantReturned(entrant, number),)
