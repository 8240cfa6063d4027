"""The forms that a tournament's events have had before, and the way from each to the next."""

from collections.abc import Mapping

import msgspec

from ginrummy.log.upcast import OldForm
from ginrummy.rules.events import Hex32, Limits, NonceSource, TimeControl
from ginrummy.rules.ruleset import Ruleset
from ginrummy.tournaments.event.events import EntrantEntered, EntrantKind, TournamentCreated
from ginrummy.tournaments.event.terms import Play, TournamentFormat, TournamentTerms
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.sprt import Sprt

__all__ = ["OLD_FORMS"]


class _TermsV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Before a tournament's moves could be signed."""

    name: str
    format: TournamentFormat
    play: Play
    rules: Ruleset
    clock: TimeControl | None
    limits: Limits
    standings: Terms
    sprt: Sprt | None
    open_entry: bool
    check_in: bool
    tables: int
    round_ms: int | None
    reconnect_ms: int
    arrival_ms: int


class _TournamentCreatedV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terms: _TermsV1
    commitment: Hex32
    chain: int
    lots: Hex32


class _EntrantEnteredV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Before entrants had keys."""

    entrant: str
    name: str
    kind: EntrantKind
    seed: int
    round: int
    spec: str
    nonce_commitment: Hex32
    nonce_by: NonceSource


def _tournament_created_from_v1(old: _TournamentCreatedV1) -> TournamentCreated:
    terms = TournamentTerms(**msgspec.structs.asdict(old.terms), signing="off")
    return TournamentCreated(terms, old.commitment, old.chain, old.lots)


def _entrant_entered_from_v1(old: _EntrantEnteredV1) -> EntrantEntered:
    return EntrantEntered(**msgspec.structs.asdict(old), key=None)


OLD_FORMS: Mapping[tuple[str, int], OldForm] = {
    ("tournament_created", 1): OldForm(_TournamentCreatedV1, _tournament_created_from_v1),
    ("entrant_entered", 1): OldForm(_EntrantEnteredV1, _entrant_entered_from_v1),
}
"""Every form of a tournament's events that shipped and is not the newest, by name and version."""
